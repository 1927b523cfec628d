// Domain errors as RFC 9457 problems: the one table of HTTP statuses outside the protocols that define their own errors.
import { STATUS_CODES } from 'node:http';
import type { FastifyError } from 'fastify';
import type { Problem } from '../../contracts/common.ts';
import { DomainError, type ErrorKind } from '../../domain/model/errors.ts';

const statusByKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  key_reused: 422,
  limited: 429,
  unavailable: 503,
  internal: 500,
};

export interface RenderedProblem {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Problem;
}

/** Any other error is a bug: the caller learns only the request id. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError(
    'internal',
    'internal_error',
    'An internal error occurred. The log has the details under the request id.',
    {
      cause: error,
    },
  );
}

/** Converts errors of the framework to domain errors. */
export function frameworkErrorToDomain(error: FastifyError | Error): DomainError {
  const code = 'code' in error ? error.code : '';
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('too_large', 'body_too_large', 'The body is larger than this operation accepts.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_type', 'not_json', 'Send the body as Content-Type: application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new DomainError(
        'invalid',
        'invalid_body',
        'The length of the body differs from its Content-Length header.',
      );
    default:
      return toDomainError(error);
  }
}

/** The problem body, with the headers of its status. choices-3. */
export function renderProblem(error: DomainError, requestId: string): RenderedProblem {
  const status = statusByKind[error.kind];
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'x-request-id': requestId };
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="switchyard", error="invalid_token"';
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  return {
    status,
    headers,
    body: {
      type: `urn:switchyard:problem:${error.code}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: error.message,
      code: error.code,
      request_id: requestId,
      errors: error.errors?.map((e) => ({ ...e })),
      expected: error.expected,
      run_id: error.runId,
      task_id: error.taskId,
    },
  };
}
