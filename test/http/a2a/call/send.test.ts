// message/send, tasks/get and tasks/cancel: a message becomes a task, or joins the exchange of one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { claimed, rpcPaths, faults, message, openRpcStream, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('message/send', () => {
  it.each(rpcPaths)(
    'makes a task on %s and answers it submitted [core-1.1, core-1.7, core-1.8, core-4.2.1, core-3.2.1]',
    async (path) => {
      // [core-4.2.2, core-4.2.3]
      for (const id of [7, 'seven', 0, '']) {
        const { status, body } = await rpc(service, 'message/send', { message: message() }, { path, id });
        expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', id]);
        expect(faults('SendMessageSuccessResponse', body)).toEqual([]);
        // [core-2.3.1, core-2.3.3, core-3.2.6, core-4.2.4]
        expect(body.result).toMatchObject({ kind: 'task', id: expect.any(String), status: { state: 'submitted' } });
      }
    },
  );

  it('accepts parts {text} of the legacy form [core-2.1.3]', async () => {
    const { body } = await rpc(service, 'message/send', {
      message: { role: 'user', messageId: 'm', parts: [{ text: 'first line\nsecond' }] },
    });
    const { task } = (await service.call('GET', `/v1/agent/tasks/${body.result.id}`)).body;
    expect(task).toMatchObject({ title: 'first line', prompt: 'first line\nsecond', status: 'pending' });
  });

  it('goes to the global codebase unless its metadata says otherwise [choices-3.38]', async () => {
    const task = await sent(service);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task.codebase_id).toBe('global');
  });

  it('is routed by metadata of the message or of the params [choices-6.2, choices-6.3, choices-6.4]', async () => {
    const worker = await service.worker();
    const made = await service.call('POST', '/v1/agent/codebases', {
      body: { name: 'lib', path: '/lib', worker_id: worker.id },
    });
    const wanted = {
      codebase_id: made.body.codebase.codebase_id,
      priority: 7,
      required_capabilities: ['deploy'],
      target_agent: 'pi',
      target_worker_id: worker.id,
      model: 'some:model',
      agent_type: 'build',
      deadline_at: '2100-01-01T00:00:00.000Z',
      max_attempts: 2,
      webhook_url: 'https://hooks.example.com/done',
    };
    const byMessage = await sent(service, { metadata: { ...wanted, ticket: 12 } });
    const byParams = await sent(service, {}, { metadata: { ...wanted, ticket: 12 } });
    for (const { id } of [byMessage, byParams]) {
      expect((await service.call('GET', `/v1/agent/tasks/${id}`)).body.task).toMatchObject(wanted);
    }
    expect(byMessage.history[0].metadata).toEqual({ ...wanted, ticket: 12 });
    expect((await service.call('GET', `/v1/agent/tasks/${byParams.id}`)).body.task.metadata).toEqual({ ticket: 12 });
    const both = await sent(service, { metadata: { priority: 3 } }, { metadata: { priority: 5 } });
    expect(both.metadata.priority).toBe(3);
  });

  it('keeps the context that it names, and creates one otherwise', async () => {
    const first = await sent(service);
    expect(first.contextId).toMatch(/^[0-9a-f-]{36}$/);
    const second = await sent(service, { contextId: first.contextId });
    expect([second.contextId === first.contextId, second.id === first.id]).toEqual([true, false]);
  });

  it('stores every kind of part, and returns it unchanged to the caller and the worker', async () => {
    const parts = [
      { kind: 'text', text: 'look at these' },
      { kind: 'file', file: { name: 'a.bin', mimeType: 'application/octet-stream', bytes: 'AAEC/w==' } },
      { kind: 'file', file: { uri: 'https://example.com/b.txt' }, metadata: { page: 2 } },
      { kind: 'data', data: { nested: { list: [1, null, 'x'] } } },
    ];
    const extra = { extensions: ['https://example.com/ext'], referenceTaskIds: ['t-1'], metadata: { a: 1 } };
    const task = await sent(service, { parts, ...extra });
    const got = await rpc(service, 'tasks/get', { id: task.id });
    expect(got.body.result.history[0]).toMatchObject({ parts, ...extra });
    const held = await claimed(await service.worker(), task.id);
    expect(held.task.messages[0]?.parts).toEqual([
      { text: 'look at these' },
      { file: { name: 'a.bin', mime_type: 'application/octet-stream', bytes: 'AAEC/w==' } },
      { file: { uri: 'https://example.com/b.txt' }, metadata: { page: 2 } },
      { data: { nested: { list: [1, null, 'x'] } } },
    ]);
    expect(held.task.prompt).toContain('[file a.bin, application/octet-stream]');
  });

  it('accepts a file of several megabytes, and rejects more than 16 MiB as HTTP 413 [choices-1.26]', async () => {
    const bytes = Buffer.alloc(6_000_000, 7).toString('base64');
    const task = await sent(service, { parts: [{ text: 'here' }, { kind: 'file', file: { bytes } }] });
    const got = await rpc(service, 'tasks/get', { id: task.id });
    expect(got.body.result.history[0].parts[1].file.bytes === bytes).toBe(true);
    const huge = `{"jsonrpc":"2.0","id":1,"method":"x","params":"${'x'.repeat(16 * 1024 * 1024)}"}`;
    expect(await rpc(service, '', {}, { raw: huge })).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it('waits for the outcome when it asks to block, and for a question too', async () => {
    const worker = await service.worker();
    const configuration = { blocking: true };
    for (const [release, state, text] of [
      [{ status: 'completed', result: 'it is done' }, 'completed', 'it is done'],
      [{ status: 'failed', error: { code: 'agent_exit', message: 'it broke' } }, 'failed', 'it broke'],
      [{ status: 'needs_input', message: { text: 'which one?' } }, 'input-required', 'which one?'],
    ] as const) {
      const contextId = `blocking-${state}`;
      const answered = rpc(service, 'message/send', { message: message('go', { contextId }), configuration });
      const held = await firstOf(contextId);
      await worker.release(await claimed(worker, held), release);
      const { body } = await answered;
      expect(body.result.status).toMatchObject({ state, message: { role: 'agent', parts: [{ kind: 'text', text }] } });
      expect(faults('Task', body.result)).toEqual([]);
    }
  });
});

