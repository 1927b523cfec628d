// What keeps the audit's file from being used at the start, with a remedy.

export class AuditFileError extends Error {
  override readonly name = 'AuditFileError';
  /** Stable word, e.g. `audit_locked`. */
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
