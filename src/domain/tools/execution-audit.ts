// Audit entries of tool executions: one before the tool starts, one after it has ended. core-6.4.
import type { AuditEntry, AuditOutcome } from '../model/audit-entry.ts';
import type { Caller } from '../model/access/caller.ts';
import type { ToolDeps } from './deps.ts';

/**
 * Builds an entry of an execution. It never contains the arguments or the tool's output.
 * @param resource `tool:NAME@VERSION`
 */
export function executionEntry(
  deps: Pick<ToolDeps, 'trail' | 'makeId' | 'now'>,
  caller: Caller,
  about: {
    readonly action: 'tools.execution_begun' | 'tools.execution_ended' | 'tools.execution_refused';
    readonly resource: string;
    readonly outcome: AuditOutcome;
    readonly metadata: Readonly<Record<string, unknown>>;
  },
): AuditEntry {
  const call = caller.intent;
  return {
    id: deps.makeId(),
    at: deps.now(),
    tenantId: caller.tenantId,
    actor: caller.subject,
    action: about.action,
    resource: about.resource,
    outcome: about.outcome,
    metadata: { ...about.metadata, request_id: call?.metadata['request_id'] ?? null },
    ip: call?.ip ?? null,
    sessionId: caller.sessionId ?? null,
    chain: deps.trail.chain,
    trace: { rows: [] },
  };
}
