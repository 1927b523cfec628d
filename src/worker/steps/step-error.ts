// The failure of a step that is not a verdict: the task is released as failed, and no iteration is spent.

export class StepError extends Error {
  /** `setup_failed`, `base_missing`, `bundle_too_large`, `bundle_damaged`, `not_a_repository`, `bad_step`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StepError';
    this.code = code;
  }
}
