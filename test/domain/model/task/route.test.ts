// The routing rule exists twice, in code and in SQL: both agree over random workers, codebases and tasks.
import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prdCapability } from '../../../../src/domain/model/prd/prd-session.ts';
import { mayServe, routeKey } from '../../../../src/domain/model/task/route.ts';
import type { RouteNeeds } from '../../../../src/domain/model/task/task.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { openVerbs, type Verbs } from '../../../support/verbs.ts';

let db: TestDatabase;
let verbs: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
});
afterAll(async () => {
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

// Few names, so that they collide; a worker may have the name of an agent.
const anySubset = (...of: string[]): fc.Arbitrary<string[]> => fc.subarray(of);
const workers = fc.array(
  fc.record({
    name: fc.constantFrom('ada', 'bob', 'codex'),
    agents: anySubset('codex', 'pi'),
    capabilities: fc.oneof(anySubset('build', 'gpu', 'deploy', prdCapability), fc.constant([prdCapability])),
    holds: anySubset('c0', 'c1', 'global'),
    gone: fc.boolean(),
    drained: fc.constantFrom(false, false, true),
  }),
  { minLength: 1, maxLength: 4 },
);
/** Index of the worker that the codebase is exclusive to; undefined: all. */
const exclusiveTo = fc.option(fc.nat({ max: 3 }), { nil: undefined });
const codebases = fc.record({ c0: exclusiveTo, c1: exclusiveTo, global: exclusiveTo });
const needs = fc.array(
  fc.record({
    codebaseId: fc.constantFrom(null, 'c0', 'c1', 'global', '__pending__', 'unknown'),
    requiredCapabilities: anySubset('build', 'gpu', 'flying', prdCapability),
    targetAgent: fc.constantFrom(null, null, 'codex', 'pi', 'ada'),
    targetWorker: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
);

it('a worker gets exactly the routes that the rule in code lets it serve [core-3.4.1, core-3.4.2]', async () => {
  await fc.assert(
    fc.asyncProperty(workers, codebases, needs, async (someWorkers, kept, someNeeds) => {
      const tenantId = `t-${randomUUID()}`;
      const ids = someWorkers.map(() => randomUUID());
      const routes = someNeeds.map(({ targetWorker, ...rest }): RouteNeeds => {
        // Past the last worker: one that does not exist.
        const targetWorkerId = targetWorker === undefined ? null : (ids[targetWorker] ?? randomUUID());
        return { ...rest, targetWorkerId };
      });
      await db.query(
        `with t as (insert into tenants (tenant_id, name) values ($1, $1)
         ), c as (insert into workspaces (tenant_id, codebase_id, name, path, created_by, worker_id)
           select $1, x.id, x.id, '/', 'me', x.kept from jsonb_to_recordset($2) as x(id text, kept uuid)
         ), w as (insert into workers (tenant_id, worker_id, subject, name, agents, capabilities, unregistered_at,
             drained_at)
           select $1, x.id, x.id::text, x.name, x.agents, x.capabilities, case when x.gone then now() end,
             case when x.drained then now() end
           from jsonb_to_recordset($3) as x(id uuid, name text, agents text[], capabilities text[], gone boolean, drained boolean)
         ), b as (insert into codebase_bindings (tenant_id, codebase_id, worker_id, path)
           select $1, h.codebase, x.id, '/' from jsonb_to_recordset($3) as x(id uuid, holds jsonb)
           cross join lateral jsonb_array_elements_text(x.holds) as h(codebase)
         ) insert into routes (tenant_id, route_id, codebase_id, required_capabilities, target_agent, target_worker_id)
           select $1, x.key, x."codebaseId", x."requiredCapabilities", x."targetAgent", x."targetWorkerId"
           from jsonb_to_recordset($4)
             as x(key text, "codebaseId" text, "requiredCapabilities" text[], "targetAgent" text, "targetWorkerId" uuid)
           on conflict do nothing`,
        [
          tenantId,
          JSON.stringify(Object.entries(kept).map(([id, i]) => ({ id, kept: i === undefined ? null : ids[i] }))),
          JSON.stringify(someWorkers.map((worker, i) => ({ ...worker, id: ids[i] }))),
          JSON.stringify(routes.map((route) => ({ ...route, key: keyOf(route) }))),
        ],
      );
      const routable = await verbs.store.within({ tenantId }, (rows) => rows.workers.routable());
      for (const id of ids) {
        const inSql = await db.query<{ route: string }>('select worker_routes($1, $2) as route', [tenantId, id]);
        const worker = routable.find((one) => one.workerId === id);
        const inCode = routes.filter((route) => worker !== undefined && mayServe(route, worker)).map(keyOf);
        expect(inSql.map((row) => row.route).toSorted()).toEqual([...new Set(inCode)].toSorted());
      }
    }),
    { numRuns: process.env['SCALE'] === 'full' ? 2_000 : 150 },
  );
}, 600_000);

function keyOf(route: RouteNeeds): string {
  return createHash('sha256').update(routeKey(route)).digest('base64url').slice(0, 22);
}

it('equal needs have one route, in any order of capabilities, and other needs have another', () => {
  const base = { codebaseId: 'c', requiredCapabilities: ['b', 'a'], targetAgent: null, targetWorkerId: null };
  expect(routeKey({ ...base, requiredCapabilities: ['a', 'b', 'a'] })).toBe(routeKey(base));
  const others = [
    { ...base, codebaseId: null },
    { ...base, requiredCapabilities: ['a'] },
    { ...base, requiredCapabilities: ['a,b'] },
    { ...base, targetAgent: 'a' },
    { ...base, targetWorkerId: 'a' },
  ];
  expect(new Set([base, ...others].map(routeKey)).size).toBe(1 + others.length);
});
