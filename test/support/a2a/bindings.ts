// Every way to call A2A: each version over each binding, with its own names and forms, and what it answers
// converted to one form. Tests ask all of them the same and compare.
import type { TestService, ApiReply, TestUser } from '../service.ts';
import { rpc } from './client.ts';

/** The outcome of an operation, in any binding: the facts of a task, a list, or the code of the error. */
export interface BindingOutcome {
  readonly http: 'ok' | number;
  readonly code?: number;
  readonly result?: unknown;
}

export interface Binding {
  readonly name: string;
  readonly version: '0.3' | '1.0';
  call(service: TestService, operation: OperationName, input: OperationInput, as?: TestUser): Promise<BindingOutcome>;
}

export type OperationName =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'push_set'
  | 'push_get'
  | 'push_list'
  | 'push_delete'
  | 'extended_card';

/** In v0.3's own words; each way writes them its own way. */
export interface OperationInput {
  readonly id?: unknown;
  readonly message?: Record<string, unknown>;
  readonly configuration?: Record<string, unknown>;
  readonly historyLength?: unknown;
  readonly contextId?: unknown;
  readonly url?: unknown;
  readonly configId?: string;
}

const v10Methods: Record<OperationName, string> = {
  send: 'SendMessage',
  stream: 'SendStreamingMessage',
  get: 'GetTask',
  list: 'ListTasks',
  cancel: 'CancelTask',
  subscribe: 'SubscribeToTask',
  push_set: 'CreateTaskPushNotificationConfig',
  push_get: 'GetTaskPushNotificationConfig',
  push_list: 'ListTaskPushNotificationConfigs',
  push_delete: 'DeleteTaskPushNotificationConfig',
  extended_card: 'GetExtendedAgentCard',
};
const v03Methods: Record<OperationName, string> = {
  send: 'message/send',
  stream: 'message/stream',
  get: 'tasks/get',
  list: 'tasks/list',
  cancel: 'tasks/cancel',
  subscribe: 'tasks/resubscribe',
  push_set: 'tasks/pushNotificationConfig/set',
  push_get: 'tasks/pushNotificationConfig/get',
  push_list: 'tasks/pushNotificationConfig/list',
  push_delete: 'tasks/pushNotificationConfig/delete',
  extended_card: 'agent/getAuthenticatedExtendedCard',
};

function v03Params(operation: OperationName, input: OperationInput): unknown {
  const { id, message, configuration, historyLength, contextId, url, configId } = input;
  switch (operation) {
    case 'send':
    case 'stream':
      return { message, configuration };
    case 'get':
      return { id, historyLength };
    case 'list':
      return { contextId, historyLength };
    case 'push_set':
      return { taskId: id, pushNotificationConfig: { url, id: configId } };
    case 'push_get':
    case 'push_delete':
      return { id, pushNotificationConfigId: configId };
    default:
      return { id };
  }
}

type Part = Record<string, unknown>;

function v10Message(input: OperationInput['message']): unknown {
  if (input === undefined) return undefined;
  const { kind: _kind, role, parts, ...message } = input;
  return {
    ...message,
    role: role === 'user' ? 'ROLE_USER' : role,
    parts: Array.isArray(parts) ? parts.map(({ kind: _of, ...part }: Part) => part) : parts,
  };
}

function v10Params(operation: OperationName, input: OperationInput): unknown {
  const { id, message, configuration, historyLength, contextId, url, configId } = input;
  switch (operation) {
    case 'send':
    case 'stream':
      return {
        message: v10Message(message),
        // The same wait: v0.3's default is v1.0's exception.
        configuration: { ...configuration, returnImmediately: true },
      };
    case 'get':
      return { id, historyLength };
    case 'list':
      return { contextId, historyLength };
    case 'push_set':
      return { taskId: id, url, id: configId };
    case 'push_get':
    case 'push_delete':
      return { taskId: id, id: configId };
    case 'push_list':
      return { taskId: id };
    default:
      return { id };
  }
}

function protoMessage(input: OperationInput['message']): unknown {
  if (input === undefined) return undefined;
  const { kind: _kind, role, parts, ...message } = input;
  return {
    ...message,
    role: role === 'user' ? 'ROLE_USER' : role,
    content: Array.isArray(parts)
      ? parts.map(({ kind: _of, data, ...part }: Part) => (data === undefined ? part : { ...part, data: { data } }))
      : parts,
  };
}

