// Failures of a call to the service: it refused, it could not be reached, or its answer was not readable.

interface RefusalAnswer {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly retryAfterMs?: number;
  readonly expected?: number | undefined;
}

/** The service rejected the call. `code` is the stable code of its problem body. choices-3. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  /** For `event_gap`: the number of the event that the service expects next. */
  readonly expected: number | undefined;

  constructor(call: string, answer: RefusalAnswer) {
    super(`${call}: ${answer.detail} (${answer.status} ${answer.code})`);
    this.status = answer.status;
    this.code = answer.code;
    this.retryAfterMs = answer.retryAfterMs;
    this.expected = answer.expected;
  }
}

/** No readable answer: refused connection, timeout, reset, a proxy's page. The call may have taken effect. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';

  constructor(call: string, reason: string, options?: ErrorOptions) {
    super(`${call}: ${reason}`, options);
  }
}

/** True when the task takes no more artifacts, although its lease holds. choices-9. */
export function isArtifactsFull(error: ServiceRefusal): boolean {
  return error.code === 'artifacts_full';
}

/** True when the same call may succeed later without any change. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof ServiceUnreachable) return true;
  return error instanceof ServiceRefusal && (error.status >= 500 || error.status === 429 || error.status === 408);
}

/** True when the credential was rejected: an operator has to act. */
export function isCredentialRefused(error: unknown): boolean {
  return error instanceof ServiceRefusal && (error.status === 401 || error.status === 403);
}

/** The wait that the service requested, in milliseconds; undefined: none. */
export function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ServiceRefusal ? error.retryAfterMs : undefined;
}

/** One line for a log: an error's message and its causes' messages. */
export function describeError(error: unknown): string {
  const lines: string[] = [];
  let current: unknown = error;
  while (current instanceof Error && lines.length < 5) {
    lines.push(current.message);
    current = current.cause;
  }
  return lines.length > 0 ? lines.join(': ') : String(error);
}
