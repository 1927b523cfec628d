// The demands of the protocol's own test kit on a server that speaks v1.0, as facts: over each transport alike.
// Sections are those of the specification of v1.0.
import { randomUUID } from 'node:crypto';

/** The outcome of an operation: its result, or the code of its error. */
export interface KitReply {
  readonly code?: number;
  // Checks look at what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
}

export type Action =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

export interface Kit {
  readonly call: (action: Action, params: Record<string, unknown>) => Promise<KitReply>;
  /** Has a worker take a task and end it with an artifact. */
  readonly finish: (taskId: string) => Promise<void>;
}

export interface Check {
  readonly section: string;
  readonly demands: string;
  /** The outcome, and the expected one. */
  readonly run: (kit: Kit) => Promise<readonly [got: unknown, wanted: unknown]>;
}

type Fields = Record<string, unknown>;

export function sending(fields: Fields = {}, configuration: Fields = {}): Fields {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'do it' }], ...fields };
  return { message, configuration: { returnImmediately: true, ...configuration } };
}

async function made({ call: send }: Kit, fields: Fields = {}): Promise<{ id: string; contextId: string }> {
  const { result } = await send('SendMessage', sending(fields));
  return result.task;
}

const missing = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
const states = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'];
const check = (section: string, demands: string, run: Check['run']): Check => ({ section, demands, run });
/** A refusal of one call by its code. */
const refusal = (section: string, demands: string, action: Action, params: Fields, code: number): Check =>
  check(section, demands, async ({ call: send }) => [(await send(action, params)).code, code]);

const sends: readonly Check[] = [
  ...[
    { text: 'a text' },
    { url: 'https://example.com/a.txt', filename: 'a.txt', mediaType: 'text/plain' },
    { raw: 'YQ==', filename: 'a', mediaType: 'application/octet-stream' },
    { data: { key: 'value', nested: { list: [1, 2] } } },
  ].map((part) =>
    check('3.1.1', `a message with the part ${Object.keys(part)[0]} makes a task`, async ({ call: send }) => {
      const { result } = await send('SendMessage', sending({ parts: [part] }));
      return [states.includes(result?.task?.status?.state), true];
    }),
  ),
  refusal('3.1.1', 'a send without a message is refused', 'SendMessage', {}, -32602),
  refusal('4.1.4', 'a message without parts is refused', 'SendMessage', sending({ parts: [] }), -32602),
  refusal('4.1.4', 'a message whose parts are no list is refused', 'SendMessage', sending({ parts: 'text' }), -32602),
  refusal('4.1.4', 'a message without an id is refused', 'SendMessage', sending({ messageId: undefined }), -32602),
  refusal('4.1.4', 'a message without a role is refused', 'SendMessage', sending({ role: undefined }), -32602),
  refusal(
    '3.4.2',
    'a message to a task that there is not is refused',
    'SendMessage',
    sending({ taskId: missing }),
    -32001,
  ),
  check('3.4.2', 'a message goes on with the task that it names', async (kit) => {
    const { id, contextId } = await made(kit);
    const { result } = await kit.call('SendMessage', sending({ taskId: id }));
    return [
      [result.task.id, result.task.contextId],
      [id, contextId],
    ];
  }),
  check('3.4.1', 'a message stays in the context that it names', async (kit) => {
    const contextId = randomUUID();
    return [
      [(await made(kit, { contextId })).contextId, (await made(kit, { contextId })).contextId],
      [contextId, contextId],
    ];
  }),
  check('3.1.1', 'a message to a finished task is an unsupported operation', async (kit) => {
    const { id } = await made(kit);
    await kit.finish(id);
    return [(await kit.call('SendMessage', sending({ taskId: id }))).code, -32004];
  }),
];

const reads: readonly Check[] = [
  check('3.1.3', 'a task is read by its id', async (kit) => {
    const { id, contextId } = await made(kit);
    const { result } = await kit.call('GetTask', { id });
    return [
      [result.id, result.contextId, typeof result.status.state],
      [id, contextId, 'string'],
    ];
  }),
  ...[0, 1, 5].map((historyLength) =>
    check('3.2.4', `a task is read with at most ${historyLength} messages`, async (kit) => {
      const { id } = await made(kit);
      await kit.call('SendMessage', sending({ taskId: id }));
      const { result } = await kit.call('GetTask', { id, historyLength });
      return [(result.history ?? []).length, Math.min(historyLength, 2)];
    }),
  ),
  refusal('3.1.3', 'a task that there is not is not found', 'GetTask', { id: missing }, -32001),
  refusal('3.1.5', 'a task that there is not is not cancelled', 'CancelTask', { id: missing }, -32001),
  check('3.1.5', 'a task that is not finished is cancelled', async (kit) => {
    const { id } = await made(kit);
    return [(await kit.call('CancelTask', { id })).result.status.state, 'TASK_STATE_CANCELED'];
  }),
  check('3.1.5', 'a finished task cannot be cancelled', async (kit) => {
    const { id } = await made(kit);
    await kit.finish(id);
    return [(await kit.call('CancelTask', { id })).code, -32002];
  }),
];

