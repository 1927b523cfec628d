// An error that an operator can act on: what is wrong, and what to do about it.

/** `message` is one line for a log; `remedy` says what the reader should do. */
export abstract class RemedyError<Code extends string = string> extends Error {
  /** Stable word for programs, e.g. `data_dir_locked`. */
  readonly code: Code;
  readonly remedy: string;

  constructor(code: Code, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
