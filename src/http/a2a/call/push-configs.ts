// Push notifications over A2A: registers, reads and deletes configs, and renders the body of a notification.
import type { StreamResponse, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import { V1PushNotificationSerializer, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { PushTarget } from '../../../domain/model/delivery.ts';
import type { TaskSnapshot } from '../../../domain/webhooks/task-snapshot.ts';
import {
  listPushConfigs,
  removePushConfig,
  setPushConfig,
  type PushDeps,
} from '../../../domain/webhooks/push-configs.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import type { CallContext } from './call-context.ts';
import { taskToSdk } from './sdk-objects.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { eventToFrame } from './task-updates.ts';

/** The id of a config without an id of its own. a2a, head. */
const defaultId = 'default';

type Request<K extends keyof A2ARequestHandler> = Parameters<A2ARequestHandler[K]>[0];

/** The SDK's objects write an absent text as an empty one. */
function emptyToNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** @param wire the version of the call: its notifications are rendered in that version */
export function pushTargetFromSdk(config: TaskPushNotificationConfig, wire: string): PushTarget {
  const { id, url, token, authentication } = config;
  return {
    configId: id === '' ? defaultId : id,
    url,
    token: emptyToNull(token),
    scheme: emptyToNull(authentication?.scheme),
    credentials: emptyToNull(authentication?.credentials),
    wire,
  };
}

function pushTargetToSdk(taskId: string, target: PushTarget): TaskPushNotificationConfig {
  const { configId: id, url, token, scheme, credentials } = target;
  const authentication = scheme === null ? undefined : { scheme, credentials: credentials ?? '' };
  return { tenant: '', id, taskId, url, token: token ?? '', authentication };
}

export async function setA2aPushConfig(
  deps: Parameters<typeof setPushConfig>[0],
  call: CallContext,
  request: Request<'createTaskPushNotificationConfig'>,
): Promise<TaskPushNotificationConfig> {
  const { info } = call;
  // In v1.0 the params are the config.
  call.pushConfigPath = info.wire === '1.0' ? '/params' : '/params/pushNotificationConfig';
  const taskId = parseEntityId('task', request.taskId);
  return pushTargetToSdk(taskId, await setPushConfig(deps, info.caller, taskId, pushTargetFromSdk(request, info.wire)));
}

/** A request without an id gets the config `default`, or else the oldest one. */
export async function getA2aPushConfig(
  deps: PushDeps,
  { info }: CallContext,
  request: Request<'getTaskPushNotificationConfig'>,
): Promise<TaskPushNotificationConfig> {
  const taskId = parseEntityId('task', request.taskId);
  const targets = await listPushConfigs(deps, info.caller, taskId);
  const findTarget = (id: string): PushTarget | undefined => targets.find(({ configId }) => configId === id);
  const target = request.id === '' ? (findTarget(defaultId) ?? targets[0]) : findTarget(request.id);
  if (target === undefined) throw new TaskNotFoundError('This task has no such push notification config.');
  return pushTargetToSdk(taskId, target);
}

/**
 * In the order of their ids. A request without a page size, as in v0.3, gets all of them.
 * @throws DomainError invalid
 */
export async function listA2aPushConfigs(
  deps: PushDeps,
  { info }: CallContext,
  request: Request<'listTaskPushNotificationConfigs'>,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  const taskId = parseEntityId('task', request.taskId);
  const { pageSize, pageToken } = request;
  const after = pageToken === '' ? '' : parsePageToken(pageToken);
  const targets = await listPushConfigs(deps, info.caller, taskId);
  const remaining = targets.filter(({ configId }) => configId > after);
  const page = remaining
    .toSorted((a, b) => (a.configId < b.configId ? -1 : 1))
    .slice(0, pageSize === 0 ? undefined : pageSize);
  const last = page.length < remaining.length ? page.at(-1) : undefined;
  return {
    configs: page.map((target) => pushTargetToSdk(taskId, target)),
    nextPageToken: last === undefined ? '' : encodePageToken(last.configId),
  };
}

function encodePageToken(configId: string): string {
  return Buffer.from(configId, 'utf8').toString('base64url');
}

/**
 * The id of the last config of the page before.
 * @throws DomainError invalid for a token that this service did not issue
 */
function parsePageToken(token: string): string {
  const configId = Buffer.from(token, 'base64url').toString('utf8');
  if (configId === '' || encodePageToken(configId) !== token) {
    throw invalidInput([{ path: '/params/pageToken', message: 'is not a nextPageToken of an earlier answer' }]);
  }
  return configId;
}

export async function deleteA2aPushConfig(
  deps: PushDeps,
  { info }: CallContext,
  request: Request<'deleteTaskPushNotificationConfig'>,
): Promise<void> {
  await removePushConfig(
    deps,
    info.caller,
    parseEntityId('task', request.taskId),
    request.id === '' ? defaultId : request.id,
  );
}

const serializerV03 = new V03PushNotificationSerializer();
const serializerV10 = new V1PushNotificationSerializer();

/**
 * The body of a notification: in v0.3 the task at the time of the event, in v1.0 the status update. a2a §1.7.
 * @param wire the version that the config was registered with
 */
export function renderNotification(snapshot: TaskSnapshot, wire: string): { body: string; contentType: string } {
  const { details, event } = snapshot;
  if (wire !== '0.3') return serializerV10.serialize(eventToFrame(details.task, event, event.data.status));
  const task: StreamResponse = { payload: { $case: 'task', value: taskToSdk(details, undefined) } };
  return serializerV03.serialize(task);
}
