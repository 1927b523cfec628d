// What the protocol can do, once for every version and binding: the methods and routes of all of them come from here,
// so that the same operation has the same permission, audit action and answer everywhere. a2a v0.3 §3.4.1.
import type { Demand } from '../../../domain/access/permit.ts';
import type { WireVersion } from './versions.ts';

export const actionNames = [
  'send',
  'stream',
  'get',
  'list',
  'cancel',
  'subscribe',
  'push_set',
  'push_get',
  'push_list',
  'push_delete',
  'extended_card',
] as const;
export type ActionName = (typeof actionNames)[number];

export interface A2aAction {
  readonly permission: Demand;
  readonly summary: string;
  readonly createsTask?: true;
  /** Names of its methods on JSON-RPC, by version; the first is the one that the SDK knows. */
  readonly methods: Readonly<Record<WireVersion, readonly string[]>>;
}

export const actions: Readonly<Record<ActionName, A2aAction>> = {
  send: {
    permission: 'a2a:write',
    summary: 'Send a message: it makes a task, or joins the exchange of the task that it names.',
    createsTask: true,
    methods: { '0.3': ['message/send'], '1.0': ['SendMessage'] },
  },
  stream: {
    permission: 'a2a:write',
    summary: 'Send a message and follow its task.',
    createsTask: true,
    methods: { '0.3': ['message/stream'], '1.0': ['SendStreamingMessage'] },
  },
  get: {
    permission: 'a2a:read',
    summary: 'One task, with its newest messages and its artifacts.',
    methods: { '0.3': ['tasks/get'], '1.0': ['GetTask'] },
  },
  list: {
    permission: 'a2a:read',
    summary: 'List tasks, the newest status first; over v0.3 an extension of the service.',
    methods: { '0.3': ['tasks/list'], '1.0': ['ListTasks'] },
  },
  cancel: {
    permission: 'a2a:write',
    summary: 'Cancel a task that is not finished; its agent is killed.',
    methods: { '0.3': ['tasks/cancel'], '1.0': ['CancelTask'] },
  },
  subscribe: {
    permission: 'a2a:read',
    summary: 'Follow a task; goes on behind the event that Last-Event-ID names.',
    methods: { '0.3': ['tasks/resubscribe', 'tasks/subscribe'], '1.0': ['SubscribeToTask'] },
  },
  push_set: {
    permission: 'a2a:write',
    summary: 'Have notifications of a task sent to an address.',
    methods: { '0.3': ['tasks/pushNotificationConfig/set'], '1.0': ['CreateTaskPushNotificationConfig'] },
  },
  push_get: {
    permission: 'a2a:read',
    summary: 'One address that notifications of a task go to.',
    methods: { '0.3': ['tasks/pushNotificationConfig/get'], '1.0': ['GetTaskPushNotificationConfig'] },
  },
  push_list: {
    permission: 'a2a:read',
    summary: 'The addresses that notifications of a task go to.',
    methods: { '0.3': ['tasks/pushNotificationConfig/list'], '1.0': ['ListTaskPushNotificationConfigs'] },
  },
  push_delete: {
    permission: 'a2a:write',
    summary: 'Have no more notifications of a task sent to an address.',
    methods: { '0.3': ['tasks/pushNotificationConfig/delete'], '1.0': ['DeleteTaskPushNotificationConfig'] },
  },
  extended_card: {
    permission: 'any_credential',
    summary: 'The agent card with what the caller’s own workers and codebases add to it.',
    methods: { '0.3': ['agent/getAuthenticatedExtendedCard'], '1.0': ['GetExtendedAgentCard'] },
  },
};
