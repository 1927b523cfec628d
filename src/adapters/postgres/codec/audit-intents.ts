// Audit intents as they are committed with a change: the text of a row of audit_intents.
import type { AuditIntent } from '../../../domain/model/audit-entry.ts';
import type { OrphanedIntent } from '../../../domain/ports/audit-chain.ts';

/** The stored form of an intent, without member names: every call writes one, and almost none is ever read. */
export type IntentJson = readonly [
  taskId: string | null,
  id: string,
  at: number,
  actor: string,
  action: string,
  resource: string,
  metadata: Readonly<Record<string, unknown>>,
  ip: string | null,
  sessionId: string | null,
];

/** @param taskId the task that the call creates or changes */
export function intentToJson(intent: AuditIntent, taskId?: string): IntentJson {
  const { id, at, actor, action, resource, metadata, ip, sessionId } = intent;
  return [taskId ?? null, id, at, actor, action, resource, metadata, ip, sessionId];
}

/** The intents of one row. */
export function parseIntents(tenantId: string, entries: string): OrphanedIntent[] {
  // Trusted text: `intentToJson` wrote it.
  const stored: IntentJson[] = JSON.parse(entries);
  return stored.map(([taskId, id, at, actor, action, resource, metadata, ip, sessionId]) => ({
    id,
    at,
    tenantId,
    actor,
    action,
    resource,
    metadata,
    ip,
    sessionId,
    taskId: taskId ?? undefined,
  }));
}
