// Errors of the domain in the SDK's words: the SDK then gives each its code, in either version of the protocol.
import { A2AError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { toDomainError } from '../../wire/problem.ts';
import type { CallContext } from './call-context.ts';
import { withRequestPaths } from './field-paths.ts';

/** What a conflict with a finished task is called differs by method, and for all but a cancel by version. */
export type OnFinished = 'not_cancelable' | 'takes_nothing';

/**
 * The error to throw into the SDK for what a verb threw. What the protocol has no error of its own for is kept in the call,
 * to be answered as what it is: by HTTP, as a bug, or with the fields at fault. The SDK would send any message on.
 */
export function errorToSdk(call: CallContext, error: unknown, onFinished: OnFinished): A2AError {
  if (error instanceof A2AError) return error;
  const refusal = toDomainError(error);
  if (refusal.code === 'task_not_found') return new TaskNotFoundError(refusal.message);
  if (refusal.code === 'task_finished' && onFinished === 'not_cancelable') {
    return new TaskNotCancelableError(refusal.message);
  }
  // choices-6: to v0.3 the message is at fault, to v1.0 the operation.
  if (refusal.code === 'task_finished' && call.info.wire === '1.0') {
    return new UnsupportedOperationError(refusal.message);
  }
  call.failure = withRequestPaths(call, refusal);
  return new A2AError('This call could not be answered.');
}
