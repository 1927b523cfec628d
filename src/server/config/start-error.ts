// A failure that keeps the service from starting: one line and a remedy, for the person who started it.

/** `message` is one line; `remedy` says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly remedy: string;
  /** Stable code, e.g. `data_dir_locked`. */
  readonly code: string;

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