/** Tasks of a context of their own, the oldest first. */
async function several(kit: Kit, n: number): Promise<{ contextId: string; ids: string[] }> {
  const contextId = randomUUID();
  const ids: string[] = [];
  for (let i = 0; i < n; i += 1) ids.push((await made(kit, { contextId })).id);
  return { contextId, ids };
}

const idsIn = ({ result }: KitReply): string[] => result.tasks.map(({ id }: { id: string }) => id);

const lists: readonly Check[] = [
  check('3.1.4', 'a list has tasks, its size, the total and the token of the next page', async (kit) => {
    const { contextId } = await several(kit, 1);
    const { result } = await kit.call('ListTasks', { contextId });
    return [
      [result.tasks.length, result.totalSize, result.nextPageToken, result.pageSize],
      [1, 1, '', 50],
    ];
  }),
  check('3.1.4', 'a list of nothing is empty', async (kit) => {
    const { result } = await kit.call('ListTasks', { contextId: randomUUID() });
    return [
      [result.tasks, result.totalSize, result.nextPageToken],
      [[], 0, ''],
    ];
  }),
  check('3.1.4', 'a list is ordered by the time of the status, the newest first', async (kit) => {
    const { contextId, ids } = await several(kit, 3);
    return [idsIn(await kit.call('ListTasks', { contextId })), ids.toReversed()];
  }),
  check('3.1.4', 'a list is filtered by status', async (kit) => {
    const { contextId, ids } = await several(kit, 2);
    await kit.call('CancelTask', { id: ids[0] });
    return [idsIn(await kit.call('ListTasks', { contextId, status: 'TASK_STATE_CANCELED' })), ids.slice(0, 1)];
  }),
  check('3.1.4', 'a list is filtered by the time of the status', async (kit) => {
    const { contextId } = await several(kit, 2);
    const statusTimestampAfter = '2999-01-01T00:00:00Z';
    return [idsIn(await kit.call('ListTasks', { contextId, statusTimestampAfter })), []];
  }),
  check('3.1.4', 'the pages of a list have each task once, and the last has no token', async (kit) => {
    const { contextId, ids } = await several(kit, 5);
    const found: string[] = [];
    let pageToken = '';
    do {
      const page = await kit.call('ListTasks', { contextId, pageSize: 2, ...(pageToken === '' ? {} : { pageToken }) });
      found.push(...idsIn(page));
      pageToken = page.result.nextPageToken;
    } while (pageToken !== '');
    return [found, ids.toReversed()];
  }),
  ...[0, -1, 101].map((pageSize) =>
    refusal('3.1.4', `a page of ${pageSize} tasks is refused`, 'ListTasks', { pageSize }, -32602),
  ),
  refusal('3.1.4', 'a token that no list gave is refused', 'ListTasks', { pageToken: 'none' }, -32602),
  refusal('3.1.4', 'a status that there is not is refused', 'ListTasks', { status: 'NO_STATE' }, -32602),
  refusal('3.1.4', 'a time that is none is refused', 'ListTasks', { statusTimestampAfter: 'then' }, -32602),
  refusal('3.2.4', 'a negative length of the history is refused', 'ListTasks', { historyLength: -1 }, -32602),
  ...[0, 1].map((historyLength) =>
    check('3.2.4', `a list has at most ${historyLength} messages of each task`, async (kit) => {
      const { contextId } = await several(kit, 1);
      const { result } = await kit.call('ListTasks', { contextId, historyLength });
      return [(result.tasks[0].history ?? []).length, historyLength];
    }),
  ),
  ...[undefined, false, true].map((includeArtifacts) =>
    check('3.1.4', `a list has artifacts where they are asked for: ${includeArtifacts}`, async (kit) => {
      const { contextId, ids } = await several(kit, 1);
      await kit.finish(ids[0] ?? '');
      const filter = includeArtifacts === undefined ? {} : { includeArtifacts };
      const { result } = await kit.call('ListTasks', { contextId, ...filter });
      return [(result.tasks[0].artifacts ?? []).length, includeArtifacts === true ? 1 : 0];
    }),
  ),
];

