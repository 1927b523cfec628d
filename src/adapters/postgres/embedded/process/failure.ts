// Translates error messages of the system and of PostgreSQL to EmbeddedPostgresError with a remedy.
import { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './error.ts';
import { errorCode } from '../../../../lib/system/error-code.ts';

const elsewhere = 'or set DATABASE_URL to use a PostgreSQL server of your own';

type RemediedCode = Extract<
  EmbeddedPostgresErrorCode,
  'disk_full' | 'data_dir_unwritable' | 'no_user_namespace' | 'cluster_corrupt' | 'start_failed' | 'init_failed'
>;

const remedies: Record<RemediedCode, string> = {
  disk_full: 'Free some space (the database needs at least 100 MB), or set DATA_DIR to a folder on another disk.',
  data_dir_unwritable: `Give this user write access to the folder, set DATA_DIR to another folder, ${elsewhere}.`,
  no_user_namespace: `Run the service as a user that /etc/passwd names, allow user namespaces, ${elsewhere}.`,
  cluster_corrupt: `Restore the folder from a backup; to begin anew without its data, move it away, ${elsewhere}.`,
  start_failed: `See the lines above from PostgreSQL; set DATA_DIR to another folder, ${elsewhere}.`,
  init_failed: `See the lines above from PostgreSQL; set DATA_DIR to another folder, ${elsewhere}.`,
};

/** First match wins: a full disk also makes files unreadable, and PostgreSQL then says both. */
const knownFailures: readonly { code: RemediedCode; pattern: RegExp; summary: string }[] = [
  {
    code: 'disk_full',
    pattern: /no space left on device|disk quota exceeded|not enough space|check free disk space/i,
    summary: 'no space left',
  },
  {
    code: 'data_dir_unwritable',
    pattern: /permission denied|operation not permitted|read-only file system/i,
    summary: 'its folder may not be written',
  },
  {
    code: 'no_user_namespace',
    pattern: /could not look up effective user/i,
    summary: 'the user it would run as has no name',
  },
  {
    code: 'cluster_corrupt',
    pattern:
      /checkpoint record|pg_control|incorrect checksum|invalid (page|magic|data)|is not a database cluster directory|could not (open|read|access|stat) (file|directory)|PANIC:/i,
    summary: 'its data is damaged',
  },
];

/**
 * The error for a PostgreSQL program that ended by itself.
 * @param lines its output, oldest first
 * @param fallback the code when no line matches
 */
export function failureFromOutput(
  lines: readonly string[],
  dir: string,
  fallback: 'init_failed' | 'start_failed',
): EmbeddedPostgresError {
  const text = lines.join('\n');
  // A new cluster of initdb cannot be damaged yet.
  const candidates = knownFailures.filter(({ code }) => fallback !== 'init_failed' || code !== 'cluster_corrupt');
  const known = candidates.find(({ pattern }) => pattern.test(text));
  const code = known?.code ?? fallback;
  const doing = fallback === 'init_failed' ? 'create its database' : 'start';
  const why = known ? `${known.summary}: ` : '';
  return new EmbeddedPostgresError(
    code,
    `The embedded PostgreSQL could not ${doing} in ${dir}: ${why}${mostRelevantLine(lines, known?.pattern)}`,
    remedies[code],
  );
}

/** The line for the operator: the one that matched, else the most severe, else the last. */
export function mostRelevantLine(lines: readonly string[], pattern?: RegExp): string {
  const line =
    (pattern && lines.find((candidate) => pattern.test(candidate))) ??
    lines.findLast((candidate) => /\b(FATAL|PANIC|error):/.test(candidate)) ??
    lines.at(-1);
  return line === undefined ? 'it ended without a word' : line.trim();
}

const systemCodes: Record<string, RemediedCode> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'data_dir_unwritable',
  EPERM: 'data_dir_unwritable',
  EROFS: 'data_dir_unwritable',
  ENOTDIR: 'data_dir_unwritable',
  EEXIST: 'data_dir_unwritable',
};

/** EmbeddedPostgresError for a system call that failed below `dataDir`; any other error is returned unchanged. */
export function explainSystemError(error: unknown, dataDir: string): unknown {
  const systemCode = errorCode(error);
  if (systemCode === undefined || !(error instanceof Error)) return error;
  if ('syscall' in error && String(error.syscall).startsWith('spawn')) {
    const message = `The embedded PostgreSQL could not be started: ${error.message}`;
    return new EmbeddedPostgresError('start_failed', message, remedies.start_failed, { cause: error });
  }
  const code = systemCodes[systemCode];
  if (code === undefined) return error;
  const summary = code === 'disk_full' ? 'is full' : 'cannot be used';
  return new EmbeddedPostgresError(code, `The data folder ${dataDir} ${summary}: ${error.message}`, remedies[code], {
    cause: error,
  });
}
