// message/stream and tasks/resubscribe: the task as it stands, then each event of its log once, in order, to the end.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import {
  claimed,
  faults,
  message,
  openRpcStream,
  rpc,
  sent,
  type RpcFrame,
  type OpenStream,
} from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function following(stream: OpenStream): Promise<RpcFrame> {
  const frame = await stream.next();
  if (frame === undefined) throw new Error('the stream ended');
  expect(faults('SendStreamingMessageSuccessResponse', frame.data)).toEqual([]);
  return frame;
}

async function seqsOf(taskId: string): Promise<number[]> {
  const { body } = await service.call('GET', `/v1/agent/tasks/${taskId}/events?limit=1000`);
  return body.events.map(({ seq }: { seq: number }) => seq);
}

const everything = [
  { type: 'output', n: 1, stream: 'stdout', text: 'printed' },
  { type: 'progress', n: 2, percent: 40, message: 'half way' },
  { type: 'message', n: 3, role: 'agent', parts: [{ text: 'I will' }, { data: { plan: [1] } }] },
  { type: 'artifact', n: 4, artifact_id: 'a', name: 'a.txt', text: 'one ' },
  { type: 'artifact', n: 5, artifact_id: 'a', name: 'a.txt', text: 'two', append: true, last_chunk: true },
  { type: 'checkpoint', n: 6, data: { secret: 'of the agent' } },
];

describe('message/stream', () => {
  it('streams the task, then each event once and in order, then ends with final [core-4.2.5, core-6.2, choices-6.10]', async () => {
    const worker = await service.worker();
    await using stream = await openRpcStream(service, 'message/stream', { message: message() }, { id: 42 });
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const first = await following(stream);
    expect(first).toMatchObject({ id: '1', data: { jsonrpc: '2.0', id: 42, result: { kind: 'task' } } });
    const { id: taskId, contextId } = first.data.result;
    const held = await claimed(worker, taskId);
    await worker.report(held, everything);
    await worker.release(held, { status: 'completed', result: 'done', artifacts: [{ name: 'diff', text: '+1' }] });
    const frames = await stream.rest();
    for (const { data } of frames) expect(faults('SendStreamingMessageSuccessResponse', data)).toEqual([]);
    const results = frames.map(({ data }) => data.result);
    expect(results.map(({ kind, status, append, lastChunk }) => [kind, status?.state ?? [append, lastChunk]])).toEqual([
      ['status-update', 'working'],
      ['status-update', 'working'],
      ['status-update', 'working'],
      ['status-update', 'working'],
      ['artifact-update', [false, false]],
      ['artifact-update', [true, true]],
      ['status-update', 'working'],
      ['artifact-update', [false, true]],
      ['status-update', 'completed'],
    ]);
    for (const result of results) expect(result).toMatchObject({ taskId, contextId });
    expect(results.map(({ final }) => final)).toEqual([
      false,
      false,
      false,
      false,
      undefined,
      undefined,
      false,
      undefined,
      true,
    ]);
    expect(results.map(({ metadata }) => metadata?.event)).toEqual([
      'status',
      'output',
      'progress',
      'message',
      undefined,
      undefined,
      'checkpoint',
      undefined,
      'status',
    ]);
    expect(results[1].status.message.parts).toEqual([{ kind: 'text', text: 'printed' }]);
    expect(results[2]).toMatchObject({
      metadata: { percent: 40 },
      status: { message: { parts: [{ text: 'half way' }] } },
    });
    expect(results.at(-1).status.message.parts).toEqual([{ kind: 'text', text: 'done' }]);
    expect(JSON.stringify(results)).not.toContain('of the agent');
    expect([1, ...frames.map(({ id }) => Number(id))]).toEqual(await seqsOf(taskId));
  });

  it('ends at a question with final, which /send answers; the next stream goes on from there [choices-6.10]', async () => {
    const worker = await service.worker();
    await using firstStream = await openRpcStream(service, 'message/stream', { message: message() });
    const task = (await following(firstStream)).data.result;
    await worker.release(await claimed(worker, task.id), { status: 'needs_input', message: { text: 'which?' } });
    const question = (await firstStream.rest()).at(-1)?.data.result;
    expect(question).toMatchObject({ final: true, status: { state: 'input-required' } });
    const got = (await rpc(service, 'tasks/get', { id: task.id })).body.result;
    expect(question.status.message).toEqual(got.status.message);

    await using answered = await openRpcStream(service, 'message/stream', {
      message: message('this', { taskId: task.id }),
    });
    const snapshot = (await following(answered)).data.result;
    expect(snapshot).toMatchObject({ kind: 'task', id: task.id, status: { state: 'submitted' } });
    expect(snapshot.history).toHaveLength(3);
    await worker.release(await claimed(worker, task.id), { status: 'completed' });
    expect((await answered.rest()).at(-1)?.data.result).toMatchObject({ final: true, status: { state: 'completed' } });
  });

  it('does not touch the task when its client goes away', async () => {
    const worker = await service.worker();
    const stream = await openRpcStream(service, 'message/stream', { message: message() });
    const task = (await following(stream)).data.result;
    stream.leave();
    await worker.release(await claimed(worker, task.id), { status: 'completed', result: 'anyway' });
    expect((await rpc(service, 'tasks/get', { id: task.id })).body.result.status.state).toBe('completed');
  });

  it('answers a refusal as an ordinary error, before any event', async () => {
    const refused = await rpc(service, 'message/stream', { message: message('x', { taskId: 'nothing' }) });
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect(refused.body.error.code).toBe(-32001);
    const unsaid = await rpc(service, 'message/stream', { message: message('x', { parts: [] }) });
    expect(unsaid.body.error.code).toBe(-32602);
  });
});