function routeOf(operation: OperationName, input: OperationInput): [method: string, path: string] {
  const task = `/tasks/${encodeURIComponent(String(input.id))}`;
  const push = `${task}/pushNotificationConfigs`;
  const query = new URLSearchParams();
  for (const name of ['historyLength', 'contextId'] as const) {
    if (input[name] !== undefined) query.set(name, JSON.stringify(input[name]).replaceAll('"', ''));
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const routes: Record<OperationName, [string, string]> = {
    send: ['POST', '/message:send'],
    stream: ['POST', '/message:stream'],
    get: ['GET', `${task}${search}`],
    list: ['GET', `/tasks${search}`],
    cancel: ['POST', `${task}:cancel`],
    subscribe: ['POST', `${task}:subscribe`],
    push_set: ['POST', push],
    push_get: ['GET', `${push}/${input.configId}`],
    push_list: ['GET', push],
    push_delete: ['DELETE', `${push}/${input.configId}`],
    extended_card: ['GET', '/card'],
  };
  return routes[operation];
}

function bodyOf(operation: OperationName, form: 'v03' | 'v10' | 'proto', input: OperationInput): unknown {
  if (operation === 'send' || operation === 'stream') {
    if (form === 'v10') return v10Params(operation, input);
    return form === 'v03'
      ? v03Params(operation, input)
      : { message: protoMessage(input.message), configuration: input.configuration };
  }
  if (operation !== 'push_set') return undefined;
  if (form === 'proto') return { config_id: input.configId, config: { push_notification_config: { url: input.url } } };
  return form === 'v03'
    ? { pushNotificationConfig: { url: input.url, id: input.configId } }
    : v10Params(operation, input);
}

async function overRpc(
  service: TestService,
  operation: OperationName,
  method: string,
  params: unknown,
  as: TestUser,
): Promise<BindingOutcome> {
  const reply = await rpc(service, method, params, { as });
  if (reply.status !== 200) return { http: reply.status };
  const body = firstOf(reply);
  return body.error === undefined
    ? { http: 'ok', result: plainOf(operation, body.result) }
    : { http: 'ok', code: body.error.code };
}

/** The answer, or the first frame of a stream. */
// oxlint-disable-next-line typescript/no-explicit-any
function firstOf(reply: ApiReply): any {
  if (typeof reply.body !== 'string' || !reply.body.includes('data: ')) return reply.body;
  return JSON.parse(/^data: (.*)$/m.exec(reply.body)?.[1] ?? '{}');
}

const codeByReason: Record<string, number> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_PARAMS: -32602,
  PARSE_ERROR: -32700,
  VERSION_NOT_SUPPORTED: -32009,
};

async function overRest(
  service: TestService,
  base: string,
  form: 'v03' | 'v10' | 'proto',
  operation: OperationName,
  input: OperationInput,
  as: TestUser,
): Promise<BindingOutcome> {
  const [method, path] = routeOf(operation, input);
  const body = bodyOf(operation, form, input);
  const headers: Record<string, string> = form === 'v10' ? { 'a2a-version': '1.0' } : {};
  const reply = await service.call(method, `${base}${path}`, { as, headers, ...(body === undefined ? {} : { body }) });
  if (reply.status < 300) return { http: 'ok', result: plainOf(operation, firstOf(reply)) };
  if (typeof reply.body.code === 'number') return { http: 'ok', code: reply.body.code };
  const reason = reply.body.error?.details?.[0]?.reason;
  return reason === undefined ? { http: reply.status } : { http: 'ok', code: codeByReason[reason] ?? 0 };
}

/** The facts of an answer, whatever its form. */
// oxlint-disable-next-line typescript/no-explicit-any
function plainOf(operation: OperationName, result: any): unknown {
  switch (operation) {
    case 'list':
      return { tasks: result.tasks.map(plainTask), total: result.totalSize };
    case 'push_set':
    case 'push_get':
      return plainPush(result);
    case 'push_list':
      return (Array.isArray(result) ? result : (result.configs ?? [])).map(plainPush);
    case 'push_delete':
      return {};
    case 'extended_card':
      return result.skills;
    default:
      return plainTask(result.task ?? result.statusUpdate ?? result);
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
function plainTask({ status, history = [], artifacts = [], metadata }: any): unknown {
  const state = String(status.state).replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return {
    state: state.replace('cancelled', 'canceled'),
    history: history.length,
    artifacts: artifacts.length,
    metadata,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
function plainPush(result: any): unknown {
  const { url, id } = result.pushNotificationConfig ?? result;
  return { url, id };
}

export const bindings: readonly Binding[] = [
  {
    name: 'v0.3 over JSON-RPC',
    version: '0.3',
    call: (service, operation, input, as = 'editor') =>
      overRpc(service, operation, v03Methods[operation], v03Params(operation, input), as),
  },
  {
    name: 'v1.0 over JSON-RPC',
    version: '1.0',
    call: (service, operation, input, as = 'editor') =>
      overRpc(service, operation, v10Methods[operation], v10Params(operation, input), as),
  },
  {
    name: 'the document’s REST',
    version: '0.3',
    call: (service, operation, input, as = 'editor') => overRest(service, '/a2a/rest', 'v03', operation, input, as),
  },
  {
    name: 'v0.3 over REST',
    version: '0.3',
    call: (service, operation, input, as = 'editor') =>
      overRest(service, '/a2a/rest/v1', 'proto', operation, input, as),
  },
  {
    name: 'v1.0 over REST',
    version: '1.0',
    call: (service, operation, input, as = 'editor') => overRest(service, '/a2a/rest', 'v10', operation, input, as),
  },
];
