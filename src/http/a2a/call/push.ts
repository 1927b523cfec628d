// Push notifications at the A2A door: configs as callers register them, and what a notification says in each dialect.
import type { StreamResponse, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import { V1PushNotificationSerializer, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { PushTarget } from '../../../domain/model/delivery.ts';
import type { Moment } from '../../../domain/webhooks/moment.ts';
import {
  listPushConfigs,
  removePushConfig,
  setPushConfig,
  type PushDeps,
} from '../../../domain/webhooks/push-configs.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import type { CallContext } from './call.ts';
import { taskObject } from './objects.ts';
import { taskIdOf } from './task-id.ts';
import { update } from './updates.ts';

/** The id of a config that came without one. a2a, head. */
const defaultId = 'default';

type Request<K extends keyof A2ARequestHandler> = Parameters<A2ARequestHandler[K]>[0];

/** An absent text is an empty one in the SDK's objects. */
function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** A config as a caller registered it, in the dialect of the call that did. */
export function pushTargetOf(config: TaskPushNotificationConfig, wire: string): PushTarget {
  const { id, url, token, authentication } = config;
  return {
    configId: id === '' ? defaultId : id,
    url,
    token: orNull(token),
    scheme: orNull(authentication?.scheme),
    credentials: orNull(authentication?.credentials),
    wire,
  };
}

function configOf(taskId: string, target: PushTarget): TaskPushNotificationConfig {
  const { configId: id, url, token, scheme, credentials } = target;
  const authentication = scheme === null ? undefined : { scheme, credentials: credentials ?? '' };
  return { tenant: '', id, taskId, url, token: token ?? '', authentication };
}

export async function setPush(
  deps: Parameters<typeof setPushConfig>[0],
  call: CallContext,
  request: Request<'createTaskPushNotificationConfig'>,
): Promise<TaskPushNotificationConfig> {
  const { facts } = call;
  // v1.0 has its members in the params themselves.
  call.pushAt = facts.wire === '1.0' ? '/params' : '/params/pushNotificationConfig';
  const taskId = taskIdOf(request.taskId);
  return configOf(taskId, await setPushConfig(deps, facts.caller, taskId, pushTargetOf(request, facts.wire)));
}

/** Without an id the default one, or else the oldest. */
export async function getPush(
  deps: PushDeps,
  { facts }: CallContext,
  request: Request<'getTaskPushNotificationConfig'>,
): Promise<TaskPushNotificationConfig> {
  const taskId = taskIdOf(request.taskId);
  const targets = await listPushConfigs(deps, facts.caller, taskId);
  const named = (id: string): PushTarget | undefined => targets.find(({ configId }) => configId === id);
  const target = request.id === '' ? (named(defaultId) ?? targets[0]) : named(request.id);
  if (target === undefined) throw new TaskNotFoundError('This task has no such push notification config.');
  return configOf(taskId, target);
}

/** In the order of their ids. Without a size, as v0.3 asks, all of them: a task has few. @throws DomainError invalid */
export async function listPush(
  deps: PushDeps,
  { facts }: CallContext,
  request: Request<'listTaskPushNotificationConfigs'>,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  const taskId = taskIdOf(request.taskId);
  const { pageSize, pageToken } = request;
  const after = pageToken === '' ? '' : idIn(pageToken);
  const targets = await listPushConfigs(deps, facts.caller, taskId);
  const left = targets.filter(({ configId }) => configId > after);
  const page = left
    .toSorted((a, b) => (a.configId < b.configId ? -1 : 1))
    .slice(0, pageSize === 0 ? undefined : pageSize);
  const last = page.length < left.length ? page.at(-1) : undefined;
  return {
    configs: page.map((target) => configOf(taskId, target)),
    nextPageToken: last === undefined ? '' : tokenOf(last.configId),
  };
}

function tokenOf(configId: string): string {
  return Buffer.from(configId, 'utf8').toString('base64url');
}

/** The config behind which a page goes on. @throws DomainError invalid for a token that is none of ours */
function idIn(token: string): string {
  const configId = Buffer.from(token, 'base64url').toString('utf8');
  if (configId === '' || tokenOf(configId) !== token) {
    throw invalidInput([{ path: '/params/pageToken', message: 'is not a token that a list answered' }]);
  }
  return configId;
}

export async function deletePush(
  deps: PushDeps,
  { facts }: CallContext,
  request: Request<'deleteTaskPushNotificationConfig'>,
): Promise<void> {
  await removePushConfig(deps, facts.caller, taskIdOf(request.taskId), request.id === '' ? defaultId : request.id);
}

const v03 = new V03PushNotificationSerializer();
const v10 = new V1PushNotificationSerializer();

/**
 * What a notification says: in v0.3 the task as it stood, in v1.0 the change of its status. a2a §1.7.
 * @param wire the version that the config was registered in
 */
export function notificationForm(moment: Moment, wire: string): { body: string; contentType: string } {
  const { whole, event } = moment;
  if (wire !== '0.3') return v10.serialize(update(whole.task, event, event.data.status));
  const task: StreamResponse = { payload: { $case: 'task', value: taskObject(whole, undefined) } };
  return v03.serialize(task);
}
