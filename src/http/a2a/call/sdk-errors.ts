// Translates domain errors to the SDK's error classes. The SDK gives each its code in either version of the protocol.
import { A2AError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { toDomainError } from '../../wire/problem.ts';
import type { CallContext } from './call-context.ts';
import { withRequestPaths } from './field-paths.ts';

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
