// The errors of the domain, independent of any protocol.

/** The kind of an error; each protocol maps kinds to its own codes by one table. */
export type ErrorKind =
  | 'invalid' // the input is wrong
  | 'unauthenticated' // no or a wrong credential
  | 'forbidden' // a credential that may not
  | 'not_found' // not there, or another tenant's
  | 'conflict' // the state does not allow it
  | 'too_large'
  | 'unsupported_type'
  | 'key_reused' // an idempotency key with another body
  | 'limited' // too many requests
  | 'unavailable' // a dependency is not ready
  | 'internal';

export interface FieldError {
  /** JSON pointer into the input, e.g. `/priority`. */
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** All permissions that the call requires, where one of them is missing. */
  readonly permissions?: readonly string[];
  /** The event number that was expected. */
  readonly expected?: number;
  /** The run that a task belongs to. */
  readonly runId?: string;
  /** The task that has to end first. */
  readonly taskId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A refusal or failure that is reported to the caller.
 * @param code stable, snake_case, e.g. `task_not_found`
 * @param message a sentence for a human: what is wrong and what to do
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly code: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly permissions: readonly string[] | undefined;
  readonly expected: number | undefined;
  readonly runId: string | undefined;
  readonly taskId: string | undefined;

  constructor(kind: ErrorKind, code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.permissions = details.permissions;
    this.expected = details.expected;
    this.runId = details.runId;
    this.taskId = details.taskId;
  }
}

/** The kinds of things that may be missing. */
export type EntityKind =
  | 'task'
  | 'codebase'
  | 'worker'
  | 'intervention'
  | 'session'
  | 'artifact'
  | 'tenant'
  | 'user'
  | 'api_key'
  | 'sign_in_session'
  | 'agent'
  | 'conversation'
  | 'tool'
  | 'prd_session'
  | 'prd_version'
  | 'run'
  | 'story'
  | 'attempt'
  | 'change'
  | 'attention_item'
  | 'cronjob'
  | 'funnel'
  | 'person'
  | 'okr'
  | 'key_result'
  | 'okr_run';

/** Equal for a missing thing and for another tenant's. choices-3. */
export function notFound(what: EntityKind): DomainError {
  return new DomainError('not_found', `${what}_not_found`, `There is no such ${what.replaceAll('_', ' ')}.`);
}

/** The 401 error of every protocol; it never reveals which part of a credential was wrong. */
export function unauthenticated(cause?: unknown): DomainError {
  return new DomainError(
    'unauthenticated',
    'unauthenticated',
    'A valid bearer token is needed: send the header "Authorization: Bearer <token>".',
    { cause },
  );
}

export function unavailable(code: string, message: string, retryAfterSeconds: number, cause?: unknown): DomainError {
  return new DomainError('unavailable', code, message, { retryAfterSeconds, cause });
}

/** The error for a change of a version that is not the newest any more. */
export function changedMeanwhile(what: string): DomainError {
  return new DomainError(
    'conflict',
    'changed_meanwhile',
    `Somebody has changed this ${what} since you read it. Read it again, then repeat your change.`,
  );
}

/** The error for a worker's report with a lease that is not, or no longer, its own. choices-5. */
export function leaseLost(): DomainError {
  return new DomainError(
    'conflict',
    'lease_lost',
    'This lease is no longer valid: the task was cancelled, finished or given to another worker. Stop working on it.',
  );
}

/** The error for events whose numbers leave a gap: none of them was accepted. choices-5. */
export function eventGap(expected: number): DomainError {
  return new DomainError(
    'conflict',
    'event_gap',
    `The next event of this lease is number ${expected}. No event was accepted. Send them again from there.`,
    { expected },
  );
}