describe('the task at the beginning of a send’s stream', () => {
  it.each([
    ['message/stream', { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'more' }] }],
    ['SendStreamingMessage', { role: 'ROLE_USER', parts: [{ text: 'more' }] }],
  ])('has as many messages as %s asks for', async (method, more) => {
    const { id: taskId } = await sent(service);
    const begins = async (historyLength: number) => {
      const params = { message: { ...more, messageId: `m${historyLength}`, taskId }, configuration: { historyLength } };
      await using stream = await openRpcStream(service, method, params);
      const { result } = (await stream.next())?.data ?? {};
      return (result.task ?? result).history?.map(({ messageId }: { messageId: string }) => messageId);
    };
    expect(await begins(0)).toBeUndefined();
    expect(await begins(1)).toEqual(['m1']);
    expect(await begins(2)).toEqual(['m1', 'm2']);
  });
});

describe('tasks/resubscribe', () => {
  it('begins with the current task and its artifacts, and continues live; tasks/subscribe is its other name', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await worker.report(held, everything.slice(0, 4));
    await using one = await openRpcStream(service, 'tasks/resubscribe', { id: task.id });
    await using two = await openRpcStream(service, 'tasks/subscribe', { id: task.id }, { path: '/' });
    const [first, same] = [await following(one), await following(two)];
    expect(first).toEqual(same);
    expect(first).toMatchObject({ id: '6', data: { result: { artifacts: [{ parts: [{ text: 'one ' }] }] } } });
    await worker.report(held, everything.slice(4));
    await worker.release(held, { status: 'failed', error: { code: 'agent_exit', message: 'exit 1' } });
    const frames = await one.rest();
    expect(frames.map(({ id }) => id)).toEqual(['7', '8', '9']);
    expect(frames.at(-1)?.data.result).toMatchObject({ final: true, status: { state: 'failed' } });
    expect(await two.rest()).toEqual(frames);
  });

  it('does not repeat a message that arrives while the task is read, in the snapshot and as an event', async () => {
    const task = await sent(service);
    const writer = new pg.Client(service.db.superuser);
    await writer.connect();
    await writer.query('begin');
    await writer.query('lock table later_messages in access exclusive mode');
    const opening = openRpcStream(service, 'tasks/resubscribe', { id: task.id });
    await until('the reader waits', async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await service.db.query(waiting)).length > 0;
    });
    const added = { message_id: 'just-then', parts: [{ text: 'and this' }] };
    await writer.query('select add_task_message($1, $2, $3)', ['default', task.id, JSON.stringify(added)]);
    await writer.query('commit');
    await writer.end();
    await using stream = await opening;
    const first = await following(stream);
    await rpc(service, 'tasks/cancel', { id: task.id });
    const frames = [
      ...first.data.result.history,
      ...(await stream.rest()).map(({ data }) => data.result.status.message),
    ];
    expect(frames.filter((spoken) => spoken?.messageId === 'just-then')).toHaveLength(1);
  });

  it('resumes after Last-Event-ID without a snapshot, every event once, wherever it was cut', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await worker.report(held, everything);
    await worker.release(held, { status: 'completed', result: 'done' });
    const from = async (lastEventId: string) => {
      await using stream = await openRpcStream(
        service,
        'tasks/resubscribe',
        { id: task.id },
        { headers: { 'last-event-id': lastEventId } },
      );
      return await stream.rest();
    };
    const all = await from('0');
    expect(all.map(({ id }) => Number(id))).toEqual(await seqsOf(task.id));
    for (let cut = 1; cut < all.length; cut += 1) expect(await from(String(cut))).toEqual(all.slice(cut));
  });

  it('resumes after a restart of the service', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await using before = await openRpcStream(service, 'tasks/resubscribe', { id: task.id });
    await following(before);
    await worker.report(held, everything.slice(0, 2));
    await following(before);
    const last = await following(before);
    await service.restart();
    await worker.report(held, everything.slice(2));
    await worker.release(held, { status: 'completed' });
    await using after = await openRpcStream(
      service,
      'tasks/resubscribe',
      { id: task.id },
      { headers: { 'last-event-id': last.id ?? '' } },
    );
    const ids = (await after.rest()).map(({ id }) => Number(id));
    expect(ids).toEqual((await seqsOf(task.id)).filter((seq) => seq > Number(last.id)));
  });

  it('of a finished task has the task, then a final frame', async () => {
    const task = await sent(service);
    await rpc(service, 'tasks/cancel', { id: task.id });
    await using stream = await openRpcStream(service, 'tasks/resubscribe', { id: task.id });
    const frames = await stream.rest();
    expect(frames.map(({ data }) => [data.result.kind, data.result.status.state, data.result.final])).toEqual([
      ['task', 'canceled', undefined],
      ['status-update', 'canceled', true],
    ]);
  });

  it('with a cursor at the end still ends with a final frame, after late events', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await rpc(service, 'tasks/cancel', { id: task.id });
    await worker.report(held, [{ type: 'artifact', n: 1, artifact_id: 'late', name: 'late', text: 'kept' }]);
    const headers = { 'last-event-id': '3' };
    await using stream = await openRpcStream(service, 'tasks/resubscribe', { id: task.id }, { headers });
    expect((await stream.rest()).map(({ id, data }) => [id, data.result.kind, data.result.final])).toEqual([
      ['4', 'artifact-update', undefined],
      ['4', 'status-update', true],
    ]);
  });

  it.each(['99', 'nonsense', '-1', '1.5'])(
    'with Last-Event-ID %s, which no log has, begins with a snapshot',
    async (id) => {
      const task = await sent(service);
      await using stream = await openRpcStream(
        service,
        'tasks/resubscribe',
        { id: task.id },
        { headers: { 'last-event-id': id } },
      );
      expect((await following(stream)).data.result).toMatchObject({ kind: 'task', id: task.id });
    },
  );

  it.each([
    ['POST', '/a2a/jsonrpc', 'tasks/resubscribe'],
    ['POST', '/a2a/jsonrpc', 'SubscribeToTask'],
    ['POST', '/a2a/rest/tasks/:id:subscribe', undefined],
    ['GET', '/a2a/rest/v1/tasks/:id:subscribe', undefined],
    ['GET', '/v1/agent/tasks/:id/events', undefined],
  ])('begins at once for a client that has every event: %s %s %s', async (verb, path, method) => {
    const worker = await service.worker();
    const { id } = await sent(service);
    const held = await claimed(worker, id);
    const headers = {
      authorization: `Bearer ${service.token('editor')}`,
      accept: 'text/event-stream',
      'last-event-id': '2',
    };
    const firstStream =
      method === undefined
        ? { method: verb, headers }
        : {
            method: verb,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id } }),
          };
    const response = await fetch(`${service.url}${path.replace(':id', id)}`, firstStream);
    // Nothing has happened yet: the answer has begun all the same.
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await worker.release(held, { status: 'completed' });
    expect(await response.text()).toMatch(/^id: 3\n/);
  });

  it('continues past a question that was answered meanwhile', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    await worker.release(await claimed(worker, task.id), { status: 'needs_input', message: { text: 'which?' } });
    await rpc(service, 'message/send', { message: message('this', { taskId: task.id }) });
    await worker.release(await claimed(worker, task.id), { status: 'completed' });
    await using stream = await openRpcStream(
      service,
      'tasks/resubscribe',
      { id: task.id },
      { headers: { 'last-event-id': '1' } },
    );
    const results = (await stream.rest()).map(({ data }) => data.result);
    expect(results.map(({ status, final, metadata }) => [metadata.event, status.state, final])).toEqual([
      ['status', 'working', false],
      ['status', 'input-required', false],
      ['message', 'input-required', false],
      ['status', 'submitted', false],
      ['status', 'working', false],
      ['status', 'completed', true],
    ]);
    expect(results[2].status.message).toMatchObject({ role: 'user', parts: [{ text: 'this' }] });
  });
});
