// The methods of the A2A protocol v0.3 on JSON-RPC: each with its permission and what it calls. document 1 §4.2.
import * as wire from '../../contracts/a2a.ts';
import type { Demand } from '../../domain/access/permit.ts';
import { rpcOperation, type RpcOperation } from '../operation.ts';
import { modernParams, modernSend, wantsWrapper, wrapped } from './legacy.ts';
import type { V03Transport } from './v03.ts';
import { checkSend } from './validate.ts';

export interface MethodDeps {
  readonly v03: V03Transport;
  readonly makeId: () => string;
}

export function a2aMethods(deps: MethodDeps): RpcOperation[] {
  return [...sending(deps), ...tasks(deps), ...streams(deps), ...refused(deps)];
}

function sending({ v03, makeId }: MethodDeps): RpcOperation[] {
  const row = {
    permission: 'a2a:write' as const,
    params: wire.messageSendParams,
    normalise: (params: unknown, path: string) => modernSend(params, path, makeId),
    createsTask: true,
  };
  return [
    rpcOperation({
      ...row,
      name: 'a2a.send',
      method: 'message/send',
      summary: 'Send a message: it makes a task, or joins the exchange of the task that it names.',
      run: async (caller, { params, given, path, facts }) => {
        checkSend(params);
        const answer = await v03.ask('message/send', caller, { params, facts });
        return 'result' in answer && wantsWrapper(given, path) ? { ...answer, result: wrapped(answer.result) } : answer;
      },
    }),
    rpcOperation({
      ...row,
      name: 'a2a.stream',
      method: 'message/stream',
      summary: 'Send a message and follow its task.',
      run: async (caller, { params, facts }) => {
        checkSend(params);
        return v03.ask('message/stream', caller, { params, facts });
      },
    }),
  ];
}

function tasks({ v03 }: MethodDeps): RpcOperation[] {
  return [
    rpcOperation({
      name: 'a2a.get',
      method: 'tasks/get',
      summary: 'One task, with its newest messages and its artifacts.',
      permission: 'a2a:read',
      params: wire.taskQueryParams,
      normalise: modernParams,
      run: (caller, { params, facts }) => v03.ask('tasks/get', caller, { params, facts }),
    }),
    rpcOperation({
      name: 'a2a.list',
      method: 'tasks/list',
      summary: 'List tasks, newest first; an extension of the service.',
      permission: 'a2a:read',
      params: wire.listTasksParams,
      normalise: modernParams,
      run: (caller, { params, facts }) => v03.list(caller, params, facts),
    }),
    rpcOperation({
      name: 'a2a.cancel',
      method: 'tasks/cancel',
      summary: 'Cancel a task that is not finished; its agent is killed.',
      permission: 'a2a:write',
      params: wire.taskIdParams,
      normalise: modernParams,
      run: (caller, { params, facts }) => v03.ask('tasks/cancel', caller, { params, facts }),
    }),
  ];
}

/** The protocol's name, and the document's for the same. */
function streams({ v03 }: MethodDeps): RpcOperation[] {
  const row = {
    summary: 'Follow a task; goes on behind the event that Last-Event-ID names.',
    permission: 'a2a:read' as const,
    params: wire.taskIdParams,
    normalise: modernParams,
  };
  return [
    rpcOperation({
      ...row,
      name: 'a2a.resubscribe',
      method: 'tasks/resubscribe',
      run: (caller, { params, facts }) => v03.ask('tasks/resubscribe', caller, { params, facts }),
    }),
    rpcOperation({
      ...row,
      name: 'a2a.subscribe',
      method: 'tasks/subscribe',
      run: (caller, { params, facts }) => v03.ask('tasks/resubscribe', caller, { params, facts }),
    }),
  ];
}

/** Methods of the protocol that are not served: the card says so, and the answer is the protocol's error for it. */
function refused({ v03 }: MethodDeps): RpcOperation[] {
  const row = (name: string, method: string, permission: Demand): RpcOperation =>
    rpcOperation({
      name,
      method,
      permission,
      summary: 'Not served: answers with the error that the protocol has for it.',
      params: wire.anyParams,
      // Nothing in them is looked at, so that nothing in them can be wrong.
      run: (caller, { facts }) =>
        v03.ask(method, caller, { params: { id: '', taskId: '', pushNotificationConfig: {} }, facts }),
    });
  return [
    row('a2a.push_set', 'tasks/pushNotificationConfig/set', 'a2a:write'),
    row('a2a.push_get', 'tasks/pushNotificationConfig/get', 'a2a:read'),
    row('a2a.push_list', 'tasks/pushNotificationConfig/list', 'a2a:read'),
    row('a2a.push_delete', 'tasks/pushNotificationConfig/delete', 'a2a:write'),
    row('a2a.extended_card', 'agent/getAuthenticatedExtendedCard', 'any_credential'),
  ];
}
