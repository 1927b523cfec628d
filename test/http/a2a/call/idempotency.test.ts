// Messages that are sent again because their answer was lost: a repeated call is answered again, and makes nothing new.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ManualWorker, type TestService } from '../../../support/service.ts';
import { assertInvariants } from '../../../support/database/invariants.ts';
import { claimed, message, openRpcStream, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
/** Another replica. */
let there: TestService;
let worker: ManualWorker;
let keys = 0;
beforeAll(async () => {
  service = await openService();
  there = await openService({ db: service.db });
  worker = await service.worker({ slots: 20 });
});
afterAll(async () => {
  await assertInvariants(service.db);
  await there[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const key = () => ({ 'idempotency-key': `key-${(keys += 1)}` });

describe('a send with Idempotency-Key', () => {
  it('makes one task, answered anew with each call’s own id [choices-6.11, choices-9.3, choices-9.4, choices-9.10]', async () => {
    const headers = key();
    const params = { message: message() };
    const first = await rpc(service, 'message/send', params, { headers, id: 1 });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await rpc(service, 'tasks/cancel', { id: first.body.result.id });
    const again = await rpc(service, 'message/send', params, { headers, id: 'two' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({
      id: 'two',
      result: { id: first.body.result.id, status: { state: 'canceled' } },
    });
    expect(again.body.result.contextId).toBe(first.body.result.contextId);
  });

  it('is one task for the same messageId only with the key [choices-6.11]', async () => {
    const params = { message: message() };
    const ids = new Set<string>();
    for (let i = 0; i < 2; i += 1) ids.add((await rpc(service, 'message/send', params)).body.result.id);
    expect(ids.size).toBe(2);
  });

  it('may omit what the endpoint generates, and is still the same call', async () => {
    const headers = key();
    const params = { message: { parts: [{ type: 'text', content: 'once' }] } };
    const call = () => rpc(service, 'message/send', params, { headers, path: '/' });
    const [one, two] = [await call(), await call()];
    expect(two.body.result.task.id).toBe(one.body.result.task.id);
  });

  it('refuses the key for another meaning, in the protocol’s words [choices-3.4]', async () => {
    const headers = key();
    await rpc(service, 'message/send', { message: message('this') }, { headers });
    const other = await rpc(service, 'message/send', { message: message('that') }, { headers });
    expect(other).toMatchObject({
      status: 200,
      body: { error: { code: -32602, data: { code: 'idempotency_key_reused' } } },
    });
  });

  it('is another call on another path, by another method, of another caller [choices-9.2]', async () => {
    const headers = key();
    const params = { message: message() };
    const answers = [
      await rpc(service, 'message/send', params, { headers }),
      await rpc(service, 'message/send', params, { headers, path: '/v1/a2a' }),
      await rpc(service, 'message/send', params, { headers, as: 'operator' }),
      await rpc(service, 'message/send', params, { headers, as: 'other' }),
    ];
    expect(new Set(answers.map(({ body }) => body.result.id)).size).toBe(4);
  });

  it('is refused with a key that is none [choices-9.1]', async () => {
    for (const bad of ['', 'x'.repeat(256), 'caf\u00e9']) {
      const { body } = await rpc(
        service,
        'message/send',
        { message: message() },
        { headers: { 'idempotency-key': bad } },
      );
      expect(body.error.code).toBe(-32602);
    }
  });

  it('answers equal calls at the same time with one task [choices-9.6]', async () => {
    const headers = key();
    const params = { message: message() };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => rpc(service, 'message/send', params, { headers })),
    );
    expect(new Set(answers.map(({ body }) => body.result.id)).size).toBe(1);
  });
});

describe('a stream with Idempotency-Key', () => {
  it('subscribes when it is repeated, and goes on behind Last-Event-ID [choices-9.10]', async () => {
    const headers = key();
    const params = { message: message() };
    await using first = await openRpcStream(service, 'message/stream', params, { headers });
    const task = (await first.next())?.data.result;
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const held = await claimed(worker, task.id);
    await worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: 'hm' }]);
    await using again = await openRpcStream(service, 'message/stream', params, { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await again.next())?.data.result).toMatchObject({
      kind: 'task',
      id: task.id,
      status: { state: 'working' },
    });
    await worker.release(held, { status: 'completed' });
    expect((await again.rest()).map(({ id }) => id)).toEqual(['4']);
    await using cut = await openRpcStream(service, 'message/stream', params, {
      headers: { ...headers, 'last-event-id': '2' },
    });
    expect((await cut.rest()).map(({ id }) => id)).toEqual(['3', '4']);
  });
});

/** A task that asks its caller something. */
async function taskNeedingInput(): Promise<{ id: string }> {
  const task = await sent(service);
  await requestInput(task.id);
  return task;
}

async function requestInput(taskId: string): Promise<void> {
  await worker.release(await claimed(worker, taskId), { status: 'needs_input', message: { text: 'which?' } });
}

/** The caller's messages in a task, in order. */
async function userMessagesIn(taskId: string): Promise<string[]> {
  const { history } = (await rpc(there, 'tasks/get', { id: taskId })).body.result;
  const fromUser = history.filter(({ role }: { role: string }) => role === 'user');
  return fromUser.map(({ parts }: { parts: { text: string }[] }) => parts[0]?.text);
}

const repeats = [
  { by: 'Idempotency-Key', headers: key, fields: () => ({ messageId: undefined }), path: '/' },
  { by: 'its messageId', headers: () => ({}), fields: () => ({}), path: '/a2a/jsonrpc' },
];

describe.each(repeats)('a message to a task, known again by $by', ({ headers: headersOf, fields, path }) => {
  const answerTo = (task: { id: string }, text = 'this') => message(text, { taskId: task.id, ...fields() });

  it('answers a question once, and not the next one', async () => {
    const task = await taskNeedingInput();
    const params = { message: answerTo(task) };
    const call = (target: TestService) => rpc(target, 'message/send', params, { headers, path });
    const headers = headersOf();
    const first = await call(service);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(first.body.result.status.state).toBe('submitted');
    await requestInput(task.id);
    const again = await call(there);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.result).toMatchObject({ id: task.id, status: { state: 'input-required' } });
    expect(await userMessagesIn(task.id)).toEqual(['do it', 'this']);
  });

  it('is answered by how the task stands, finished too', async () => {
    const task = await taskNeedingInput();
    const params = { message: answerTo(task) };
    const headers = headersOf();
    await rpc(service, 'message/send', params, { headers, path });
    await worker.release(await claimed(worker, task.id), { status: 'completed', result: 'done' });
    const { body } = await rpc(there, 'message/send', params, { headers, path });
    expect(body.result.status.state).toBe('completed');
  });

  it('is taken once of many at once, at two replicas, and its agent gets it once', async () => {
    for (const state of ['asks', 'runs']) {
      const task = await sent(service);
      if (state === 'asks') await requestInput(task.id);
      else await claimed(worker, task.id);
      const params = { message: answerTo(task) };
      const headers = headersOf();
      const calls = [service, there, service, there, service, there].map((at) =>
        rpc(at, 'message/send', params, { headers, path }),
      );
      const answers = await Promise.all(calls);
      expect(answers.map(({ body }) => body.result.id)).toEqual(answers.map(() => task.id));
      expect(answers.filter(({ headers: fromUser }) => fromUser.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(await userMessagesIn(task.id)).toEqual(['do it', 'this']);
      const interventions = await service.db.query('select from interventions where task_id = $1', [task.id]);
      expect(interventions).toHaveLength(state === 'asks' ? 0 : 1);
    }
  });

  it('sets no push config again that was deleted meanwhile', async () => {
    const task = await taskNeedingInput();
    const configuration = { pushNotificationConfig: { url: 'https://example.com/push' } };
    const params = { message: answerTo(task), configuration };
    const headers = headersOf();
    await rpc(service, 'message/send', params, { headers, path });
    const config = { id: task.id, pushNotificationConfigId: 'default' };
    await rpc(service, 'tasks/pushNotificationConfig/delete', config);
    await rpc(service, 'message/send', params, { headers, path });
    const { body } = await rpc(service, 'tasks/pushNotificationConfig/list', { id: task.id });
    expect(body.result).toEqual([]);
  });

  it('subscribes where it is streamed, and goes on behind Last-Event-ID', async () => {
    const task = await taskNeedingInput();
    const params = { message: answerTo(task) };
    const headers = headersOf();
    {
      await using first = await openRpcStream(service, 'message/stream', params, { headers, path });
      expect((await first.next())?.id).toBe('5');
    }
    await worker.release(await claimed(worker, task.id), { status: 'completed' });
    const cut = { ...headers, 'last-event-id': '5' };
    await using again = await openRpcStream(there, 'message/stream', params, { headers: cut, path });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await again.rest()).map(({ id }) => id)).toEqual(['6', '7']);
  });
});

