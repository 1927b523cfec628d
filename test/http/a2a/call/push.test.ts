// A2A push notifications: configs, what is sent to them and in which order, and who may see them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { openReceiver, type Receiver } from '../../../support/peers/webhook-receiver.ts';
import { claimed, faults, message, openRpcStream, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openService({
    config: { egressAllow: ['127.0.0.1'], webhookBackoffSeconds: 0.02, webhookSecrets: ['signs-webhooks-alone'] },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const set = (taskId: string, config: Record<string, unknown>, as: 'editor' | 'editor2' | 'other' = 'editor') =>
  rpc(service, 'tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: config }, { as });

const states = (path: string): string[] => receiver.on(path).map(({ json }) => json.status.state);

describe('a push notification', () => {
  it('reports each change of status in order, as a task of v0.3, with token and authentication', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const config = {
      url: `${receiver.url}/all`,
      token: 'token-of-the-receiver',
      authentication: { schemes: ['Bearer'], credentials: 'credentials-of-the-receiver' },
    };
    expect((await set(task.id, config)).body.result).toEqual({
      taskId: task.id,
      pushNotificationConfig: { id: 'default', ...config },
    });
    const held = await claimed(worker, task.id);
    await worker.release(held, { status: 'needs_input', message: { text: 'which one?' } });
    await rpc(service, 'message/send', { message: message('this one', { taskId: task.id }) });
    const again = await claimed(worker, task.id);
    await worker.report(again, [{ type: 'artifact', n: 1, artifact_id: 'log', name: 'log', text: 'logged' }]);
    await worker.release(again, { status: 'completed', result: 'done' });
    await receiver.arrived('/all', 5);
    expect(states('/all')).toEqual(['working', 'input-required', 'submitted', 'working', 'completed']);
    for (const { json, headers } of receiver.on('/all')) {
      expect(faults('Task', json)).toEqual([]);
      expect(json).toMatchObject({ kind: 'task', id: task.id, contextId: task.contextId });
      expect(headers).toMatchObject({
        'x-a2a-notification-token': 'token-of-the-receiver',
        authorization: 'Bearer credentials-of-the-receiver',
        'content-type': 'application/json',
      });
      expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([]);
    }
    const [, inputRequired, , , done] = receiver.on('/all').map(({ json }) => json);
    expect(inputRequired.status.message.parts).toEqual([{ kind: 'text', text: 'which one?' }]);
    expect(inputRequired.artifacts ?? []).toEqual([]);
    expect(done.status.message.parts).toEqual([{ kind: 'text', text: 'done' }]);
    expect(done.artifacts).toMatchObject([{ artifactId: 'log', parts: [{ text: 'logged' }] }]);
  });

  it('is asked for by the send itself, durable with the task', async () => {
    const worker = await service.worker();
    const configuration = { pushNotificationConfig: { id: 'mine', url: `${receiver.url}/sent` } };
    const task = await sent(service, {}, { configuration });
    const { body } = await rpc(service, 'tasks/pushNotificationConfig/list', { id: task.id });
    expect(body.result).toEqual([
      { taskId: task.id, pushNotificationConfig: { id: 'mine', url: `${receiver.url}/sent` } },
    ]);
    await worker.release(await claimed(worker, task.id), {
      status: 'failed',
      error: { code: 'x', message: 'it broke' },
    });
    await receiver.arrived('/sent', 2);
    expect(states('/sent')).toEqual(['working', 'failed']);
  });

  it.each([
    ['v0.3', 'message/stream', 'pushNotificationConfig'],
    ['v1.0', 'SendStreamingMessage', 'taskPushNotificationConfig'],
  ])(
    'is asked for by a stream of %s too, whose client leaves after its first frame',
    async (version, method, member) => {
      const worker = await service.worker();
      const at = `/streamed-${version}`;
      const inputRequired =
        version === 'v0.3' ? message() : { messageId: at, role: 'ROLE_USER', parts: [{ text: 'do it' }] };
      const configuration = { [member]: { url: `${receiver.url}${at}`, token: 'token-of-the-stream' } };
      const stream = await openRpcStream(service, method, { message: inputRequired, configuration });
      const first = (await stream.next())?.data.result;
      await stream[Symbol.asyncDispose]();
      const held = await claimed(worker, first.id ?? first.task.id);
      await worker.release(held, { status: 'completed', result: 'done' });
      await receiver.arrived(at, 2);
      const tokens = receiver.on(at).map(({ headers }) => headers['x-a2a-notification-token']);
      expect(tokens).toEqual(['token-of-the-stream', 'token-of-the-stream']);
    },
  );

  it('is asked for by a message to a task that exists', async () => {
    const task = await sent(service);
    const configuration = { pushNotificationConfig: { url: `${receiver.url}/joined` } };
    await rpc(service, 'message/send', { message: message('more', { taskId: task.id }), configuration });
    await rpc(service, 'tasks/cancel', { id: task.id });
    await receiver.arrived('/joined');
    expect(states('/joined')).toEqual(['canceled']);
  });

  it('is not kept of a message that is refused, nor the message of a config that is', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const configs = () => service.db.query('select config_id from push_configs where task_id = $1', [task.id]);
    const more = (url: string) => ({
      message: message('more', { taskId: task.id }),
      configuration: { pushNotificationConfig: { id: 'with-message', url } },
    });
    for (let i = 0; i < 16; i += 1) await set(task.id, { id: `c${i}`, url: `${receiver.url}/full` });
    const full = await rpc(service, 'message/send', more(`${receiver.url}/full`));
    expect([full.body.error.code, (await configs()).length]).toEqual([-32602, 16]);
    expect((await rpc(service, 'tasks/get', { id: task.id })).body.result.history).toHaveLength(1);
    await rpc(service, 'tasks/pushNotificationConfig/delete', { id: task.id, pushNotificationConfigId: 'c0' });
    const guarded = await rpc(service, 'message/send', more('http://10.0.0.1/'));
    expect([guarded.body.error.code, (await configs()).length]).toEqual([-32602, 15]);
    await worker.release(await claimed(worker, task.id), { status: 'completed', result: 'done' });
    const lateReply = await rpc(service, 'message/send', more(`${receiver.url}/late`));
    expect(lateReply.body.error).toMatchObject({ code: -32602, data: { code: 'task_finished' } });
    expect(await configs()).toHaveLength(15);
    expect(await configs()).not.toContainEqual({ config_id: 'with-message' });
  });

  it('keeps its order behind one that fails, and stands beside the webhook of the same task', async () => {
    const worker = await service.worker();
    const metadata = { webhook_url: `${receiver.url}/beside` };
    const configuration = { pushNotificationConfig: { url: `${receiver.url}/answer-500-once/push` } };
    const task = await sent(service, { metadata }, { configuration });
    await worker.release(await claimed(worker, task.id), { status: 'completed', result: 'ok' });
    await receiver.arrived('/answer-500-once/push', 4);
    // Each is refused the first time; the second is not tried before the first has arrived.
    expect(states('/answer-500-once/push')).toEqual(['working', 'working', 'completed', 'completed']);
    const [webhook] = await receiver.arrived('/beside');
    expect(webhook?.json).toMatchObject({ event: 'task_completed', task_id: task.id });
    expect(webhook?.headers).not.toHaveProperty('authorization');
  });

  it('is a change of status in v1.0 to who registered in v1.0, beside a task of v0.3 to who did in that', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const authentication = { scheme: 'Basic', credentials: 'dTpw' };
    const params = { taskId: task.id, id: 'newer', url: `${receiver.url}/newer`, authentication };
    const headers = { 'a2a-version': '1.0' };
    const made = await rpc(service, 'CreateTaskPushNotificationConfig', params, { headers });
    expect(made.body.result).toMatchObject(params);
    await set(task.id, { id: 'older', url: `${receiver.url}/older` });
    const held = await claimed(worker, task.id);
    await worker.release(held, { status: 'completed', result: 'done' });
    const newer = await receiver.arrived('/newer', 2);
    expect(newer.map(({ json }) => json)).toMatchObject([
      { statusUpdate: { taskId: task.id, contextId: task.contextId, status: { state: 'TASK_STATE_WORKING' } } },
      {
        statusUpdate: {
          taskId: task.id,
          status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } },
        },
      },
    ]);
    for (const { headers: had } of newer) {
      expect(had).toMatchObject({ 'content-type': 'application/a2a+json', authorization: 'Basic dTpw' });
    }
    const older = await receiver.arrived('/older', 2);
    expect(older.map(({ json }) => json)).toMatchObject([
      { kind: 'task' },
      { kind: 'task', status: { state: 'completed' } },
    ]);
  });

  it('goes to each of a task’s configs, and no more to one that was deleted', async () => {
    const task = await sent(service);
    await set(task.id, { id: 'one', url: `${receiver.url}/one` });
    await set(task.id, { id: 'two', url: `${receiver.url}/two` });
    const gone = { id: task.id, pushNotificationConfigId: 'one' };
    expect((await rpc(service, 'tasks/pushNotificationConfig/delete', gone)).body.result).toBeNull();
    // Once more: what is not there is no error.
    expect((await rpc(service, 'tasks/pushNotificationConfig/delete', gone)).body.result).toBeNull();
    await rpc(service, 'tasks/cancel', { id: task.id });
    await receiver.arrived('/two');
    await until('all sent', async () => {
      const [left] = await service.db.query(`select from deliveries where status = 'pending'`);
      return left === undefined;
    });
    expect(receiver.on('/one')).toEqual([]);
  });

  it('reports the status to a config that is registered after the task asked or ended, once for each address', async () => {
    const worker = await service.worker();
    const task = await sent(service);
    const held = await claimed(worker, task.id);
    await set(task.id, { id: 'early', url: `${receiver.url}/early` });
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    await set(task.id, { id: 'early', url: `${receiver.url}/early` });
    await set(task.id, { id: 'late', url: `${receiver.url}/late` });
    await receiver.arrived('/late', 1);
    await rpc(service, 'tasks/cancel', { id: task.id });
    await receiver.arrived('/late', 2);
    await set(task.id, { id: 'last', url: `${receiver.url}/after-v03` });
    const v10 = { taskId: task.id, id: 'newer', url: `${receiver.url}/after-v10` };
    await rpc(service, 'CreateTaskPushNotificationConfig', v10);
    await receiver.arrived('/after-v03', 1);
    await receiver.arrived('/after-v10', 1);
    await receiver.arrived('/early', 2);
    expect(states('/early')).toEqual(['input-required', 'canceled']);
    expect(states('/late')).toEqual(['input-required', 'canceled']);
    expect(states('/after-v03')).toEqual(['canceled']);
    expect(receiver.on('/after-v10')[0]?.json).toMatchObject({
      statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } },
    });
  });

  it('of the end reaches whoever registers just as the task ends', async () => {
    const worker = await service.worker();
    for (let i = 0; i < 10; i += 1) {
      const task = await sent(service);
      const held = await claimed(worker, task.id);
      const ending =
        i % 2 === 0 ? worker.release(held, { status: 'completed' }) : rpc(service, 'tasks/cancel', { id: task.id });
      await Promise.all([ending, set(task.id, { url: `${receiver.url}/race-${i}` })]);
      await receiver.arrived(`/race-${i}`, 1);
      expect(states(`/race-${i}`)).toEqual([i % 2 === 0 ? 'completed' : 'canceled']);
    }
  });
});

