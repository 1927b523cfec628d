// Translates answers from v0.3's own JSON to the JSON of v0.3's proto file, which REST clients of that version read.
// Leaves out members that the proto file does not have: metadata of a part, the name of a file. a2a v0.3.0 proto.
import { isObject } from '../../wire/rpc-envelope.ts';
import type { ActionName } from '../protocol/actions.ts';
import { withoutUndefined, type Members } from '../protocol/json-members.ts';

export function v03ToProto(action: ActionName, result: unknown): unknown {
  switch (action) {
    case 'send':
    case 'stream':
    case 'subscribe':
      return payloadV03ToProto(result);
    case 'get':
    case 'cancel':
      return taskV03ToProto(result);
    case 'list':
      return isObject(result) && Array.isArray(result['tasks'])
        ? { ...result, tasks: result['tasks'].map(taskV03ToProto) }
        : result;
    case 'push_set':
    case 'push_get':
      return pushConfigV03ToProto(result);
    case 'push_list':
      return { configs: Array.isArray(result) ? result.map(pushConfigV03ToProto) : [], nextPageToken: '' };
    default:
      return result;
  }
}

/** A send's answer or a frame of a stream, wrapped in the member that names its type. */
function payloadV03ToProto(result: unknown): unknown {
  if (!isObject(result)) return result;
  switch (result['kind']) {
    case 'task':
      return { task: taskV03ToProto(result) };
    case 'message':
      return { message: messageV03ToProto(result) };
    case 'status-update': {
      const { kind: _kind, status, ...update } = result;
      return { statusUpdate: { ...update, status: statusV03ToProto(status) } };
    }
    case 'artifact-update': {
      const { kind: _kind, artifact, ...update } = result;
      return { artifactUpdate: { ...update, artifact: artifactV03ToProto(artifact) } };
    }
    default:
      return result;
  }
}

function taskV03ToProto(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { kind: _kind, status, history, artifacts, ...task } = given;
  return withoutUndefined({
    ...task,
    status: statusV03ToProto(status),
    artifacts: Array.isArray(artifacts) ? artifacts.map(artifactV03ToProto) : undefined,
    history: Array.isArray(history) ? history.map(messageV03ToProto) : undefined,
  });
}

function statusV03ToProto(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { state, message, ...status } = given;
  return withoutUndefined({
    ...status,
    state: stateV03ToProto(String(state)),
    message: message === undefined ? undefined : messageV03ToProto(message),
  });
}

function stateV03ToProto(state: string): string {
  if (state === 'unknown') return 'TASK_STATE_UNSPECIFIED';
  // The proto file of v0.3 spells `cancelled` with two l, its JSON with one.
  const stateName = state === 'canceled' ? 'cancelled' : state;
  return `TASK_STATE_${stateName.toUpperCase().replaceAll('-', '_')}`;
}

function messageV03ToProto(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { kind: _kind, role, parts, referenceTaskIds: _references, ...message } = given;
  return {
    ...message,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    content: Array.isArray(parts) ? parts.map(partV03ToProto) : [],
  };
}

function artifactV03ToProto(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { parts, ...artifact } = given;
  return { ...artifact, parts: Array.isArray(parts) ? parts.map(partV03ToProto) : [] };
}

function partV03ToProto(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { kind, text, data, file } = given;
  if (kind === 'text') return { text };
  if (kind === 'data') return { data: { data } };
  if (!isObject(file)) return given;
  const { bytes: fileWithBytes, uri: fileWithUri, mimeType } = file;
  return { file: withoutUndefined({ fileWithBytes, fileWithUri, mimeType }) };
}

function pushConfigV03ToProto(given: unknown): Members {
  const { taskId, pushNotificationConfig: push } = isObject(given) ? given : {};
  const id = isObject(push) ? push['id'] : undefined;
  return { name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}`, pushNotificationConfig: push };
}
