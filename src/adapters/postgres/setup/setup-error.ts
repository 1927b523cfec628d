// The error of setting up a PostgreSQL server: one line, and a remedy.

export class SetupError extends Error {
  override readonly name = 'SetupError';
  /** Stable code, e.g. `may_not_create_roles`. */
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