describe('push configs', () => {
  it('are set, replaced by id, read and listed', async () => {
    const task = await sent(service);
    const get = async (params: object) => (await rpc(service, 'tasks/pushNotificationConfig/get', params)).body;
    expect((await get({ id: task.id })).error.code).toBe(-32001);
    await set(task.id, { url: `${receiver.url}/first` });
    await set(task.id, { url: `${receiver.url}/second` });
    await set(task.id, { id: 'other', url: `${receiver.url}/third` });
    expect((await get({ id: task.id })).result.pushNotificationConfig).toEqual({
      id: 'default',
      url: `${receiver.url}/second`,
    });
    expect((await get({ id: task.id, pushNotificationConfigId: 'other' })).result.pushNotificationConfig.url).toBe(
      `${receiver.url}/third`,
    );
    expect((await get({ id: task.id, pushNotificationConfigId: 'none' })).error.code).toBe(-32001);
    const { body } = await rpc(service, 'tasks/pushNotificationConfig/list', { id: task.id });
    expect(body.result).toHaveLength(2);
    expect(faults('ListTaskPushNotificationConfigSuccessResponse', body)).toEqual([]);
  });

  it('are the owner’s and an operator’s: others of the tenant are refused, other tenants find no task', async () => {
    const task = await sent(service);
    const config = { url: `${receiver.url}/owned`, token: 'a-secret-of-the-owner' };
    await set(task.id, config);
    expect((await set(task.id, config, 'editor2')).status).toBe(403);
    expect((await set(task.id, config, 'other')).body.error.code).toBe(-32001);
    for (const method of ['get', 'list', 'delete']) {
      const params = { id: task.id, pushNotificationConfigId: 'default' };
      const strange = await rpc(service, `tasks/pushNotificationConfig/${method}`, params, { as: 'editor2' });
      expect([method, strange.status]).toEqual([method, 403]);
      expect(JSON.stringify(strange.body)).not.toContain('a-secret-of-the-owner');
      const foreign = await rpc(service, `tasks/pushNotificationConfig/${method}`, params, { as: 'other' });
      expect([method, foreign.body.error.code]).toEqual([method, -32001]);
    }
    const operator = await rpc(service, 'tasks/pushNotificationConfig/list', { id: task.id }, { as: 'operator' });
    expect(operator.body.result).toHaveLength(1);
  });

  it('with a refused address, or what fits into no header, are -32602, on a send too, and no task is made', async () => {
    const task = await sent(service);
    for (const config of [
      { url: 'http://169.254.169.254/latest' },
      { url: 'http://[::ffff:10.0.0.1]/' },
      { url: 'ftp://example.com' },
      { url: 'http://user@example.com/' },
      { url: `${receiver.url}/x`, token: 'a\r\nb: c' },
      { url: `${receiver.url}/x`, authentication: { schemes: ['a b'] } },
    ]) {
      expect((await set(task.id, config)).body.error).toMatchObject({ code: -32602 });
    }
    const contextId = 'never-made';
    const configuration = { pushNotificationConfig: { url: 'http://10.0.0.1/' } };
    const refused = await rpc(service, 'message/send', { message: message('go', { contextId }), configuration });
    expect(refused.body.error).toMatchObject({ code: -32602 });
    expect((await rpc(service, 'tasks/list', { contextId })).body.result.tasks).toEqual([]);
  });

  it('are at most sixteen for a task', async () => {
    const task = await sent(service);
    for (let i = 0; i < 16; i += 1) await set(task.id, { id: `c${i}`, url: `${receiver.url}/many` });
    expect((await set(task.id, { id: 'one-more', url: `${receiver.url}/many` })).body.error.code).toBe(-32602);
    expect((await set(task.id, { id: 'c0', url: `${receiver.url}/replaced` })).body.result).toBeDefined();
  });

  it('are listed in pages over v1.0, each once, also where one goes meanwhile', async () => {
    const task = await sent(service);
    for (const id of ['c', 'a', 'd', 'b']) await set(task.id, { id, url: `${receiver.url}/many` });
    const list = async (params: object) => {
      const { body } = await rpc(service, 'ListTaskPushNotificationConfigs', { taskId: task.id, ...params });
      const { configs, nextPageToken } = body.result;
      return { ids: configs.map(({ id }: { id: string }) => id), pageToken: nextPageToken };
    };
    expect(await list({})).toEqual({ ids: ['a', 'b', 'c', 'd'], pageToken: undefined });
    const { ids, pageToken } = await list({ pageSize: 2 });
    expect(ids).toEqual(['a', 'b']);
    await rpc(service, 'DeleteTaskPushNotificationConfig', { taskId: task.id, id: 'b' });
    expect(await list({ pageSize: 2, pageToken })).toEqual({ ids: ['c', 'd'], pageToken: undefined });
    const { status, body } = await service.call(
      'GET',
      `/a2a/rest/tasks/${task.id}/pushNotificationConfigs?pageSize=1`,
      {
        as: 'editor',
        headers: { 'a2a-version': '1.0' },
      },
    );
    expect([status, body.configs.length, body.nextPageToken]).toEqual([200, 1, expect.any(String)]);
    const wrong = await rpc(service, 'ListTaskPushNotificationConfigs', { taskId: task.id, pageToken: '%' });
    expect(wrong.body.error).toMatchObject({ code: -32602, message: expect.stringContaining('/params/pageToken') });
  });

  it('go with their task, and their secrets stand in no row that is shown', async () => {
    const task = await sent(service);
    await set(task.id, { url: `${receiver.url}/shown`, token: 'a-token-not-shown' });
    await rpc(service, 'tasks/cancel', { id: task.id });
    await receiver.arrived('/shown');
    const rows = await service.db.query('select * from deliveries where task_id = $1', [task.id]);
    expect(JSON.stringify(rows)).not.toContain('a-token-not-shown');
    const shown = await rpc(service, 'tasks/get', { id: task.id });
    expect(JSON.stringify(shown.body)).not.toContain('a-token-not-shown');
    await service.db.query('delete from tasks where id = $1', [task.id]);
    expect(await service.db.query('select from push_configs where task_id = $1', [task.id])).toEqual([]);
  });
});
