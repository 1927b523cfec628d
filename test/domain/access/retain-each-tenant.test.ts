// Housekeeping over every tenant: one transaction each, and an audit entry only where something was deleted.
import { expect, it } from 'vitest';
import { retainEachTenant } from '../../../src/domain/access/retain-each-tenant.ts';
import { retainAgents } from '../../../src/domain/agents/retain-agents.ts';
import { loopAudit } from '../../../src/domain/audit/loop-audit.ts';
import type { AuditEntry } from '../../../src/domain/model/audit-entry.ts';
import type { TenantScope } from '../../../src/domain/model/access/caller.ts';
import type { Rows, Store } from '../../../src/domain/ports/store/store.ts';
import { noTrail } from '../../support/request-pipeline.ts';

/** Three tenants, of which `b` has two stale registrations of agents. */
function stub() {
  const entries: AuditEntry[] = [];
  const visited: string[] = [];
  const trail = { ...noTrail, record: (entry: AuditEntry) => Promise.resolve(void entries.push(entry)) };
  const store = {
    within: ({ tenantId }: TenantScope, work: (rows: Rows) => Promise<unknown>) => {
      visited.push(tenantId);
      const rows = { agents: { dropStale: () => Promise.resolve(tenantId === 'b' ? 2 : 0) } };
      return work(rows as unknown as Rows);
    },
  } as unknown as Store;
  const crossTenant = { tenants: () => Promise.resolve(['a', 'b', 'c']) };
  return {
    entries,
    visited,
    deps: { store, crossTenant, audit: loopAudit({ trail, makeId: () => 'id', now: () => 0 }) },
  };
}

it('stale agents are deleted in each tenant; the entry names the loop, the number and the age', async () => {
  const { entries, visited, deps } = stub();
  await retainAgents(deps, 30, new AbortController().signal);
  expect(visited).toEqual(['a', 'b', 'c']);
  expect(entries.map(({ tenantId, actor, action, metadata }) => ({ tenantId, actor, action, metadata }))).toEqual([
    {
      tenantId: 'b',
      actor: 'service:agent_retention',
      action: 'agents.retain',
      metadata: { count: 2, older_than_days: 30 },
    },
  ]);
});

it('a round ends between two tenants when the service stops', async () => {
  const { visited, deps } = stub();
  const stopping = new AbortController();
  const drop = () => {
    stopping.abort();
    return Promise.resolve({ count: 0 });
  };
  await retainEachTenant(deps, { component: 'x', action: 'x', resource: '/x' }, drop, stopping.signal);
  expect(visited).toEqual(['a']);
});
