// What keeps the service from starting, in one line and a remedy, for the person who started it.

/** The service cannot start as things are. `message` is one line, `remedy` says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly remedy: string;
  /** Stable word for what it was, e.g. `data_dir_locked`. */
  readonly code: string;

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
