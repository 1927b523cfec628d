// Errors of the domain in the SDK's words: the SDK then gives each its code, in either version of the protocol.
import { A2AError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { asDomainError } from '../../wire/problem.ts';
import type { CallContext } from './call.ts';
import { withFieldsOf } from './refused-field.ts';

/** What a conflict with a finished task is called differs by method, and for all but a cancel by version. */
export type OnFinished = 'not_cancelable' | 'takes_nothing';

/**
 * The error to throw into the SDK for what a verb threw. What the protocol has no error of its own for is kept in the call,
 * to be answered as what it is: by HTTP, as a bug, or with the fields at fault. The SDK would send any message on.
 */
export function protocolError(call: CallContext, error: unknown, onFinished: OnFinished): A2AError {
  if (error instanceof A2AError) return error;
  const refusal = asDomainError(error);
  if (refusal.code === 'task_not_found') return new TaskNotFoundError(refusal.message);
  if (refusal.code === 'task_finished' && onFinished === 'not_cancelable') {
    return new TaskNotCancelableError(refusal.message);
  }
  // choices §6: to v0.3 the message is at fault, to v1.0 the operation.
  if (refusal.code === 'task_finished' && call.facts.wire === '1.0') {
    return new UnsupportedOperationError(refusal.message);
  }
  call.failure = withFieldsOf(call, refusal);
  return new A2AError('This call could not be answered.');
}
