// What can go wrong in a call of the service: it refused, it could not be reached, or its answer made no sense.

interface RefusalAnswer {
  status: number;
  code: string;
  detail: string;
  retryAfterMs?: number;
  expected?: number | undefined;
}

/** The service answered, and the answer was no. `code` is the stable word of its problem body. choices-3. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  /** Of `event_gap`: the number of the event that should have come. */
  readonly expected: number | undefined;

  constructor(call: string, answer: RefusalAnswer) {
    super(`${call}: ${answer.detail} (${answer.status} ${answer.code})`);
    this.status = answer.status;
    this.code = answer.code;
    this.retryAfterMs = answer.retryAfterMs;
    this.expected = answer.expected;
  }
}

/** No answer, or none that can be read: refused connection, timeout, reset, a proxy's page. It may have taken effect. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';

  constructor(call: string, reason: string, options?: ErrorOptions) {
    super(`${call}: ${reason}`, options);
  }
}

/** True where the task takes no more artifacts, though its lease holds. choices-9. */
export function isArtifactsFull(error: ServiceRefusal): boolean {
  return error.code === 'artifacts_full';
}

/** True where the same call may succeed later without anybody changing anything. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof ServiceUnreachable) return true;
  return error instanceof ServiceRefusal && (error.status >= 500 || error.status === 429 || error.status === 408);
}

/** True where the credential was refused: waiting does not help, an operator does. */
export function isCredentialRefused(error: unknown): boolean {
  return error instanceof ServiceRefusal && (error.status === 401 || error.status === 403);
}

/** What the service asked a failed caller to wait, in milliseconds; undefined where it did not say. */
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
