// Audits changes of the service's own loops as calls are: the intent in the transaction, the line after it.
import type { AuditIntent } from '../model/audit-entry.ts';
import type { AuditTrail, LoopAudit } from '../ports/audit.ts';
import type { MakeId } from '../../lib/uuid7.ts';

export function loopAudit(deps: {
  readonly trail: AuditTrail;
  readonly makeId: MakeId;
  readonly now: () => number;
}): LoopAudit {
  return {
    async change(caller, { action, resource }, work) {
      deps.trail.mustBeWritable();
      const intent: AuditIntent = {
        id: deps.makeId(),
        at: deps.now(),
        tenantId: caller.tenantId,
        actor: caller.subject,
        action,
        resource,
        metadata: {},
        ip: null,
        sessionId: null,
        chain: deps.trail.chain,
        trace: { rows: [] },
      };
      const { value, changed } = await work({ ...caller, intent });
      if (changed === undefined) deps.trail.discard(intent);
      else await deps.trail.record({ ...intent, metadata: changed, outcome: 'success' });
      return value;
    },
  };
}