const url = 'http://hooks.example.org/kit';
const pushes: readonly Check[] = [
  check('3.1.7', 'a push config is set, read, listed and deleted', async (kit) => {
    const { id: taskId } = await made(kit);
    const named = { taskId, id: 'mine' };
    const set = await kit.call('CreateTaskPushNotificationConfig', { ...named, url });
    const read = await kit.call('GetTaskPushNotificationConfig', named);
    const listed = await kit.call('ListTaskPushNotificationConfigs', { taskId });
    await kit.call('DeleteTaskPushNotificationConfig', named);
    const gone = await kit.call('GetTaskPushNotificationConfig', named);
    return [
      [set.result.url, read.result.id, listed.result.configs.length, gone.code],
      [url, 'mine', 1, -32001],
    ];
  }),
  check('3.1.9', 'a task without push configs lists none', async (kit) => {
    const { id: taskId } = await made(kit);
    return [(await kit.call('ListTaskPushNotificationConfigs', { taskId })).result.configs ?? [], []];
  }),
  check('3.1.1', 'a push config comes with the message that makes its task', async (kit) => {
    const { result } = await kit.call('SendMessage', sending({}, { taskPushNotificationConfig: { url } }));
    const listed = await kit.call('ListTaskPushNotificationConfigs', { taskId: result.task.id });
    return [listed.result.configs.map((config: { url: string }) => config.url), [url]];
  }),
  ...(['GetTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig'] as const).map((action) =>
    refusal(
      '3.1.8',
      `${action} of a task that there is not is not found`,
      action,
      { taskId: missing, id: 'x' },
      -32001,
    ),
  ),
  refusal(
    '3.1.7',
    'a push config of a task that there is not is not found',
    'CreateTaskPushNotificationConfig',
    { taskId: missing, url },
    -32001,
  ),
];

const streams: readonly Check[] = [
  check('3.1.2', 'a stream of a send begins with its task', async ({ call: send }) => {
    const { result } = await send('SendStreamingMessage', sending());
    return [typeof result.task.id, 'string'];
  }),
  check('3.1.6', 'a task is subscribed to, and begins as it stands', async (kit) => {
    const { id } = await made(kit);
    return [(await kit.call('SubscribeToTask', { id })).result.task.id, id];
  }),
  refusal('3.1.6', 'a task that there is not is not subscribed to', 'SubscribeToTask', { id: missing }, -32001),
  check('3.1.6', 'a finished task is not subscribed to', async (kit) => {
    const { id } = await made(kit);
    await kit.finish(id);
    return [(await kit.call('SubscribeToTask', { id })).code, -32004];
  }),
  refusal('3.1.2', 'a stream of a send without a message is refused', 'SendStreamingMessage', {}, -32602),
];

const cards: readonly Check[] = [
  check('3.1.11', 'the extended card is there for who is known', async ({ call: send }) => {
    const { result } = await send('GetExtendedAgentCard', {});
    return [
      [typeof result.name, Array.isArray(result.skills)],
      ['string', true],
    ];
  }),
];

export const checks: readonly Check[] = [...sends, ...reads, ...lists, ...pushes, ...streams, ...cards];

/** Demands on the envelope of JSON-RPC: what is sent as it is, its answer's code and id. */
export const envelopes: readonly (readonly [demands: string, raw: string, code: number, id: unknown])[] = [
  [
    'what is no JSON is a parse error',
    '{"jsonrpc": "2.0", "method": "SendMessage", "params": {"open": true',
    -32700,
    null,
  ],
  [
    'another jsonrpc than 2.0 is no request',
    '{"jsonrpc":"1.0","id":"a","method":"ListTasks","params":{}}',
    -32600,
    'a',
  ],
  [
    'a jsonrpc that is none, without an id, is no request',
    '{"jsonrpc":"aaa","method":"SendMessage","params":{}}',
    -32600,
    null,
  ],
  ['a request without a method is none', '{"jsonrpc":"2.0","id":"a","params":{}}', -32600, 'a'],
  ['a request without a method and an id is none', '{"jsonrpc":"2.0","params":{}}', -32600, null],
  [
    'an id that is an object is no id',
    '{"jsonrpc":"2.0","id":{"bad":"type"},"method":"SendMessage","params":{}}',
    -32600,
    null,
  ],
  [
    'a method that there is not is not found',
    '{"jsonrpc":"2.0","id":"3","method":"SendMessageXXX","params":{}}',
    -32601,
    '3',
  ],
  [
    'params of the wrong form are invalid',
    '{"jsonrpc":"2.0","id":"4","method":"SendMessage","params":{"":"x"}}',
    -32602,
    '4',
  ],
  [
    'parts that are no list are invalid',
    '{"jsonrpc":"2.0","id":5,"method":"SendMessage","params":{"message":{"parts":"x"}}}',
    -32602,
    5,
  ],
  ['params that are a text are invalid', '{"jsonrpc":"2.0","id":6,"method":"GetTask","params":"x"}', -32602, 6],
  [
    'a method that there is not is not found without an id too',
    '{"jsonrpc":"2.0","method":"nothing","params":{}}',
    -32601,
    null,
  ],
];
