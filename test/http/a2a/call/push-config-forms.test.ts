// A push config as callers of each version write it: what an empty member means, and both spellings of a proto file.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService, type ApiReply } from '../../../support/service.ts';
import { message, sent } from '../../../support/a2a/client.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { egressAllow: ['hooks.example.org'] } });
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'http://hooks.example.org/a';
type Config = Record<string, unknown>;

/** One way to bring a config: alone, or with the message that makes its task. */
interface ConfigForm {
  readonly name: string;
  readonly version: '0.3' | '1.0';
  readonly create: (taskId: string, config: Config) => Promise<ApiReply>;
}

const jsonRpc = (method: string, params: unknown): Promise<ApiReply> =>
  service.call('POST', '/a2a/jsonrpc', { as: 'editor', body: { jsonrpc: '2.0', id: 1, method, params } });
const rest = (path: string, body: unknown, version?: string): Promise<ApiReply> =>
  service.call('POST', path, {
    as: 'editor',
    body,
    headers: version === undefined ? {} : { 'a2a-version': version },
  });
const v10Message = (): unknown => ({ ...message(), kind: undefined, role: 'ROLE_USER', parts: [{ text: 'do it' }] });
const protoMessage = (): unknown => ({
  ...message(),
  kind: undefined,
  role: 'ROLE_USER',
  content: [{ text: 'do it' }],
});
const below = (base: string, taskId: string): string => `${base}/tasks/${taskId}/pushNotificationConfigs`;
const at = { returnImmediately: true };

const configForms: readonly ConfigForm[] = [
  {
    name: 'v0.3 JSON-RPC, set',
    version: '0.3',
    create: (taskId, config) => jsonRpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: config }),
  },
  {
    name: 'v0.3 JSON-RPC, send',
    version: '0.3',
    create: (_, config) =>
      jsonRpc('message/send', { message: message(), configuration: { pushNotificationConfig: config } }),
  },
  {
    name: 'v1.0 JSON-RPC, set',
    version: '1.0',
    create: (taskId, config) => jsonRpc('CreateTaskPushNotificationConfig', { taskId, ...config }),
  },
  {
    name: 'v1.0 JSON-RPC, send',
    version: '1.0',
    create: (_, config) =>
      jsonRpc('SendMessage', { message: v10Message(), configuration: { ...at, taskPushNotificationConfig: config } }),
  },
  {
    name: 'v1.0 JSON-RPC in snake_case, send',
    version: '1.0',
    create: (_, config) =>
      jsonRpc('SendMessage', {
        message: v10Message(),
        configuration: { return_immediately: true, task_push_notification_config: config },
      }),
  },
  {
    name: 'v1.0 REST, set',
    version: '1.0',
    create: (taskId, config) => rest(below('/a2a/rest', taskId), config, '1.0'),
  },
  {
    name: 'v1.0 REST, send',
    version: '1.0',
    create: (_, config) =>
      rest(
        '/a2a/rest/message:send',
        { message: v10Message(), configuration: { ...at, taskPushNotificationConfig: config } },
        '1.0',
      ),
  },
  {
    name: 'the document’s REST, set',
    version: '0.3',
    create: (taskId, config) => rest(below('/a2a/rest', taskId), { pushNotificationConfig: config }),
  },
  {
    name: 'the document’s REST, send',
    version: '0.3',
    create: (_, config) =>
      rest('/a2a/rest/message:send', { message: message(), configuration: { pushNotificationConfig: config } }),
  },
  {
    name: 'v0.3 REST, set in snake_case',
    version: '0.3',
    create: (taskId, config) =>
      rest(below('/a2a/rest/v1', taskId), { config_id: 'default', config: { push_notification_config: config } }),
  },
  {
    name: 'v0.3 REST, set in camelCase',
    version: '0.3',
    create: (taskId, config) =>
      rest(below('/a2a/rest/v1', taskId), { configId: 'default', config: { pushNotificationConfig: config } }),
  },
  {
    name: 'v0.3 REST, the config alone',
    version: '0.3',
    create: (taskId, config) => rest(below('/a2a/rest/v1', taskId), config),
  },
  {
    name: 'v0.3 REST, send',
    version: '0.3',
    create: (_, config) =>
      rest('/a2a/rest/v1/message:send', { message: protoMessage(), configuration: { push_notification: config } }),
  },
];

const nothing: readonly unknown[] = [
  {},
  null,
  { schemes: [] },
  { schemes: null },
  { scheme: '' },
  { schemes: [], credentials: '' },
  { schemes: null, scheme: null, credentials: null },
];

/** The config of the task that an answer is about, in the form of the older version. */
async function registered(taskId: string): Promise<Config> {
  const { body } = await jsonRpc('tasks/pushNotificationConfig/get', { id: taskId });
  expect(body).toMatchObject({ result: { taskId } });
  return body.result.pushNotificationConfig;
}

/** The task that was sent, or the one that was named. */
function taskOf({ body }: ApiReply, named: string): string {
  const result = body.result ?? body;
  const task = result.task ?? result;
  return task.status === undefined ? named : task.id;
}

describe.each(configForms)('a push config by $name', ({ version, create }) => {
  it.each(nothing)('with %j as its authentication has none [choices-6.22]', async (authentication) => {
    const task = await sent(service);
    const reply = await create(task.id, { id: 'default', url, token: null, authentication });
    expect([reply.status, reply.body.error]).toEqual([200, undefined]);
    expect(await registered(taskOf(reply, task.id))).toEqual({ id: 'default', url });
  });

  it('keeps the scheme that it names', async () => {
    const task = await sent(service);
    const authenticationInfo = version === '1.0' ? { scheme: 'Bearer' } : { schemes: ['Bearer'] };
    const reply = await create(task.id, { url, authentication: { ...authenticationInfo, credentials: 'receives' } });
    expect(await registered(taskOf(reply, task.id))).toMatchObject({
      authentication: { schemes: ['Bearer'], credentials: 'receives' },
    });
  });

  it('with credentials and no scheme is refused: they would never be sent', async () => {
    const task = await sent(service);
    for (const authentication of [
      { credentials: 'c' },
      { credentials: 'c', schemes: [] },
      { credentials: 'c', scheme: '' },
    ]) {
      const { body } = await create(task.id, { url, authentication });
      expect(JSON.stringify(body)).toMatch(/-32602|INVALID_PARAMS/);
      expect(JSON.stringify(body)).toContain('names no scheme');
    }
  });
});
