// Idempotency-Key in automation: a request that a platform retries creates no second task.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type CallOptions, type TestService, type ApiReply } from '../../../support/service.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

const body = { title: 'once', description: 'do it once' };

function create(key: string, options: CallOptions & { on?: TestService } = {}): Promise<ApiReply> {
  const { on = service, ...rest } = options;
  return on.call('POST', '/v1/automation/tasks', { as: 'editor', body, headers: { 'idempotency-key': key }, ...rest });
}

async function tasksOf(subject: string): Promise<number> {
  const [row] = await service.db.query<{ n: string }>('select count(*) as n from tasks where created_by = $1', [
    subject,
  ]);
  return Number(row?.n);
}

describe('equal automation requests under one key', () => {
  it('create one task when 100 are sent at once to two replicas, with its id in every answer [core-8.8, choices-9.6]', async () => {
    await using replica = await openService({ db: service.db });
    // Two credentials of one subject: a hundred calls are more than one has in a minute.
    const made = await service.call('POST', '/v1/auth/api-keys', {
      as: 'editor2',
      body: { name: 'second', scopes: ['automation:*'] },
    });
    const tokens = [service.token('editor2'), made.body.key];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        create('all at once', { token: tokens[i % 2], on: i % 4 < 2 ? service : replica }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body.task_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.run_id)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(99);
    expect(await tasksOf('token:editor2')).toBe(1);
  });

  it('with other content are 422 and create nothing [choices-9.5]', async () => {
    const first = await create('two meanings');
    const before = await tasksOf('token:editor');
    const other = await create('two meanings', { body: { ...body, title: 'twice' } });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const same = await create('two meanings', { body: { description: 'do it once', priority: 0, title: 'once' } });
    expect(same.body).toEqual(first.body);
    expect(same.headers.get('idempotency-replayed')).toBe('true');
    expect(await tasksOf('token:editor')).toBe(before);
  });

  it('are scoped to subject and tenant [choices-9.2]', async () => {
    const answers = [
      await create('mine', { as: 'editor' }),
      await create('mine', { as: 'operator' }),
      await create('mine', { as: 'other' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.task_id)).size).toBe(3);
  });

  it('are replayed after a restart, and after the task has ended [choices-9.3]', async () => {
    const first = await create('for long');
    await service.call('DELETE', `/v1/automation/tasks/${first.body.task_id}`, { as: 'editor' });
    await service.restart();
    const again = await create('for long');
    expect(again.body).toEqual({ ...first.body, status: 'cancelled' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
