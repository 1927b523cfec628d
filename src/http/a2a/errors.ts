// Errors of the domain in the SDK's words: the SDK then gives each its code, in either version of the protocol.
import {
  A2A_ERROR_CODE,
  A2AError,
  JsonRpcRequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { DomainError } from '../../domain/model/errors.ts';
import { asDomainError } from '../problem.ts';
import { errorData, isHttpRefusal } from '../rpc-envelope.ts';
import type { CallContext } from './call.ts';

/** What a conflict with a finished task is called differs by method, and for all but a cancel by version. */
export type OnFinished = 'not_cancelable' | 'takes_nothing';

/**
 * The error to throw into the SDK for what a verb threw. What HTTP answers, and what is a bug, is kept in the call:
 * the SDK would send any message on to the client.
 */
export function protocolError(call: CallContext, error: unknown, onFinished: OnFinished): A2AError {
  if (error instanceof A2AError) return error;
  const refusal = asDomainError(error);
  if (refusal.kind === 'internal' || isHttpRefusal(refusal)) {
    call.failure = refusal;
    return new A2AError('This call could not be answered.');
  }
  if (refusal.code === 'task_not_found') return new TaskNotFoundError(refusal.message);
  if (refusal.code === 'task_finished' && onFinished === 'not_cancelable') {
    return new TaskNotCancelableError(refusal.message);
  }
  // choices §6: to v0.3 the message is at fault, to v1.0 the operation.
  if (refusal.code === 'task_finished' && call.facts.wire === '1.0') {
    return new UnsupportedOperationError(refusal.message);
  }
  return malformed(refusal);
}

/** Whatever else is wrong lies in what the caller sent: -32602. */
function malformed(refusal: DomainError): A2AError {
  return new JsonRpcRequestMalformedError({
    message: refusal.message,
    envelopeCode: A2A_ERROR_CODE.INVALID_PARAMS,
    data: errorData(refusal),
    metadata: { code: refusal.code },
  });
}
