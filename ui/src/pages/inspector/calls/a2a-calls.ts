// The actions of the A2A protocol: each as a request of the chosen version over the chosen binding.
import { inspectorWords as words } from '../../../words/service/en-inspector.ts';
import type { Callable, CallField } from './callable.ts';
import { printJson } from './json.ts';
import type { A2aBinding, A2aVersion } from './protocol-versions.ts';
import { restCalls } from './rest-calls.ts';

type Json = Readonly<Record<string, unknown>>;

interface Action {
  readonly name: keyof typeof words.a2aActions;
  readonly permission: string;
  readonly methods: Readonly<Record<A2aVersion, string>>;
  readonly params: (version: A2aVersion) => Json;
  /** Members of the params with a field; `message` is the text of the message's first part. */
  readonly fields: readonly string[];
  readonly isStream?: true;
}

const messageFields = ['message', 'message.taskId', 'message.contextId', 'metadata.codebase_id', 'metadata.priority'];
const pushOf = (config: Json): ((version: A2aVersion) => Json) => {
  return (version) => (version === '1.0' ? { taskId: '', ...config } : { taskId: '', pushNotificationConfig: config });
};
const oneConfig = (version: A2aVersion): Json =>
  version === '1.0' ? { taskId: '', id: 'default' } : { id: '', pushNotificationConfigId: 'default' };
const byTask = (version: A2aVersion): Json => (version === '1.0' ? { taskId: '' } : { id: '' });

const actions: readonly Action[] = [
  {
    name: 'send',
    permission: 'a2a:write',
    methods: { '1.0': 'SendMessage', '0.3': 'message/send' },
    params: messageParams,
    fields: messageFields,
  },
  {
    name: 'stream',
    permission: 'a2a:write',
    methods: { '1.0': 'SendStreamingMessage', '0.3': 'message/stream' },
    params: messageParams,
    fields: messageFields,
    isStream: true,
  },
  {
    name: 'subscribe',
    permission: 'a2a:read',
    methods: { '1.0': 'SubscribeToTask', '0.3': 'tasks/resubscribe' },
    params: () => ({ id: '' }),
    fields: ['id'],
    isStream: true,
  },
  {
    name: 'get',
    permission: 'a2a:read',
    methods: { '1.0': 'GetTask', '0.3': 'tasks/get' },
    params: () => ({ id: '' }),
    fields: ['id', 'historyLength'],
  },
  {
    name: 'list',
    permission: 'a2a:read',
    methods: { '1.0': 'ListTasks', '0.3': 'tasks/list' },
    params: () => ({ pageSize: 20 }),
    fields: ['pageSize', 'pageToken', 'contextId'],
  },
  {
    name: 'cancel',
    permission: 'a2a:write',
    methods: { '1.0': 'CancelTask', '0.3': 'tasks/cancel' },
    params: () => ({ id: '' }),
    fields: ['id'],
  },
  {
    name: 'push_set',
    permission: 'a2a:write',
    methods: { '1.0': 'CreateTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/set' },
    params: pushOf({ id: 'default', url: 'https://hooks.example/a2a' }),
    fields: ['taskId', 'url', 'token'],
  },
  {
    name: 'push_list',
    permission: 'a2a:read',
    methods: { '1.0': 'ListTaskPushNotificationConfigs', '0.3': 'tasks/pushNotificationConfig/list' },
    params: byTask,
    fields: ['taskId', 'id'],
  },
  {
    name: 'push_get',
    permission: 'a2a:read',
    methods: { '1.0': 'GetTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/get' },
    params: oneConfig,
    fields: ['taskId', 'id', 'pushNotificationConfigId'],
  },
  {
    name: 'push_delete',
    permission: 'a2a:write',
    methods: { '1.0': 'DeleteTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/delete' },
    params: oneConfig,
    fields: ['taskId', 'id', 'pushNotificationConfigId'],
  },
  {
    name: 'extended_card',
    permission: words.anyCredential,
    methods: { '1.0': 'GetExtendedAgentCard', '0.3': 'agent/getAuthenticatedExtendedCard' },
    params: () => ({}),
    fields: [],
  },
];

