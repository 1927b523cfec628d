// The actions of the protocol, for every version and binding. Methods and routes are generated from this table, so that
// an action has the same permission, audit action and answer everywhere. a2a v0.3 §3.4.1.
import type { OperationSpec } from '../../pipeline/operation.ts';
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

export interface A2aAction extends Pick<OperationSpec, 'permission' | 'createsTask'> {
  readonly summary: string;
  readonly description?: string;
  /** Names of its JSON-RPC methods, by version. The first name is the one that the SDK knows. */
  readonly methods: Readonly<Record<WireVersion, readonly string[]>>;
}

export const actions: Readonly<Record<ActionName, A2aAction>> = {
  send: {
    permission: 'a2a:write',
    summary: 'Send a message that creates a task or continues an existing one.',
    description:
      'A message without taskId creates a task. A message with taskId answers the task’s question, or is added to a task ' +
      'that waits or runs.',
    createsTask: true,
    methods: { '0.3': ['message/send'], '1.0': ['SendMessage'] },
  },
  stream: {
    permission: 'a2a:write',
    summary: 'Send a message and stream the events of its task.',
    createsTask: true,
    methods: { '0.3': ['message/stream'], '1.0': ['SendStreamingMessage'] },
  },
  get: {
    permission: 'a2a:read',
    summary: 'Get a task with its newest messages and its artifacts.',
    methods: { '0.3': ['tasks/get'], '1.0': ['GetTask'] },
  },
  list: {
    permission: 'a2a:read',
    summary: 'List tasks, newest status first.',
    description: 'Over v0.3 the method is an extension of this service.',
    methods: { '0.3': ['tasks/list'], '1.0': ['ListTasks'] },
  },
  cancel: {
    permission: 'a2a:write',
    summary: 'Cancel an unfinished task and stop its agent.',
    methods: { '0.3': ['tasks/cancel'], '1.0': ['CancelTask'] },
  },
  subscribe: {
    permission: 'a2a:read',
    summary: 'Stream the events of a task.',
    description: 'With Last-Event-ID the stream resumes after that event; otherwise it begins with the current task.',
    methods: { '0.3': ['tasks/resubscribe', 'tasks/subscribe'], '1.0': ['SubscribeToTask'] },
  },
  push_set: {
    permission: 'a2a:write',
    summary: 'Create or replace a push notification config of a task.',
    methods: { '0.3': ['tasks/pushNotificationConfig/set'], '1.0': ['CreateTaskPushNotificationConfig'] },
  },
  push_get: {
    permission: 'a2a:read',
    summary: 'Get a push notification config of a task.',
    methods: { '0.3': ['tasks/pushNotificationConfig/get'], '1.0': ['GetTaskPushNotificationConfig'] },
  },
  push_list: {
    permission: 'a2a:read',
    summary: 'List the push notification configs of a task.',
    methods: { '0.3': ['tasks/pushNotificationConfig/list'], '1.0': ['ListTaskPushNotificationConfigs'] },
  },
  push_delete: {
    permission: 'a2a:write',
    summary: 'Delete a push notification config of a task.',
    methods: { '0.3': ['tasks/pushNotificationConfig/delete'], '1.0': ['DeleteTaskPushNotificationConfig'] },
  },
  extended_card: {
    permission: 'any_credential',
    summary: 'Get the agent card with the skills of the caller’s tenant.',
    methods: { '0.3': ['agent/getAuthenticatedExtendedCard'], '1.0': ['GetExtendedAgentCard'] },
  },
};
