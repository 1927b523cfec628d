// The error of the embedded PostgreSQL: what went wrong, and what an operator can do about it.
import { RemedyError } from '../../../../lib/remedy-error.ts';

/** Stable names of the ways in which the embedded PostgreSQL can refuse to start. */
export type EmbeddedPostgresErrorCode =
  | 'data_dir_locked'
  | 'data_dir_unwritable'
  | 'disk_full'
  | 'no_binaries'
  | 'no_user_namespace'
  | 'version_mismatch'
  | 'cluster_corrupt'
  | 'restore_unfinished'
  | 'init_failed'
  | 'start_failed'
  | 'orphan_stuck';

/** Thrown by everything in this folder. */
export class EmbeddedPostgresError extends RemedyError<EmbeddedPostgresErrorCode> {
  override readonly name = 'EmbeddedPostgresError';
}
