// Audits changes of the service's own loops as calls are: the intent in the transaction, the line after it.
import type { AuditIntent } from '../model/audit-entry.ts';
import type { SystemCaller } from '../model/access/caller.ts';
import type { AuditTrail, LoopAudit, LoopChange, LoopOutcome } from '../ports/audit.ts';
import type { MakeId } from '../../lib/uuid7.ts';

export function loopAudit(deps: {
  readonly trail: AuditTrail;
  readonly makeId: MakeId;
  readonly now: () => number;
}): LoopAudit {
  return {
    async change({ actor, tenantId, action, resource }, work) {
      deps.trail.mustBeWritable();
      const intent: AuditIntent = {
        id: deps.makeId(),
        at: deps.now(),
        tenantId,
        actor,
        action,
        resource,
        metadata: {},
        ip: null,
        sessionId: null,
        chain: deps.trail.chain,
        trace: { rows: [] },
      };
      const { value, changed } = await work({ tenantId, intent });
      if (changed === undefined) deps.trail.discard(intent);
      else await deps.trail.record({ ...intent, metadata: changed, outcome: 'success' });
      return value;
    },
  };
}

/**
 * Calls a verb as a system caller: the caller's subject is the actor of the audit entry.
 * @param verb calls the verb with the caller that it gets, whose intent is committed with the change
 * @throws DomainError unavailable (audit_unavailable) while lines cannot be written; what `verb` throws
 */
export function changeAs<T>(
  audit: LoopAudit,
  caller: SystemCaller,
  about: Pick<LoopChange, 'action' | 'resource'>,
  verb: (caller: SystemCaller) => Promise<LoopOutcome<T>>,
): Promise<T> {
  const { subject, tenantId } = caller;
  return audit.change({ ...about, actor: subject, tenantId }, ({ intent }) =>
    verb(intent === undefined ? caller : { ...caller, intent }),
  );
}
