// Idempotency-Key on the automation family: what a platform retries makes no second task.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House, type Reply, type Who } from '../house.ts';
import { mustBeWhole } from '../support/invariants.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ config: { tokens: manyTokens() } });
});
afterAll(async () => {
  await mustBeWhole(house.db);
  await house[Symbol.asyncDispose]();
});

/** The document's limit is 60 calls for each credential: two tokens of one name are one subject with one credential. */
function manyTokens(): House['config']['tokens'] {
  const of = (name: Who, tenantId: string): House['config']['tokens'][number] => ({
    name,
    token: `token-of-${name}`,
    role: 'operator',
    tenantId,
    credential: 'shared_token',
  });
  return [of('admin', 'default'), of('editor', 'default'), of('editor2', 'default'), of('operator', 'default')].concat(
    of('other', 'other'),
  );
}

const body = { title: 'once', description: 'do it once' };

function create(key: string, options: { as?: Who; body?: unknown; on?: House } = {}): Promise<Reply> {
  const { as = 'editor', on = house } = options;
  const headers = { 'idempotency-key': key };
  return on.call('POST', '/v1/automation/tasks', { as, headers, body: options.body ?? body });
}

async function tasksOf(subject: string): Promise<number> {
  const [row] = await house.db.query<{ n: string }>('select count(*) as n from tasks where created_by = $1', [subject]);
  return Number(row?.n);
}

describe('equal automation requests under one key', () => {
  it('100 of them at once over two replicas make one task; all that are answered have its id [core-8.8, choices-9.6]', async () => {
    await using replica = await openHouse({ db: house.db, config: { tokens: manyTokens() } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => create('all at once', { as: 'admin', on: i % 2 === 0 ? house : replica })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(60);
    expect(new Set(made.map((answer) => answer.body.task_id)).size).toBe(1);
    expect(new Set(made.map((answer) => answer.body.run_id)).size).toBe(1);
    expect(made.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(59);
    // The others are over the sixty of their minute.
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    expect(await tasksOf('token:admin')).toBe(1);
  });

  it('of another meaning are refused with 422, and nothing is made [choices-9.5]', async () => {
    const first = await create('two meanings');
    const before = await tasksOf('token:editor');
    const other = await create('two meanings', { body: { ...body, title: 'twice' } });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const same = await create('two meanings', { body: { description: 'do it once', priority: 0, title: 'once' } });
    expect(same.body).toEqual(first.body);
    expect(same.headers.get('idempotency-replayed')).toBe('true');
    expect(await tasksOf('token:editor')).toBe(before);
  });

  it('are each subject’s and each tenant’s own [choices-9.2]', async () => {
    const answers = [
      await create('mine', { as: 'editor' }),
      await create('mine', { as: 'editor2' }),
      await create('mine', { as: 'other' }),
    ];
    expect(new Set(answers.map((answer) => answer.body.task_id)).size).toBe(3);
  });

  it('are known after a restart, and when the task is over [choices-9.3]', async () => {
    const first = await create('for long');
    await house.call('DELETE', `/v1/automation/tasks/${first.body.task_id}`, { as: 'editor' });
    await house.restart();
    const again = await create('for long');
    expect(again.body).toEqual({ ...first.body, status: 'cancelled' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
