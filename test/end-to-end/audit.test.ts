// The audit of the whole service: two replicas, loops, floods, refusals, and nothing secret anywhere.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { eventsOf, linesOf } from '../support/audit/audit-files.ts';

let one: TestService;
let two: TestService;
beforeAll(async () => {
  one = await openService({ config: { leaseSeconds: 1 } });
  two = await openService({ db: one.db });
});
afterAll(async () => {
  await two[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

describe('two replicas', () => {
  it('write a chain each, and a tenant sees both in one order [choices-3.90, choices-3.93]', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 10; i += 1) ids.push((await (i % 2 === 0 ? one : two).task({}, 'other')).id);
    await eventsOf(two, 'other');
    const events = await eventsOf(one, 'other');
    const made = events.filter((event) => event.action === 'tasks.create').map((event) => event.metadata['task_id']);
    expect(made.toReversed()).toEqual(ids);
    const [first] = await linesOf(one.config.audit.logPath);
    const [second] = await linesOf(two.config.audit.logPath);
    expect(first?.metadata['chain']).not.toBe(second?.metadata['chain']);
    const { body } = await one.call('GET', '/v1/audit/verify', { as: 'operator' });
    expect(body).toMatchObject({ ok: true, chains: [{ checked: 'file' }, { ok: true }] });
  });

  it('file what a gone replica left [choices-3.92]', async () => {
    const id = '01900000-0000-7000-8000-000000000001';
    const stored = [null, id, Date.now(), 'token:editor', 'tasks.cancel', '/v1/agent/tasks', {}, null, null];
    await one.db.query(
      `insert into audit_intents (tenant_id, id, replica_id, at, entries)
       values ('default', gen_random_uuid(), 'gone', now() - interval '2 min', $1)`,
      [JSON.stringify([stored])],
    );
    const recovered = await until(
      'its line',
      // By its action: each of these looks is a newer event itself.
      async () =>
        (await one.call('POST', '/v1/audit/query', { as: 'operator', body: { action: 'tasks.cancel' } })).body
          .events[0],
    );
    expect(recovered).toMatchObject({ outcome: 'success', id, metadata: { recovered: true }, actor: 'token:editor' });
  });
});

describe('a third replica', () => {
  it('[platform-2.7] closes its chain when it ends, and a verification seals it', async () => {
    const before = new Set((await chainRows()).map(({ chain }) => chain));
    const third = await openService({ db: one.db });
    await third.task();
    await third[Symbol.asyncDispose]();
    const find = async () => (await chainRows()).find(({ chain }) => !before.has(chain));
    expect(await find()).toMatchObject({ closed_hash: expect.stringMatching(/^[\da-f]{64}$/), verified_hash: null });
    expect((await one.call('GET', '/v1/audit/verify', { as: 'operator' })).body.ok).toBe(true);
    const sealed = await find();
    expect(sealed?.verified_hash).toBe(sealed?.closed_hash);
    expect((await one.call('GET', '/v1/audit/verify', { as: 'operator' })).body.ok).toBe(true);
  });

  function chainRows() {
    const text = 'select chain, closed_hash, verified_hash from audit_chains';
    return one.db.query<{ chain: string; closed_hash: string | null; verified_hash: string | null }>(text);
  }
});

describe('the loops', () => {
  it('make no entry for a tick, and one for what they change [choices-3.97]', async () => {
    const worker = await one.worker({ codebases: [{ codebase_id: 'global', name: 'global', path: '/x' }] });
    const task = await one.task();
    await worker.claim(1, task.id);
    const lost = await until('the reaper', async () =>
      (await eventsOf(one, 'operator')).find(
        (event) => event.action === 'tasks.lease_lost' && event.metadata['task_id'] === task.id,
      ),
    );
    expect(lost).toMatchObject({ actor: 'service:reaper', outcome: 'success', metadata: { status: 'pending' } });
    const actors = (await linesOf(one.config.audit.logPath)).filter((line) => line.actor.startsWith('service:'));
    expect(
      new Set(actors.map((line) => line.action)).difference(
        new Set(['tasks.lease_lost', 'audit.chain_opened', 'audit.checkpoint']),
      ),
    ).toEqual(new Set());
  });
});

describe('a flood', () => {
  it('of changes has a line for each, in one chain', async () => {
    const count = 300;
    const before = (await linesOf(two.config.audit.logPath)).filter((line) => line.action === 'tasks.create').length;
    await Promise.all(Array.from({ length: count }, () => two.task()));
    const lines = await linesOf(two.config.audit.logPath);
    expect(lines.filter((line) => line.action === 'tasks.create')).toHaveLength(before + count);
    expect((await two.call('GET', '/v1/audit/verify', { as: 'operator' })).body.ok).toBe(true);
  });

  it('of refused credentials is no flood of entries [choices-3.96]', async () => {
    const before = (await linesOf(two.config.audit.logPath)).length;
    await Promise.all(Array.from({ length: 100 }, () => two.call('GET', '/v1/agent/tasks', { token: null })));
    expect((await linesOf(two.config.audit.logPath)).length - before).toBeLessThan(10);
    await two.restart();
    const folded = (await linesOf(two.config.audit.logPath)).filter((line) => line.action === 'auth.refused');
    expect(folded.reduce((sum, line) => sum + Number(line.metadata['count']), 0)).toBe(100);
  });
});

describe('nothing secret', () => {
  it('of a call stands in the file or in the database’s copy', async () => {
    const canary = 'CANARY7f3a';
    const slots = {
      title: canary,
      prompt: canary,
      metadata: { k: canary },
      webhook_url: `https://example.org/${canary}`,
    };
    await one.call('POST', `/v1/agent/tasks?q=${canary}`, { as: 'editor', body: { ...slots, codebase_id: 'global' } });
    await one.call('POST', '/v1/agent/tasks', { token: canary, body: slots });
    await one.call('POST', '/a2a/jsonrpc', {
      as: 'editor',
      body: { jsonrpc: '2.0', id: canary, method: canary, params: slots },
    });
    await one.call('GET', '/v1/agent/tasks', { as: 'viewer', headers: { cookie: canary, 'user-agent': canary } });
    await eventsOf(one, 'operator');
    expect(await readFile(one.config.audit.logPath, 'utf8')).not.toContain(canary);
    for (const table of ['audit_log', 'audit_intents']) {
      const [row] = await one.db.query<{ n: string }>(
        `select count(*) as n from ${table} where entries::text like '%' || $1 || '%'`,
        [canary],
      );
      expect(row?.n).toBe('0');
    }
  });

  it('and nothing of it may be changed by the application', async () => {
    for (const statement of [
      'update audit_log set last_hash = $$x$$',
      'delete from audit_log',
      'delete from audit_checkpoints',
      'update audit_checkpoints set hash = $$x$$',
      'delete from audit_chains',
    ]) {
      for (const role of ['a2a_app', 'a2a_admin']) {
        await expect(one.db.query(`do $do$ begin set local role ${role}; ${statement}; end $do$`)).rejects.toThrow(
          /permission denied/,
        );
      }
    }
  });
});
