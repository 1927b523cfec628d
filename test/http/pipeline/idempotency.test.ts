// Idempotency-Key: a repeated request creates no second task, and a key means one request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply, type TestUser } from '../../support/service.ts';
import { assertInvariants } from '../../support/database/invariants.ts';

let service: TestService;
let codebase: string;
beforeAll(async () => {
  service = await openService();
  const worker = await service.worker({ codebases: [{ name: 'code', path: '/code' }] });
  codebase = worker.registered.codebases[0]?.codebase_id ?? '';
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

let keys = 0;
const freshKey = (): string => `key ${(keys += 1)}`;
const body = { title: 'once', prompt: 'do it', codebase_id: 'global' };

function submit(
  key: string,
  options: { as?: TestUser; body?: unknown; path?: string; on?: TestService } = {},
): Promise<ApiReply> {
  const { as = 'editor', on = service, path = '/v1/agent/tasks' } = options;
  return on.call('POST', path, { as, body: options.body ?? body, headers: { 'idempotency-key': key } });
}

async function taskCount(): Promise<number> {
  const [row] = await service.db.query<{ n: string }>('select count(*) as n from tasks');
  return Number(row?.n);
}

describe('an idempotency key', () => {
  it('creates one task for a repeated request, and marks the replayed answer [choices-9.3, choices-9.4]', async () => {
    const key = freshKey();
    const [first, before] = [await submit(key), await taskCount()];
    const again = await submit(key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: { task: { id: first.body.task.id } } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await taskCount()).toBe(before);
  });

  it('renders a replayed answer from the current state of the task [choices-9.3]', async () => {
    const key = freshKey();
    const { body: first } = await submit(key);
    await service.call('POST', `/v1/agent/tasks/${first.task.id}/cancel`);
    expect((await submit(key)).body.task).toMatchObject({ id: first.task.id, status: 'cancelled' });
  });

  it('ignores the order of members and omitted defaults [choices-9.3]', async () => {
    const key = freshKey();
    const first = await submit(key);
    const same = { codebase_id: 'global', priority: 0, prompt: 'do it', metadata: {}, title: 'once' };
    expect((await submit(key, { body: same })).body.task.id).toBe(first.body.task.id);
  });

  it('with another body is 422 and creates nothing [choices-9.5, choices-3.11]', async () => {
    const key = freshKey();
    await submit(key);
    const before = await taskCount();
    const other = await submit(key, { body: { ...body, priority: 1 } });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await taskCount()).toBe(before);
  });

  it('has 1 to 255 printable characters [choices-9.1]', async () => {
    const before = await taskCount();
    for (const key of ['', 'x'.repeat(256), 'a\tb', 'caf\u00e9']) {
      expect(await submit(key)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect(await taskCount()).toBe(before);
    for (const key of ['x'.repeat(255), '~', '{"a": 1}']) expect((await submit(key)).status).toBe(201);
  });

  it('is scoped to subject, tenant, method and path [choices-9.2]', async () => {
    const key = freshKey();
    const plain = { title: 'once', prompt: 'do it' };
    const answers = [
      await submit(key, { body: plain }),
      await submit(key, { body: plain, as: 'editor2' }),
      await submit(key, { body: plain, as: 'other' }),
      await submit(key, { body: plain, path: `/v1/agent/codebases/global/tasks` }),
      await submit(key, { body: plain, path: `/v1/agent/codebases/${codebase}/tasks` }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.task.id)).size).toBe(5);
  });

  it('works on every call that creates a task [choices-9.8]', async () => {
    const finished = await service.task();
    await service.call('POST', `/v1/agent/tasks/${finished.id}/cancel`);
    const worker = await service.worker({
      name: 'keeper',
      codebases: [{ codebase_id: codebase, name: 'c', path: '/c' }],
    });
    const session = { session_id: 'ses 1', title: 'a session' };
    const synced = { worker_id: worker.id, sessions: [session] };
    const path = `/v1/agent/codebases/${codebase}`;
    expect((await service.call('POST', `${path}/sessions/sync`, { as: 'agent', body: synced })).status).toBe(200);
    const calls: Record<string, unknown> = {
      '/v1/agent/tasks': body,
      [`${path}/tasks`]: { title: 't', prompt: 'p' },
      [`${path}/trigger`]: { prompt: 'p', agent: 'build' },
      [`${path}/sessions/ses%201/resume`]: { prompt: 'go on' },
      [`/v1/agent/tasks/${finished.id}/retry`]: {},
      [`/v1/agent/tasks/${finished.id}/follow-up`]: { message: 'Go on.' },
      '/v1/agent/codebases': { name: 'by path', path: '/somewhere' },
      '/v1/automation/tasks': { title: 't', description: 'd' },
    };
    // The A2A endpoint has a test of its own, and so have runs, PRD chats, cron jobs, objectives and bulk changes: their answers have another form.
    const creating = service.instance.operations.filter(
      ({ createsTask, renderError, path: at }) =>
        createsTask === true &&
        renderError === undefined &&
        !/^\/v1\/(ralph\/|cronjobs|okr\/|agent\/tasks\/bulk)/.test(at),
    );
    expect(creating).toHaveLength(Object.keys(calls).length);
    for (const [route, input] of Object.entries(calls)) {
      const key = freshKey();
      const [first, again] = [
        await submit(key, { path: route, body: input }),
        await submit(key, { path: route, body: input }),
      ];
      const id = (reply: ApiReply): string => reply.body.task?.id ?? reply.body.task_id;
      expect([route, first.status, id(again)]).toEqual([route, again.status, id(first)]);
      expect([route, again.headers.get('idempotency-replayed')]).toEqual([route, 'true']);
    }
  });

  it('sent by many concurrent requests creates one task; all get its id, one as the first answer [choices-9.6]', async () => {
    await using replica = await openService({ db: service.db });
    for (let round = 0; round < 6; round++) {
      const key = freshKey();
      const before = await taskCount();
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) => submit(key, { on: i % 2 === 0 ? service : replica })),
      );
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map((answer) => answer.body.task.id)).size).toBe(1);
      expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(await taskCount()).toBe(before + 1);
    }
  });

  it('sent by many concurrent, different requests accepts one and rejects the others [choices-9.5]', async () => {
    const key = freshKey();
    const before = await taskCount();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => submit(key, { body: { ...body, title: `t ${i}` } })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(9);
    expect(await taskCount()).toBe(before + 1);
  });

  it('is stored in the task’s transaction: a rejected request leaves no key [choices-9.7]', async () => {
    const key = freshKey();
    const missing = { ...body, codebase_id: '01890000-0000-7000-8000-000000000000' };
    expect((await submit(key, { body: missing })).status).toBe(404);
    expect(await service.db.query('select from idempotency_keys where key = $1', [key])).toEqual([]);
    expect((await submit(key)).status).toBe(201);
    const rows = await service.db.query(
      'select k.xmin = t.xmin as together from idempotency_keys k join tasks t on t.id = k.task_id where key = $1',
      [key],
    );
    expect(rows).toEqual([{ together: true }]);
  });

  it('replays after a restart [choices-9.3]', async () => {
    const key = freshKey();
    const first = await submit(key);
    await service.restart();
    const again = await submit(key);
    expect(again.body.task.id).toBe(first.body.task.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('expires after IDEMPOTENCY_HOURS, 48 here, with or without housekeeping [choices-9.9]', async () => {
    const key = freshKey();
    const first = await submit(key);
    const age = (hours: number): Promise<unknown> =>
      service.db.query(`update idempotency_keys set created_at = now() - make_interval(hours => $2) where key = $1`, [
        key,
        hours,
      ]);
    await age(47);
    expect((await submit(key)).body.task.id).toBe(first.body.task.id);
    await age(49);
    const later = await submit(key, { body: { ...body, title: 'another' } });
    expect(later.status).toBe(201);
    expect(later.body.task.id).not.toBe(first.body.task.id);
    expect(later.headers.get('idempotency-replayed')).toBeNull();
  });
});
