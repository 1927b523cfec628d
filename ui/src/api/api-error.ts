// An answer of the service that is no success, as pages show it.
import type { Schemas } from '../../../src/client/client.ts';

export type Problem = Schemas['Problem'];

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly problem: Problem | undefined;
  /** Seconds of the header `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, problem: Problem | undefined) {
    super(problem?.detail ?? `The service answered ${response.status}.`);
    this.status = response.status;
    this.code = problem?.code ?? 'no_problem';
    this.problem = problem;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }

  /** The message for a field of the request body, by its path, such as `/title`. */
  fieldError(path: string): string | undefined {
    return this.problem?.errors?.find((error) => error.path === path)?.message;
  }
}
