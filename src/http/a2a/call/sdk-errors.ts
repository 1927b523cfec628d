// Translates domain errors to the SDK's error classes, which get their codes in either version of the protocol, and the
// SDK's error bodies back to ours.
import { A2AError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { DomainError } from '../../../domain/model/errors.ts';
import { invalidInput } from '../../pipeline/schema.ts';
import { toDomainError } from '../../wire/problem.ts';
import { isObject, RpcError, rpcCodes } from '../../wire/rpc-envelope.ts';
import type { CallContext } from './call-context.ts';

/** Selects the error for a finished task: it differs by method, and for all methods but cancel by version. */
export type OnFinished = 'not_cancelable' | 'takes_nothing';

/**
 * The error to throw into the SDK. An error that the protocol has no class for is kept in the call's `failure` and
 * answered from there: by HTTP, as an internal error, or with its invalid fields. The SDK would forward any message.
 */
export function errorToSdk(call: CallContext, error: unknown, onFinished: OnFinished): A2AError {
  if (error instanceof A2AError) return error;
  const refusal = toDomainError(error);
  if (refusal.code === 'task_not_found') return new TaskNotFoundError(refusal.message);
  if (refusal.code === 'task_finished' && onFinished === 'not_cancelable') {
    return new TaskNotCancelableError(refusal.message);
  }
  // v0.3 reports invalid params, v1.0 an unsupported operation. choices-6.
  if (refusal.code === 'task_finished' && call.info.wire === '1.0') {
    return new UnsupportedOperationError(refusal.message);
  }
  call.failure = withRequestPaths(call, refusal);
  return new A2AError('This call could not be answered.');
}

/** The SDK forwards the messages of internal errors, which must be logged and not sent. */
export function rpcErrorFromSdk(error: unknown): Error {
  const { code, message, data } = isObject(error) ? error : {};
  if (typeof code !== 'number' || code === rpcCodes.internal) {
    return toDomainError(new Error(`the A2A SDK failed: ${String(message)}`));
  }
  return new RpcError(code, String(message), data);
}

const push = '/pushNotificationConfig';

/** The error with its paths as in the caller's params: verbs report the fields of a task, which are elsewhere there. */
function withRequestPaths(call: CallContext, refusal: DomainError): DomainError {
  const { code, errors = [] } = refusal;
  if (code !== 'invalid_request' || errors.every(({ path }) => isRequestPath(path))) return refusal;
  return invalidInput(
    errors.map(({ path, message }) => ({ path: isRequestPath(path) ? path : toRequestPath(call, path), message })),
  );
}

/** True for a path in the request, which the binding itself reported. */
function isRequestPath(path: string): boolean {
  return path.startsWith('/params') || path.startsWith('/headers');
}

function toRequestPath({ pushConfigPath }: CallContext, path: string): string {
  if (path.startsWith(push)) return `${pushConfigPath}${path.slice(push.length)}`;
  return path === '/metadata' ? '/params/metadata' : `/params/message/metadata${path}`;
}