describe('a message to a task', () => {
  it('is another one under another id, in another task, or where the same id says something else', async () => {
    const [one, two] = [await taskNeedingInput(), await taskNeedingInput()];
    const first = message('this', { taskId: one.id });
    for (const input of [
      first,
      message('this', { taskId: one.id }),
      { ...first, parts: [{ kind: 'text', text: 'that' }] },
      { ...first, taskId: two.id },
    ]) {
      const { headers } = await rpc(service, 'message/send', { message: input });
      expect(headers.get('idempotency-replayed')).toBeNull();
    }
    expect(await userMessagesIn(one.id)).toEqual(['do it', 'this', 'this', 'that']);
    expect(await userMessagesIn(two.id)).toEqual(['do it', 'this']);
  });

  it('is refused under a key that was used for another, and nothing is added', async () => {
    const task = await taskNeedingInput();
    const headers = key();
    await rpc(service, 'message/send', { message: message('this', { taskId: task.id }) }, { headers });
    const other = await rpc(service, 'message/send', { message: message('that', { taskId: task.id }) }, { headers });
    expect(other.body.error).toMatchObject({ code: -32602, data: { code: 'idempotency_key_reused' } });
    expect(await userMessagesIn(task.id)).toEqual(['do it', 'this']);
  });

  it('that was refused leaves its key free', async () => {
    const task = await sent(service);
    await rpc(service, 'tasks/cancel', { id: task.id });
    const headers = key();
    const lateParams = { message: message('more', { taskId: task.id }) };
    for (const _ of [1, 2]) {
      const { body } = await rpc(service, 'message/send', lateParams, { headers });
      expect(body.error).toMatchObject({ code: -32602, data: { code: 'task_finished' } });
    }
    expect((await rpc(service, 'message/send', { message: message('new') }, { headers })).body.result.kind).toBe(
      'task',
    );
  });

  it('is known again over v1.0 and its REST', async () => {
    const task = await taskNeedingInput();
    const fromUser = { messageId: 'again', taskId: task.id, role: 'ROLE_USER', parts: [{ text: 'this' }] };
    const body = { message: fromUser, configuration: { returnImmediately: true } };
    const headers = { 'a2a-version': '1.0' };
    for (const replayed of [null, 'true']) {
      const answer = await service.call('POST', '/a2a/rest/message:send', { as: 'editor', body, headers });
      expect(answer.headers.get('idempotency-replayed')).toBe(replayed);
    }
    const { headers: rpcHeaders } = await rpc(there, 'SendMessage', body);
    expect(rpcHeaders.get('idempotency-replayed')).toBe('true');
    expect(await userMessagesIn(task.id)).toEqual(['do it', 'this']);
  });
});