/** Members that a request takes although its first form does not hold them. */
const optionalMembers: readonly string[] = ['historyLength', 'pageToken', 'contextId', 'token'];
const numbers: readonly string[] = ['historyLength', 'pageSize', 'metadata.priority'];

/** @param document the OpenAPI document, which has the paths of the REST binding */
export function a2aCalls(version: A2aVersion, binding: A2aBinding, document: unknown): readonly Callable[] {
  if (binding === 'jsonrpc') return actions.map((action) => rpcCall(action, version));
  const isOlder = version === '0.3';
  const calls = restCalls(document, {
    isWanted: ({ path }) => path.startsWith('/a2a/rest/') && path.startsWith('/a2a/rest/v1/') === isOlder,
    headers: `A2A-Version: ${version}`,
  });
  return calls.map((call) => withMessage({ ...call, group: words.a2aRest }));
}

/** The first form of a message of REST, which has the JSON of the protocol's proto file in both versions. */
function withMessage(call: Callable): Callable {
  const isMessage = /\/message:(?:send|stream)$/.test(call.template);
  const isConfig = call.draft.method === 'POST' && call.template.endsWith('/pushNotificationConfigs');
  if (!isMessage && !isConfig) return call;
  const isOlder = call.template.startsWith('/a2a/rest/v1/');
  const parts = [{ text: words.sampleMessage }];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', ...(isOlder ? { content: parts } : { parts }) };
  const config = { id: 'default', url: 'https://hooks.example/a2a' };
  const body = isMessage ? { message } : isOlder ? { config: { pushNotificationConfig: config } } : config;
  return { ...call, draft: { ...call.draft, body: printJson(body) } };
}

function rpcCall(action: Action, version: A2aVersion): Callable {
  const method = action.methods[version];
  const params = action.params(version);
  const lines = ['Content-Type: application/json', `A2A-Version: ${version}`];
  const resume: CallField = {
    name: 'Last-Event-ID',
    kind: 'text',
    choices: [],
    isRequired: false,
    hint: words.lastEventIdHint,
    place: { in: 'header' },
  };
  return {
    id: method,
    group: words.a2aMethods,
    label: method,
    summary: words.a2aActions[action.name],
    template: '/a2a/jsonrpc',
    fields: [
      ...action.fields.flatMap((name) => paramField(name, params)),
      ...(action.name === 'subscribe' ? [resume] : []),
    ],
    draft: {
      method: 'POST',
      path: '/a2a/jsonrpc',
      headers: [...lines, ...(action.isStream === true ? ['Accept: text/event-stream'] : [])].join('\n'),
      body: printJson({ jsonrpc: '2.0', id: 1, method, params }),
    },
    facts: [words.needs(action.permission), words.auditAction(`a2a.${action.name}`)],
  };
}

function paramField(name: string, params: Json): readonly CallField[] {
  const members = name.split('.');
  const [first = ''] = members;
  const push = params['pushNotificationConfig'] !== undefined && (name === 'url' || name === 'token');
  const isKnown = first in params || optionalMembers.includes(name) || first === 'metadata' || push;
  if (!isKnown) return [];
  const inParams =
    name === 'message' ? ['message', 'parts', '0', 'text'] : push ? ['pushNotificationConfig', name] : members;
  const kind = name === 'message' ? 'long' : numbers.includes(name) ? 'number' : 'text';
  const isRequired = name === 'message' || (first in params && members.length === 1);
  return [
    {
      name: name === 'message' ? words.messageText : (members.at(-1) ?? name),
      kind,
      choices: [],
      isRequired: isRequired && name !== 'pageSize',
      hint: '',
      place: { in: 'body', pointer: ['params', ...inParams] },
    },
  ];
}

function messageParams(version: A2aVersion): Json {
  const text = words.sampleMessage;
  const messageId = crypto.randomUUID();
  const message =
    version === '1.0'
      ? { messageId, role: 'ROLE_USER', parts: [{ text }] }
      : { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }] };
  return { message, metadata: { codebase_id: 'global' } };
}
