// Operations on tools: signed manifests, their contents, runs in the sandbox. core-4.8, choices-3.
import * as wire from '../../contracts/tools.ts';
import type { SandboxPolicy } from '../../domain/model/tool-limits.ts';
import type { RegisteredTool, ToolManifest } from '../../domain/model/tool.ts';
import type { ToolDeps } from '../../domain/tools/deps.ts';
import { putToolContent } from '../../domain/tools/put-content.ts';
import { getTool, listTools, revokeTool } from '../../domain/tools/registry.ts';
import { registerTool } from '../../domain/tools/register.ts';
import { runTool } from '../../domain/tools/run.ts';
import { operation, type Operation } from '../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../pipeline/pagination.ts';

const byTool = { params: wire.toolParams, names: 'tool' as const };

export function toolOperations(deps: ToolDeps): Operation[] {
  return [...registerOperations(deps), ...contentOperations(deps)];
}

function registerOperations(deps: ToolDeps): Operation[] {
  return [
    operation({
      name: 'tools.register',
      method: 'POST',
      path: '/v1/tools/manifests',
      summary: 'Register a tool manifest signed by a trusted key.',
      permission: 'tools:write',
      body: wire.newManifest,
      answers: { 201: wire.manifestAnswer },
      run: async (caller, { body }) => ({
        status: 201,
        body: { manifest: manifestToWire(await registerTool(deps, caller, manifestFromWire(body))) },
      }),
    }),
    operation({
      name: 'tools.list',
      method: 'GET',
      path: '/v1/tools/manifests',
      summary: 'List every version of every tool.',
      permission: 'tools:read',
      query: wire.manifestQuery,
      answers: { 200: wire.manifestPage },
      run: async (caller, { query }) => {
        const { tools, next } = await listTools(deps, caller, parsePage(query, 'text'));
        return { status: 200, body: { manifests: tools.map(manifestToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'tools.get',
      method: 'GET',
      path: '/v1/tools/manifests/:tool_id',
      summary: 'Get a tool.',
      description: 'Returns the requested version, or the version that a run would use, and the list of all versions.',
      permission: 'tools:read',
      ...byTool,
      query: wire.versionQuery,
      answers: { 200: wire.toolAnswer },
      run: async (caller, { params, query }) => {
        const { tool, versions } = await getTool(deps, caller, params.tool_id, query.version);
        return { status: 200, body: { manifest: manifestToWire(tool), versions: versions.map(manifestToWire) } };
      },
    }),
    operation({
      name: 'tools.revoke',
      method: 'DELETE',
      path: '/v1/tools/manifests/:tool_id',
      summary: 'Revoke a version of a tool, or all its versions.',
      description: 'A revoked version never runs again.',
      permission: 'tools:delete',
      ...byTool,
      query: wire.versionQuery,
      answers: { 200: wire.manifestsAnswer },
      run: async (caller, { params, query }) => {
        const revoked = await revokeTool(deps, caller, params.tool_id, query.version);
        return { status: 200, body: { manifests: revoked.map(manifestToWire) } };
      },
    }),
  ];
}

function contentOperations(deps: ToolDeps): Operation[] {
  return [
    operation({
      name: 'tools.put_content',
      method: 'PUT',
      path: '/v1/tools/:tool_id/content',
      summary: 'Upload the content of a tool.',
      description: 'The SHA-256 of the content must be the one in the manifest.',
      permission: 'tools:write',
      ...byTool,
      query: wire.versionQuery,
      rawBody: true,
      largeBody: true,
      answers: { 200: wire.manifestAnswer },
      run: async (caller, { params, query, raw }) => ({
        status: 200,
        body: { manifest: manifestToWire(await putToolContent(deps, caller, params.tool_id, query.version, raw)) },
      }),
    }),
    operation({
      name: 'tools.run',
      method: 'POST',
      path: '/v1/tools/:tool_id/run',
      summary: 'Run a tool in the sandbox.',
      description: 'Its signature and content are verified before each run.',
      permission: 'tools:execute',
      ...byTool,
      body: wire.toolRunRequest,
      answers: { 200: wire.toolRunAnswer },
      run: async (caller, { params, body, context }) => {
        const { exitCode, stdout, stderr, usage, killedBy } = await runTool(deps, caller, {
          toolId: params.tool_id,
          version: body.version,
          arguments: body.arguments,
          policy: policies[body.policy],
          signal: context.signal,
        });
        const { wallMs, cpuMs, peakMemoryBytes } = usage;
        const used = { wall_ms: wallMs, cpu_ms: cpuMs, max_memory_bytes: peakMemoryBytes };
        return { status: 200, body: { exit_code: exitCode, stdout, stderr, usage: used, killed_by: killedBy } };
      },
    }),
  ];
}

/** Accepts both spellings: the requirements capitalize them. */
const policies: Readonly<Record<wire.ToolRunRequestWire['policy'], SandboxPolicy>> = {
  default: 'default',
  restricted: 'restricted',
  custom: 'custom',
  Default: 'default',
  Restricted: 'restricted',
  Custom: 'custom',
};

function manifestFromWire(body: wire.NewManifest): ToolManifest {
  return {
    toolId: body.tool_id,
    version: body.version,
    sha256Hash: body.sha256_hash,
    signature: body.signature,
    allowedResources: body.allowed_resources,
    maxMemoryMb: body.max_memory_mb,
    maxCpuSeconds: body.max_cpu_seconds,
    networkAllowed: body.network_allowed,
  };
}

function manifestToWire(tool: RegisteredTool): wire.ManifestWire {
  return {
    tool_id: tool.toolId,
    version: tool.version,
    sha256_hash: tool.sha256Hash,
    allowed_resources: tool.allowedResources?.slice(),
    max_memory_mb: tool.maxMemoryMb,
    max_cpu_seconds: tool.maxCpuSeconds,
    network_allowed: tool.networkAllowed,
    signature: tool.signature,
    signed_by: tool.signedBy,
    status: tool.revokedAt === null ? 'active' : 'revoked',
    has_content: tool.hasContent,
    registered_by: tool.registeredBy,
    registered_at: tool.registeredAt,
    revoked_at: tool.revokedAt,
  };
}
