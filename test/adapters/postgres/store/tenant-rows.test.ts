// The rows of one transaction: built by need, once.
import { expect, it } from 'vitest';
import type { Scope } from '../../../../src/adapters/postgres/store/rows/scope.ts';
import { TenantRows } from '../../../../src/adapters/postgres/store/tenant-rows.ts';

it('builds each member when it is first read, and once', () => {
  const scope: Scope = { tenantId: 'default', query: () => Promise.resolve([]) };
  const rows = new TenantRows(scope, { offlineAfterSeconds: 60, idempotencyHours: 48 });
  // A transaction allocates no members: they are getters of the class.
  expect(Object.keys(rows)).toEqual([]);
  expect(rows.tasks).toBe(rows.tasks);
  expect(rows.taskMoves).not.toBe(rows.tasks);
});
