// The monitor with thousands of workers: which rows its lists read, and that pages are complete.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentRows } from '../../../../src/adapters/postgres/store/rows/agent-rows.ts';
import { workerRows } from '../../../../src/adapters/postgres/store/rows/worker-rows.ts';
import type { Scope } from '../../../../src/adapters/postgres/store/rows/scope.ts';
import { openService, type TestService } from '../../../support/service.ts';

const count = 3_000;
const offlineAfterSeconds = 60;
const codebaseId = '01980000-0000-7000-8000-000000000000';

let service: TestService;
/** A connection in a transaction within the tenant, as the store's. */
let client: pg.Client;
beforeAll(async () => {
  service = await openService();
  // Each runs the same two agents and holds a codebase; every third is silent, every thousandth can do something rare.
  // The workers stay online, however long the tests take.
  await service.db.query(
    `with made as (
       insert into workers (tenant_id, worker_id, subject, name, agents, capabilities, models, last_heartbeat_at)
       select 'default', gen_random_uuid(), 'token:agent', 'worker ' || lpad(n::text, 5, '0'), '{claude,codex}',
         case when n % 1000 = 0 then '{build,rare}'::text[] else '{build}' end, '{one:small}',
         case when n % 3 = 0 then now() - interval '1 h' else now() + interval '1 h' end
       from generate_series(1, $1::int) n returning worker_id
     ), codebase as (
       insert into workspaces (tenant_id, codebase_id, name, path, created_by)
       values ('default', $2, 'held', '/', 'me') returning codebase_id
     ) insert into codebase_bindings (tenant_id, codebase_id, worker_id, path)
       select 'default', codebase_id, worker_id, '/x' from made, codebase`,
    [count, codebaseId],
  );
  await service.db.query('analyze');
  client = new pg.Client(service.db.superuser);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service[Symbol.asyncDispose]();
});

interface Cost {
  readonly answer: { readonly length: number };
  readonly workers: number;
  readonly bindings: number;
  readonly statements: number;
}

/** Runs a read of the store, and counts the rows of both tables that its transaction read. */
async function costOf(read: (scope: Scope) => Promise<readonly unknown[]>): Promise<Cost> {
  let statements = 0;
  const scope: Scope = {
    tenantId: 'default',
    async query<R extends pg.QueryResultRow>(_name: string, text: string, values: readonly unknown[]) {
      statements += 1;
      return (await client.query<R>(text, [...values])).rows;
    },
  };
  /** The rows that this connection read and the database has not counted elsewhere yet, earlier transactions included. */
  const taken = async (): Promise<(table: string) => number> => {
    const { rows } = await client.query<{ relname: string; read: string }>(
      `select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
       where relname in ('workers', 'codebase_bindings')`,
    );
    return (table) => Number(rows.find(({ relname }) => relname === table)?.read ?? 0);
  };
  await client.query('begin');
  try {
    await client.query(`select set_config('app.current_tenant_id', 'default', true)`);
    await client.query('set local role a2a_app');
    const before = await taken();
    const answer = await read(scope);
    const after = await taken();
    const of = (table: string): number => after(table) - before(table);
    return { answer, workers: of('workers'), bindings: of('codebase_bindings'), statements };
  } finally {
    await client.query('rollback');
  }
}

const page = { limit: 51, before: undefined };

describe(`with ${count} workers`, () => {
  it('a page of agents reads each worker twice, and only the codebases of its own names', async () => {
    const { answer, workers, bindings } = await costOf((scope) =>
      agentRows(scope, offlineAfterSeconds).list({ onlineOnly: false }, page),
    );
    expect(answer).toHaveLength(51);
    expect(workers).toBeLessThanOrEqual(2 * count);
    expect(bindings).toBeLessThanOrEqual(2 * 51);
  });

  it('an agent that all of them run is found at the same cost', async () => {
    const { workers, bindings } = await costOf(async (scope) => {
      const agent = await agentRows(scope, offlineAfterSeconds).find('codex');
      expect(agent).toMatchObject({ name: 'codex', routable: true, online: true, capabilities: ['build', 'rare'] });
      expect(agent?.description).toContain('worker 00001, worker 00002');
      return [];
    });
    expect(workers).toBeLessThanOrEqual(2 * count);
    expect(bindings).toBeLessThanOrEqual(10);
  });

  it('a page of workers reads only its own rows', async () => {
    const { answer, workers, bindings, statements } = await costOf((scope) =>
      workerRows(scope, offlineAfterSeconds).list({}, page),
    );
    expect(answer).toHaveLength(51);
    expect(statements).toBe(1);
    expect(workers).toBeLessThanOrEqual(60);
    expect(bindings).toBeLessThanOrEqual(60);
  });

  it('few matches among all are found by one statement, without further reads', async () => {
    const { answer, bindings, statements } = await costOf((scope) =>
      workerRows(scope, offlineAfterSeconds).list({ capability: 'rare' }, page),
    );
    expect(answer).toHaveLength(count / 1000);
    expect(statements).toBe(1);
    expect(bindings).toBeLessThanOrEqual(count / 1000);
  });

  it.each([
    ['/v1/monitor/workers?limit=200', 'workers', count],
    ['/v1/agent/workers?limit=200&status=offline', 'workers', count / 3],
    [`/v1/agent/workers?limit=200&status=active&codebase_id=${codebaseId}`, 'workers', (count * 2) / 3],
    ['/v1/agent/workers?limit=200&status=unregistered', 'workers', 0],
    ['/v1/monitor/agents?limit=200', 'agents', count + 2],
    ['/v1/monitor/agents?limit=200&online_only=true&capability=RARE', 'agents', count / 1000 - 1 + 2],
  ])('%s is read page by page, without duplicates or gaps', async (path, list, expected) => {
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body } = await service.call('GET', `${path}${from}`, { as: 'viewer' });
      expect(status).toBe(200);
      names.push(...body[list].map(({ name }: { name: string }) => name));
      cursor = body.next_cursor;
    }
    expect(names).toHaveLength(expected);
    expect(new Set(names).size).toBe(expected);
  });
});
