// Errors of the API server as errors of the domain: the one table.
import { z } from 'zod';
import { DomainError, unavailable } from '../../domain/model/errors.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';
import { errorCode } from '../../lib/system/error-code.ts';

/** A call, as a Role names it. */
export interface CallFacts {
  readonly verb: string;
  /** With its subresource: `deployments/scale`. */
  readonly resource: string;
  readonly name?: string | undefined;
  readonly namespace: string;
}

/** An error answer of the API server. */
export interface ApiFailure {
  readonly code: number;
  readonly message: string;
  readonly causes: readonly { readonly reason: string; readonly message: string; readonly field: string }[];
  readonly retryAfterSeconds: number | undefined;
}

const exception = z.object({
  // Errors of the system have small numbers.
  code: z.number().min(100),
  body: z.unknown(),
  headers: z.record(z.string(), z.string()).catch({}),
});
const text = z.string().catch('');
const status = z
  .object({
    message: text,
    details: z
      .object({
        causes: z.array(z.object({ reason: text, message: text, field: text })).catch([]),
        retryAfterSeconds: z.number().optional().catch(undefined),
      })
      .catch({ causes: [] }),
  })
  .catch({ message: '', details: { causes: [], retryAfterSeconds: undefined } });

const defaultRetrySeconds = 10;
/** Most characters of the server's words that are passed on. */
const maxWords = 500;

/** Undefined: the server gave no answer, or none that can be understood. */
export function toApiFailure(error: unknown): ApiFailure | undefined {
  const parsed = exception.safeParse(error);
  if (!parsed.success) return undefined;
  const { code, body, headers } = parsed.data;
  const { message, details } = status.parse(typeof body === 'string' ? tryParseJson(body) : body);
  const header = /^\d{1,4}$/.exec(headers['retry-after'] ?? '')?.[0];
  return {
    code,
    message: message.slice(0, maxWords),
    causes: details.causes,
    retryAfterSeconds: header === undefined ? details.retryAfterSeconds : Number(header),
  };
}

/** @param deadlineMs of the session */
export function toClusterError(error: unknown, call: CallFacts, deadlineMs: number): DomainError {
  if (error instanceof DomainError) return error;
  const failure = toApiFailure(error);
  return failure === undefined ? unreachable(error, deadlineMs) : refusalOf(failure, call, error);
}

function refusalOf(failure: ApiFailure, call: CallFacts, cause: unknown): DomainError {
  const { code, message } = failure;
  const retrySeconds = failure.retryAfterSeconds ?? defaultRetrySeconds;
  if (code === 401) return unauthorized(cause);
  if (code === 403) return isMissingPermission(failure) ? forbidden(failure, call, cause) : refused(message, cause);
  if (code === 409) return new DomainError('conflict', 'cluster_conflict', describeConflict(failure), { cause });
  if (code === 404) return refused(message, cause);
  if (code === 400 || code === 422 || isUnknownField(failure)) return refused(message, cause);
  const words = code === 429 ? 'asks for fewer requests' : `answers ${code}${message === '' ? '' : `: ${message}`}`;
  return unavailable('cluster_unreachable', `The API server of the cluster ${words}. Try again.`, retrySeconds, cause);
}

/** Admission plugins and quotas answer 403 too; only authorization says who cannot do what. */
function isMissingPermission({ message }: ApiFailure): boolean {
  return message === '' || / cannot \w+ (resource|path) /.test(message);
}

/** Servers before Kubernetes 1.25 answer 500 to an applied field that their schema does not have. */
function isUnknownField({ code, message }: ApiFailure): boolean {
  return code === 500 && /field not declared in schema/.test(message);
}

function forbidden({ message }: ApiFailure, call: CallFacts, cause: unknown): DomainError {
  const user = /User "([^"]+)"/.exec(message)?.[1] ?? 'of this pod';
  const account = user.replace(/^system:serviceaccount:/, '');
  const named = call.name === undefined ? '' : ` named ${call.name}`;
  return unavailable(
    'cluster_forbidden',
    `The service account ${account} may not \`${call.verb} ${call.resource}\`${named} in namespace ${call.namespace}: add it to its Role (docs/DEPLOY.md).`,
    defaultRetrySeconds,
    cause,
  );
}

function describeConflict({ causes, message }: ApiFailure): string {
  const fields = causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map((each) => `${each.field} (${each.message.replace(/^conflict with /, 'managed by ')})`);
  if (fields.length === 0) return `The cluster has changed meanwhile: ${message}. Try again.`;
  return `Other managers hold fields of the manifest: ${fields.join(', ')}. Nothing was changed. Leave the fields out of the manifest, or let their managers give them up.`;
}

function refused(message: string, cause: unknown): DomainError {
  const words = message === '' ? 'it gives no reason' : message;
  return new DomainError('conflict', 'cluster_refused', `The API server of the cluster rejects this: ${words}`, {
    cause,
  });
}

function unauthorized(cause: unknown): DomainError {
  return unavailable(
    'cluster_unauthorized',
    'The API server of the cluster does not accept the token of the service account. Check that it is mounted and not expired.',
    defaultRetrySeconds,
    cause,
  );
}

function unreachable(error: unknown, deadlineMs: number): DomainError {
  const why = describeFailure(error, deadlineMs);
  return unavailable(
    'cluster_unreachable',
    `The API server of the cluster cannot be used: ${why}. Try again.`,
    defaultRetrySeconds,
    error,
  );
}

function describeFailure(error: unknown, deadlineMs: number): string {
  if (!(error instanceof Error)) return 'the call failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer within ${deadlineMs / 1000} s`;
  const { cause } = error;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (inner instanceof Error) return errorCode(inner) ?? inner.message;
  // `fetch` rejects with TypeError; other errors come of an answer that is not what it should be.
  return error.message === 'fetch failed' || error.message === 'terminated'
    ? 'the connection broke'
    : 'it does not answer as a Kubernetes API server';
}

/** The token could not be read. */
export function tokenUnreadable(cause: unknown): DomainError {
  return unauthorized(cause);
}