/** Id of the one task of a context, as soon as there is one. */
async function firstOf(contextId: string): Promise<string> {
  for (;;) {
    const { body } = await rpc(service, 'tasks/list', { contextId });
    if (body.result.tasks.length > 0) return body.result.tasks[0].id;
  }
}

describe('a message to an existing task', () => {
  it('is added to the history of one that waits or runs', async () => {
    const task = await sent(service);
    const held = await claimed(await service.worker(), task.id);
    const { body } = await rpc(service, 'message/send', { message: message('and this', { taskId: task.id }) });
    expect(body.result).toMatchObject({ id: task.id, contextId: task.contextId, status: { state: 'working' } });
    expect(body.result.history.map((m: { parts: { text: string }[] }) => m.parts[0]?.text)).toEqual([
      'do it',
      'and this',
    ]);
    expect(held.task.id).toBe(task.id);
  });

  it('reaches the worker that the task is given to next: the first, or the next attempt', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const sendText = (text: string) => rpc(service, 'message/send', { message: message(text, { taskId: task.id }) });
    await sendText('while it waits');
    const first = await claimed(worker, task.id);
    await sendText('while it runs');
    await worker.release(first, { status: 'pending' });
    const second = await claimed(await service.worker({ name: 'another' }), task.id);
    const received = [first, second].map((held) => held.task.messages.map(({ parts }) => parts[0]));
    expect(received).toEqual([
      [{ text: 'do it' }, { text: 'while it waits' }],
      [{ text: 'do it' }, { text: 'while it waits' }, { text: 'while it runs' }],
    ]);
  });

  it('answers a question, and the task goes on with it [choices-2.11, choices-5.28]', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    await worker.release(await claimed(worker, task.id), { status: 'needs_input', message: { text: 'which?' } });
    const inputRequired = (await rpc(service, 'tasks/get', { id: task.id })).body.result;
    expect(inputRequired.status).toMatchObject({ state: 'input-required', message: { role: 'agent' } });
    expect(inputRequired.status.message.parts).toEqual([{ kind: 'text', text: 'which?' }]);
    const followUp = message('this', { taskId: task.id, contextId: task.contextId });
    expect((await rpc(service, 'message/send', { message: followUp })).body.result.status.state).toBe('submitted');
    const again = await claimed(worker, task.id);
    expect(again.task.messages.map(({ role }) => role)).toEqual(['user', 'agent', 'user']);
  });

  it('is refused by a finished one with -32602, by an unknown one with -32001 [choices-6.9]', async () => {
    const task = await sent(service);
    await rpc(service, 'tasks/cancel', { id: task.id });
    const lateReply = await rpc(service, 'message/send', { message: message('more', { taskId: task.id }) });
    expect(lateReply.body.error).toMatchObject({ code: -32602, data: { code: 'task_finished' } });
    for (const taskId of ['nonsense', '01a1fe54-4a4a-7000-89aa-ee8f27cb4186']) {
      const { body } = await rpc(service, 'message/send', { message: message('more', { taskId }) });
      expect(body.error.code).toBe(-32001);
    }
  });

  it('is refused with -32602 under another context than the task’s, and nothing is added', async () => {
    const task = await sent(service);
    const wrong = message('more', { taskId: task.id, contextId: 'another' });
    expect((await rpc(service, 'message/send', { message: wrong })).body.error.code).toBe(-32602);
    expect((await rpc(service, 'tasks/get', { id: task.id })).body.result.history).toHaveLength(1);
  });

  it('from somebody else needs the role operator: 403, as HTTP [choices-3.5]', async () => {
    const task = await sent(service);
    const params = { message: message('more', { taskId: task.id }) };
    const refused = await rpc(service, 'message/send', params, { as: 'editor2' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect((await rpc(service, 'message/send', params, { as: 'operator' })).status).toBe(200);
  });
});

