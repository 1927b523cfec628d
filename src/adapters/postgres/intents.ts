// Intents of the audit as they are committed with a change: the JSON of a row of audit_intents.
import type { AuditIntent } from '../../domain/model/audit-entry.ts';
import type { LeftIntent } from '../../domain/ports/audit-chain.ts';

/** What of an intent is stored; its tenant is the row's. */
export type IntentJson = Omit<LeftIntent, 'tenantId'>;

/** @param taskId the task that the call makes or changes */
export function intentJson(intent: AuditIntent, taskId?: string): IntentJson {
  const { id, at, actor, action, resource, metadata, ip, sessionId } = intent;
  const stored = { id, at, actor, action, resource, metadata, ip, sessionId };
  return taskId === undefined ? stored : { ...stored, taskId };
}
