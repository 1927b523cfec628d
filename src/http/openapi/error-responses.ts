// The error responses of an operation in the document, derived from its method and its row.
import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../contracts/common.ts';
import type { Operation } from '../pipeline/operation.ts';

interface ErrorExample {
  readonly code: string;
  readonly detail: string;
}

const errorExamples: Readonly<Record<number, ErrorExample>> = {
  400: { code: 'invalid_request', detail: 'The request is not valid: /title is required.' },
  401: {
    code: 'unauthenticated',
    detail: 'A valid bearer token is needed: send the header "Authorization: Bearer <token>".',
  },
  403: { code: 'permission_missing', detail: 'This credential lacks the permission tasks:write.' },
  404: { code: 'task_not_found', detail: 'There is no such task.' },
  409: {
    code: 'task_finished',
    detail: 'This task is already completed and cannot change. Submit a new task instead.',
  },
  413: { code: 'body_too_large', detail: 'The body is larger than this operation accepts.' },
  415: { code: 'not_json', detail: 'Send the body as Content-Type: application/json.' },
  422: {
    code: 'idempotency_key_reused',
    detail: 'This Idempotency-Key was used for a request with another body. Use a new key for a new request.',
  },
  429: {
    code: 'rate_limited',
    detail: 'This credential has used its 60 calls of this minute. Try again after Retry-After.',
  },
  500: {
    code: 'internal_error',
    detail: 'An internal error occurred. The log has the details under the request id.',
  },
  503: {
    code: 'store_unavailable',
    detail: 'The database cannot be reached right now. Try again shortly.',
  },
};

/** The error statuses that the operation may answer with. core-7, choices-3. */
export function errorStatusesOf(row: Operation): number[] {
  const changes = row.method !== 'GET';
  const candidates: [status: number, applies: boolean][] = [
    // Every call accepts X-Tenant-Id, which may be malformed or name an unknown tenant.
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [409, changes],
    [413, changes],
    [415, changes],
    [422, row.createsTask === true],
    [429, true],
    [500, true],
    [503, true],
  ];
  return candidates.filter(([status, applies]) => applies && !(status in row.answers)).map(([status]) => status);
}

/** `components/responses`, named by status. */
export function errorResponseComponents(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errorExamples).map(([status, example]) => [`refused${status}`, response(Number(status), example)]),
  );
}

function response(status: number, { code, detail }: ErrorExample): Record<string, unknown> {
  const title = STATUS_CODES[status] ?? 'Error';
  const example: Problem = {
    type: `urn:switchyard:problem:${code}`,
    title,
    status,
    detail,
    code,
    request_id: '7f0e8f5c-3f2a-4b7e-9d3c-0c9f5e1b2a34',
    errors: status === 400 ? [{ path: '/title', message: 'is required' }] : undefined,
  };
  const headers: Record<string, unknown> = {};
  if (status === 401) headers['WWW-Authenticate'] = textHeader('How to authenticate.');
  if (status === 429 || status === 503) headers['Retry-After'] = textHeader('Seconds to wait.');
  return {
    description: title,
    headers,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  };
}

export function textHeader(description: string): Record<string, unknown> {
  return { description, schema: { type: 'string' } };
}
