// The error of the embedded PostgreSQL: what went wrong, and what an operator can do about it.

/** Stable names of the ways in which the embedded PostgreSQL can refuse to start. */
export type EmbeddedPostgresErrorCode =
  | 'data_dir_locked'
  | 'data_dir_unwritable'
  | 'disk_full'
  | 'no_binaries'
  | 'no_user_namespace'
  | 'version_mismatch'
  | 'cluster_corrupt'
  | 'init_failed'
  | 'start_failed'
  | 'orphan_stuck';

/** Thrown by everything in this folder. `message` is one line for a log, `remedy` is what the reader should do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;
  readonly remedy: string;

  constructor(code: EmbeddedPostgresErrorCode, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}