describe('tasks/get', () => {
  it('answers every state of a task by its name here [core-3.2.2, core-3.2.3, core-3.2.4, core-4.2.6]', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const get = async (id: string) => (await rpc(service, 'tasks/get', { id }, { as: 'viewer' })).body.result;
    const held = await claimed(worker, task.id);
    expect((await get(task.id)).status.state).toBe('working');
    await worker.release(held, { status: 'completed', result: 'all good' });
    // [core-2.3.2]
    expect((await get(task.id)).status).toMatchObject({
      state: 'completed',
      message: { role: 'agent', parts: [{ kind: 'text', text: 'all good' }] },
    });
    const bad = await sent(service);
    await worker.release(await claimed(worker, bad.id), { status: 'failed', error: { code: 'x', message: 'no' } });
    expect((await get(bad.id)).status.state).toBe('failed');
  });

  it('names artifacts that are too large to come along by the address where each is read', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    const [large, small] = ['large one', 'small'].map((name) => ({ artifact_id: name, name, text: name }));
    await worker.release(held, { status: 'completed', artifacts: [large, small] });
    // As if it had come in many chunks: what counts is the sum that was kept of them.
    const grown = (mebibytes: number) =>
      service.db.query('update task_artifacts set size = $2 where task_id = $1 and name = $3', [
        task.id,
        mebibytes * 1024 * 1024,
        'large one',
      ]);
    await grown(33);
    const get = async () => (await rpc(service, 'tasks/get', { id: task.id })).body.result;
    const uri = `${service.url}/v1/agent/tasks/${task.id}/artifacts/large%20one`;
    const byAddress = [
      { artifactId: 'large one', parts: [{ kind: 'file', file: { uri } }] },
      { artifactId: 'small', parts: [{ kind: 'text', text: 'small' }] },
    ];
    expect((await get()).artifacts).toMatchObject(byAddress);
    const listed = await rpc(service, 'tasks/list', { contextId: task.contextId, includeArtifacts: true });
    expect(listed.body.result.tasks[0].artifacts).toMatchObject(byAddress);
    await using stream = await openRpcStream(service, 'tasks/resubscribe', { id: task.id });
    expect((await stream.next())?.data.result.artifacts).toMatchObject(byAddress);
    const read = () => service.call('GET', new URL(uri).pathname, { as: 'viewer' });
    expect((await read()).body.artifact).toMatchObject({ text: 'large one' });
    await grown(129);
    expect(await read()).toMatchObject({ status: 409, body: { code: 'artifact_too_large' } });
  });

  it('gives artifacts as text, file and data parts, chunks put together', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await worker.report(held, [
      { type: 'artifact', n: 1, artifact_id: 'log', name: 'log', text: 'one ' },
      { type: 'artifact', n: 2, artifact_id: 'log', name: 'log', text: 'two', append: true, last_chunk: true },
      { type: 'artifact', n: 3, artifact_id: 'bin', name: 'b.bin', mime_type: 'image/png', bytes: 'AAEC' },
      {
        type: 'artifact',
        n: 4,
        artifact_id: 'files',
        name: 'files',
        mime_type: 'application/json',
        data: [{ path: 'a' }],
      },
      { type: 'artifact', n: 5, artifact_id: 'page', name: 'page', mime_type: 'text/html', uri: 'https://example.com' },
    ]);
    const { body } = await rpc(service, 'tasks/get', { id: task.id });
    expect(faults('Task', body.result)).toEqual([]);
    expect(body.result.artifacts.map((a: { artifactId: string; parts: unknown }) => [a.artifactId, a.parts])).toEqual([
      ['log', [{ kind: 'text', text: 'one two' }]],
      ['bin', [{ kind: 'file', file: { name: 'b.bin', mimeType: 'image/png', bytes: 'AAEC' } }]],
      ['files', [{ kind: 'data', data: { value: [{ path: 'a' }] }, metadata: { data_part_compat: true } }]],
      ['page', [{ kind: 'file', file: { name: 'page', mimeType: 'text/html', uri: 'https://example.com' } }]],
    ]);
  });

  it('gives as much history as asked for', async () => {
    const task = await sent(service);
    for (const text of ['two', 'three']) {
      await rpc(service, 'message/send', { message: message(text, { taskId: task.id }) });
    }
    const lengthOf = async (historyLength?: number) =>
      (await rpc(service, 'tasks/get', { id: task.id, historyLength })).body.result.history?.length ?? 0;
    expect([await lengthOf(), await lengthOf(0), await lengthOf(2), await lengthOf(9)]).toEqual([3, 0, 2, 3]);
    expect((await rpc(service, 'tasks/get', { id: task.id, historyLength: -1 })).body.error.code).toBe(-32602);
  });

  it('says why a task waits', async () => {
    const task = await sent(service, { metadata: { required_capabilities: ['flying'] } });
    const { body } = await rpc(service, 'tasks/get', { id: task.id });
    expect(body.result.metadata.waiting_reason).toBe('no_worker_with_capability');
  });

  it('shows tasks of other protocols too, with their prompt as the first message', async () => {
    const made = await service.task({ prompt: 'from elsewhere' });
    const { body } = await rpc(service, 'tasks/get', { id: made.id });
    expect(faults('Task', body.result)).toEqual([]);
    expect(body.result).toMatchObject({ contextId: made.id, history: [{ parts: [{ text: 'from elsewhere' }] }] });
    await service.call('POST', `/v1/agent/tasks/${made.id}/cancel`);
  });
});

describe('tasks/cancel', () => {
  it('answers the task canceled, with one l, and a second time -32002 [core-3.2.5, core-4.2.7]', async () => {
    const task = await sent(service);
    const { body } = await rpc(service, 'tasks/cancel', { id: task.id });
    expect(faults('CancelTaskSuccessResponse', body)).toEqual([]);
    expect(body.result).toMatchObject({ id: task.id, status: { state: 'canceled' } });
    expect((await rpc(service, 'tasks/cancel', { id: task.id })).body.error.code).toBe(-32002);
  });

  it('reaches the worker that runs the task', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await rpc(service, 'tasks/cancel', { id: task.id });
    expect((await worker.heartbeat([held])).body.cancel).toEqual([task.id]);
  });
});
