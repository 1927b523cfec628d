// The older forms that the document keeps, as a caller with nothing but curl sends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partToV03, sendParamsToV03, wantsLegacyWrapper } from '../../../../src/http/a2a/v0_3/params-to-v03.ts';
import { openService, type TestService } from '../../../support/service.ts';
import { claimed, faults, rpc } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const legacy = { parts: [{ type: 'text', content: 'say hello' }] };

describe('a message of {type, content} parts', () => {
  it.each(['/', '/v1/a2a'])(
    'is answered on %s with the wrapper, its role and id made up [core-2.1.2, core-2.1.4, core-2.3.4, choices-6.5]',
    async (path) => {
      const { body } = await rpc(service, 'message/send', { message: legacy }, { path });
      expect(body.result.task).toMatchObject({ id: expect.any(String), status: { state: 'submitted' } });
      expect(faults('Task', body.result.task)).toEqual([]);
      expect(body.result.message.parts).toEqual([{ type: 'text', content: expect.stringContaining('submitted') }]);
      const { task } = (await service.call('GET', `/v1/agent/tasks/${body.result.task.id}`)).body;
      expect(task.prompt).toBe('say hello');
    },
  );

  it('gets the agent’s result in the wrapper when it waits for it', async () => {
    const worker = await service.worker();
    const waiting = rpc(
      service,
      'message/send',
      { message: { ...legacy, contextId: 'wrapped' }, configuration: { blocking: true } },
      { path: '/' },
    );
    let taskId: string | undefined;
    while (taskId === undefined) {
      taskId = (await rpc(service, 'tasks/list', { contextId: 'wrapped' })).body.result.tasks[0]?.id;
    }
    await worker.release(await claimed(worker, taskId), { status: 'completed', result: 'hello' });
    const { body } = await waiting;
    expect(body.result).toMatchObject({
      task: { status: { state: 'completed' } },
      message: { parts: [{ type: 'text', content: 'hello' }] },
    });
  });

  it('is accepted on /a2a/jsonrpc too, answered by the task itself, with id and role required [choices-6.6, choices-6.8]', async () => {
    const fullMessage = { ...legacy, role: 'user', messageId: 'm' };
    expect((await rpc(service, 'message/send', { message: fullMessage })).body.result).toMatchObject({ kind: 'task' });
    for (const message of [legacy, { ...legacy, role: 'user' }, { ...legacy, messageId: 'm' }]) {
      expect((await rpc(service, 'message/send', { message })).body.error.code).toBe(-32602);
    }
  });
});

describe('a message of {text} parts', () => {
  it('may omit its id on the older paths, never its role [choices-6.7]', async () => {
    for (const path of ['/', '/v1/a2a']) {
      const named = await rpc(
        service,
        'message/send',
        { message: { role: 'user', parts: [{ text: 'hi' }] } },
        { path },
      );
      expect(named.body.result).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
      const nobody = await rpc(service, 'message/send', { message: { parts: [{ text: 'hi' }] } }, { path });
      expect(nobody.body.error.code).toBe(-32602);
    }
    const strict = await rpc(service, 'message/send', { message: { role: 'user', parts: [{ text: 'hi' }] } });
    expect(strict.body.error).toMatchObject({
      code: -32602,
      data: { errors: [{ path: '/params/message/messageId' }] },
    });
  });
});

describe('the older forms of a part', () => {
  it.each([
    [{ text: 'a' }, { kind: 'text', text: 'a' }],
    [
      { type: 'text', content: 'a' },
      { kind: 'text', text: 'a' },
    ],
    [
      { type: 'text', text: 'a' },
      { kind: 'text', text: 'a' },
    ],
    [
      { kind: 'text', text: 'a', metadata: null },
      { kind: 'text', text: 'a' },
    ],
    [{ data: { a: null } }, { kind: 'data', data: { a: null } }],
    [{ file: { uri: 'u', bytes: null } }, { kind: 'file', file: { uri: 'u' } }],
    [
      { type: 'file', file: { bytes: 'AA==' } },
      { kind: 'file', file: { bytes: 'AA==' } },
    ],
  ])('%j is %j', (older, modern) => {
    expect(partToV03(older)).toEqual(modern);
  });

  it.each([[null], ['text'], [7], [[]], [{}], [{ type: 'text', content: 7 }], [{ type: 'image', content: 'x' }]])(
    '%j is none, and stays as it is',
    (part) => {
      expect(partToV03(part)).toEqual(part);
    },
  );

  it.each([[undefined], [null], [[]], ['x'], [{ message: null }], [{ message: [] }], [{ message: { parts: 7 } }]])(
    'params %j are left for the schema to refuse',
    (params) => {
      expect(() => sendParamsToV03(params, '/', () => 'made')).not.toThrow();
      expect(wantsLegacyWrapper(params, '/')).toBe(false);
    },
  );
});
