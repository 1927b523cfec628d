// The official clients of both lines, unmodified, each over both bindings: one way to call them, for tests that ask all
// four the same.
import {
  Client as NewClient,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { SendMessageRequest, TaskState, type StreamResponse, type Task as NewTask } from '@a2a-js/sdk';
import * as older from 'a2a-v03/client';
import type { Message as OldMessage, Task as OldTask } from 'a2a-v03';
import type { TestService, TestUser } from '../service.ts';

/** A task in the form of both clients. */
export interface SeenTask {
  readonly id: string;
  readonly contextId: string;
  /** As v0.3 spells it. */
  readonly state: string;
  readonly statusText: string | undefined;
  readonly artifacts: number;
}

export interface Push {
  readonly id: string;
  readonly url: string;
}

export interface OfficialClient {
  send(text: string, fields?: { taskId?: string; contextId?: string }, wait?: boolean): Promise<SeenTask>;
  /** The frames that come, as `task working`, `status completed`, `artifact`. */
  stream(text: string): AsyncGenerator<{ id: string; what: string }>;
  get(id: string): Promise<SeenTask>;
  cancel(id: string): Promise<SeenTask>;
  resubscribe(id: string): AsyncGenerator<{ id: string; what: string }>;
  setPush(taskId: string, push: Push): Promise<Push>;
  listPush(taskId: string): Promise<Push[]>;
  deletePush(taskId: string, id: string): Promise<void>;
  /** Ids of the skills of the extended card. */
  extendedSkills(): Promise<string[]>;
}

export const clientVariants = ['v0.3 JSON-RPC', 'v0.3 REST', 'v1.0 JSON-RPC', 'v1.0 REST'] as const;
export type ClientVariant = (typeof clientVariants)[number];

/** The facts of a service that a client needs. */
type Service = Pick<TestService, 'url' | 'token'>;

export function openOfficialClient(
  service: Service,
  line: ClientVariant,
  who: TestUser = 'editor',
): Promise<OfficialClient> {
  const token = service.token(who);
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  return line.startsWith('v0.3') ? openV03Client(service, line, fetchImpl) : openV10Client(service, line, fetchImpl);
}

let messages = 0;

async function openV03Client(service: Service, line: ClientVariant, fetchImpl: typeof fetch): Promise<OfficialClient> {
  const rest = line.endsWith('REST');
  const client = await new older.ClientFactory({
    transports: [
      rest ? new older.RestTransportFactory({ fetchImpl }) : new older.JsonRpcTransportFactory({ fetchImpl }),
    ],
    cardResolver: new older.DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(service.url);
  const message = (text: string, fields: { taskId?: string; contextId?: string } = {}): OldMessage => {
    messages += 1;
    return { kind: 'message', messageId: `s-${messages}`, role: 'user', parts: [{ kind: 'text', text }], ...fields };
  };
  const seen = (result: OldMessage | OldTask): SeenTask => {
    if (result.kind !== 'task') throw new Error('not a task');
    const [part] = result.status.message?.parts ?? [];
    return {
      id: result.id,
      contextId: result.contextId,
      state: result.status.state,
      statusText: part?.kind === 'text' ? part.text : undefined,
      artifacts: result.artifacts?.length ?? 0,
    };
  };
  async function* toUpdates(
    events: ReturnType<typeof client.resubscribeTask>,
  ): AsyncGenerator<{ id: string; what: string }> {
    for await (const event of events) {
      if (event.kind === 'task') yield { id: event.id, what: `task ${event.status.state}` };
      else if (event.kind === 'status-update') yield { id: event.taskId, what: `status ${event.status.state}` };
      else if (event.kind === 'artifact-update') yield { id: event.taskId, what: 'artifact' };
    }
  }
  return {
    send: async (text, fields, wait = false) =>
      seen(await client.sendMessage({ message: message(text, fields), configuration: { blocking: wait } })),
    stream: (text) => toUpdates(client.sendMessageStream({ message: message(text) })),
    get: async (id) => seen(await client.getTask({ id })),
    cancel: async (id) => seen(await client.cancelTask({ id })),
    resubscribe: (id) => toUpdates(client.resubscribeTask({ id })),
    async setPush(taskId, push) {
      const { pushNotificationConfig: set } = await client.setTaskPushNotificationConfig({
        taskId,
        pushNotificationConfig: push,
      });
      return { id: set.id ?? '', url: set.url };
    },
    listPush: async (id) =>
      (await client.listTaskPushNotificationConfig({ id })).map(({ pushNotificationConfig: set }) => ({
        id: set.id ?? '',
        url: set.url,
      })),
    deletePush: (id, pushNotificationConfigId) =>
      client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
    extendedSkills: async () => (await client.getAgentCard()).skills.map(({ id }) => id),
  };
}

async function openV10Client(service: Service, line: ClientVariant, fetchImpl: typeof fetch): Promise<OfficialClient> {
  const transport = line.endsWith('REST')
    ? new RestTransportFactory({ fetchImpl })
    : new JsonRpcTransportFactory({ fetchImpl });
  const client: NewClient = await new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [transport],
      preferredTransports: [line.endsWith('REST') ? 'HTTP+JSON' : 'JSONRPC'],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  ).createFromUrl(service.url);
  const request = (text: string, fields = {}, returnImmediately = true): SendMessageRequest => {
    messages += 1;
    const message = { messageId: `s-${messages}`, role: 'ROLE_USER', parts: [{ text }], ...fields };
    return SendMessageRequest.fromJSON({ message, configuration: { returnImmediately } });
  };
  const stateOf = (state: TaskState | undefined): string =>
    TaskState[state ?? 0]?.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-') ?? '';
  const seen = (task: NewTask): SeenTask => {
    const content = task.status?.message?.parts[0]?.content;
    return {
      id: task.id,
      contextId: task.contextId,
      state: stateOf(task.status?.state),
      statusText: content?.$case === 'text' ? content.value : undefined,
      artifacts: task.artifacts.length,
    };
  };
  async function* toUpdates(
    events: AsyncGenerator<StreamResponse, void>,
  ): AsyncGenerator<{ id: string; what: string }> {
    for await (const { payload } of events) {
      if (payload?.$case === 'task') {
        yield { id: payload.value.id, what: `task ${stateOf(payload.value.status?.state)}` };
      } else if (payload?.$case === 'statusUpdate') {
        yield { id: payload.value.taskId, what: `status ${stateOf(payload.value.status?.state)}` };
      } else if (payload?.$case === 'artifactUpdate') yield { id: payload.value.taskId, what: 'artifact' };
    }
  }
  return {
    async send(text, fields, wait = false) {
      const result = await client.sendMessage(request(text, fields, !wait));
      if (!('artifacts' in result)) throw new Error('not a task');
      return seen(result);
    },
    stream: (text) => toUpdates(client.sendMessageStream(request(text))),
    get: async (id) => seen(await client.getTask({ tenant: '', id, historyLength: undefined })),
    cancel: async (id) => seen(await client.cancelTask({ tenant: '', id, metadata: undefined })),
    resubscribe: (id) => toUpdates(client.resubscribeTask({ tenant: '', id })),
    setPush: (taskId, push) =>
      client.createTaskPushNotificationConfig({ tenant: '', taskId, token: '', authentication: undefined, ...push }),
    listPush: async (taskId) =>
      (await client.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' })).configs.map(
        ({ id, url }) => ({ id, url }),
      ),
    deletePush: (taskId, id) => client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id }),
    extendedSkills: async () => (await client.getAgentCard()).skills.map(({ id }) => id),
  };
}
