// The verb run: verifies a tool completely, on the very bytes that then run in the sandbox. core-5.10.
import type { Caller } from '../model/access/caller.ts';
import { DomainError } from '../model/errors.ts';
import { limitsFor, findUnacceptableLimit, type SandboxPolicy, type ToolLimits } from '../model/tool-limits.ts';
import type { RegisteredTool } from '../model/tool.ts';
import type { SandboxResult } from '../ports/sandbox.ts';
import type { ToolDeps } from './deps.ts';
import { executionEntry } from './execution-audit.ts';
import { listVersions, selectVersion } from './select-version.ts';
import { findSigner } from './signature.ts';
import { sha256 } from '../../lib/digest.ts';

export interface ToolRunRequest {
  readonly toolId: string;
  readonly version: string | undefined;
  /** Passed to the tool as JSON on its standard input. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly policy: SandboxPolicy;
  readonly signal: AbortSignal;
}

/**
 * @throws DomainError not_found; forbidden tool_revoked, signature_invalid, limits_unacceptable, hash_mismatch; conflict
 * tool_content_missing; unavailable sandbox_unavailable, tools_busy, audit_unavailable
 */
export async function runTool(deps: ToolDeps, caller: Caller, run: ToolRunRequest): Promise<SandboxResult> {
  const tool = await deps.store.within(caller, async (rows) =>
    selectVersion(await listVersions(rows, run.toolId), run.version),
  );
  const audit = createExecutionAudit(deps, caller, tool, run.policy);
  try {
    verifyManifest(deps, tool);
    // The slot first, then the content: 16 MiB for each waiting call would be too much.
    using slot = await deps.sandbox.acquireSlot(caller.tenantId);
    const content = await verifiedContent(deps, caller, tool);
    const limits = limitsFor(tool, run.policy);
    await audit.begun(limits);
    const { toolId, version } = tool;
    const input = JSON.stringify(run.arguments);
    const result = await slot.run({ toolId, version, content, input, limits, signal: run.signal });
    await audit.ended(result);
    return result;
  } catch (error) {
    audit.refused(error);
    throw error;
  }
}

/** Reads and verifies in one transaction; the returned bytes are those that run. */
async function verifiedContent(deps: ToolDeps, caller: Caller, tool: RegisteredTool): Promise<Uint8Array> {
  const { now, content } = await deps.store.within(caller, async (rows) => {
    const found = selectVersion(await listVersions(rows, tool.toolId), tool.version);
    return { now: found, content: await rows.tools.content(found.sha256Hash) };
  });
  verifyManifest(deps, now);
  if (now.signature !== tool.signature)
    throw refusal('signature_invalid', 'The manifest changed while it was verified. Retry.');
  if (content === undefined) {
    const message = `Version ${tool.version} has no content yet. Upload it with PUT /v1/tools/${tool.toolId}/content?version=${tool.version}.`;
    throw new DomainError('conflict', 'tool_content_missing', message);
  }
  if (sha256(content, 'hex') !== tool.sha256Hash) {
    throw refusal(
      'hash_mismatch',
      'The stored content does not match the hash in the manifest, so it was not run. Upload the content again.',
    );
  }
  return content;
}

function verifyManifest({ trustedKeys, accepted }: ToolDeps, tool: RegisteredTool): void {
  if (tool.revokedAt !== null) throw refusal('tool_revoked', 'This version was revoked. Run another version.');
  if (findSigner(tool, trustedKeys) === undefined) {
    throw refusal(
      'signature_invalid',
      'No currently trusted key has signed this manifest. Sign and register a new version.',
    );
  }
  const refused = findUnacceptableLimit(tool, accepted);
  if (refused !== undefined) {
    throw refusal(
      'limits_unacceptable',
      `The limits of this version are no longer acceptable: ${refused.field} ${refused.message}.`,
    );
  }
}

function refusal(code: string, message: string): DomainError {
  return new DomainError('forbidden', code, message);
}

function createExecutionAudit(deps: ToolDeps, caller: Caller, tool: RegisteredTool, policy: SandboxPolicy) {
  const resource = `tool:${tool.toolId}@${tool.version}`;
  const facts = { sha256_hash: tool.sha256Hash, signed_by: tool.signedBy, policy };
  return {
    /** Written to disk before the tool runs. */
    async begun(limits: ToolLimits): Promise<void> {
      const { memoryMb, cpuSeconds, hosts, paths } = limits;
      const metadata = { ...facts, memory_mb: memoryMb, cpu_seconds: cpuSeconds, hosts, paths };
      const about = { action: 'tools.execution_begun', resource, outcome: 'success', metadata } as const;
      await deps.trail.record(executionEntry(deps, caller, about));
    },
    async ended({ exitCode, killedBy, usage }: SandboxResult): Promise<void> {
      const { wallMs, cpuMs, peakMemoryBytes } = usage;
      const metadata = { ...facts, exit_code: exitCode, killed_by: killedBy, wall_ms: wallMs, cpu_ms: cpuMs };
      const outcome = exitCode === 0 ? 'success' : 'failure';
      const fullMetadata = { ...metadata, peak_memory_bytes: peakMemoryBytes };
      const about = { action: 'tools.execution_ended', resource, outcome, metadata: fullMetadata } as const;
      await deps.trail.record(executionEntry(deps, caller, about));
    },
    refused(error: unknown): void {
      const code = error instanceof DomainError ? error.code : 'internal_error';
      const outcome = error instanceof DomainError && error.kind === 'forbidden' ? 'denied' : 'failure';
      const about = { action: 'tools.execution_refused', resource, outcome, metadata: { ...facts, code } } as const;
      deps.trail.note(executionEntry(deps, caller, about));
    },
  };
}
