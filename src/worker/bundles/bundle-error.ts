// Why commits could not travel in a bundle, each with a code for programs.

export type BundleErrorCode =
  /** The repository lacks commits on which the bundle stands, and its origin does not have them either. */
  | 'base_missing'
  /** The bundle has more bytes than one task may carry. */
  | 'bundle_too_large'
  /** It is cut off, altered, or holds another commit than it should. */
  | 'bundle_damaged';

export class BundleError extends Error {
  readonly code: BundleErrorCode;

  constructor(code: BundleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BundleError';
    this.code = code;
  }
}
