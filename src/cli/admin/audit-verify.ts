// The command `audit verify`: checks an audit file, and reports the first bad line.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { AuditCheck } from '../../server/start/audit-check.ts';
import { resolveAuditLocation } from '../../server/config/audit-location.ts';
import { CliError } from '../core/cli-error.ts';
import { findDataDir } from '../core/cli-file.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';

interface Flags {
  readonly json?: true;
  readonly key?: string;
  readonly dataDir?: string;
}

/** Exits with 0 (intact), 1 (tampered) or 2 (unreadable). choices-3. */
export function auditVerifyCommand({ io, end }: CommandContext): Command {
  return newCommand('verify', 'check an audit file; exits with 0 (intact), 1 (tampered) or 2 (unreadable)')
    .argument('[file]', 'the file (default: the one in DATA_DIR)')
    .option('--key <file>', 'PEM of the signing key, or of its public half')
    .option('--data-dir <folder>', 'folder of the service (DATA_DIR)')
    .action(async (file: string | undefined, flags: Flags) => {
      const { checkAuditFile, UnreadableAuditError } = await import('../../server/start/audit-check.ts');
      const target = await resolveTarget(io, file, flags);
      try {
        const check = await checkAuditFile(target.file, target.key);
        end(printReport(io, check, flags.json === true));
      } catch (error) {
        if (!(error instanceof UnreadableAuditError)) throw error;
        throw new CliError(exitCodes.usage, 'audit_unreadable', error.message, '', { cause: error });
      }
    });
}

/** The key in DATA_DIR applies only to the file in DATA_DIR. */
async function resolveTarget(
  io: CliIo,
  file: string | undefined,
  flags: Flags,
): Promise<{ file: string; key: string | undefined }> {
  const environmentValue = (name: string): string | undefined => (io.env[name] === '' ? undefined : io.env[name]);
  const resolved = (named: string | undefined): string | undefined =>
    named === undefined ? undefined : path.resolve(io.cwd, named);
  const defaults = resolveAuditLocation(await findDataDir(io, flags.dataDir));
  const defaultFile = resolved(environmentValue('AUDIT_LOG_PATH')) ?? defaults.logPath;
  const key = resolved(flags.key);
  if (file !== undefined) return { file: path.resolve(io.cwd, file), key };
  const defaultKey = resolved(environmentValue('AUDIT_SIGNING_KEY_FILE')) ?? defaults.keyFile;
  return { file: defaultFile, key: key ?? ((await isThere(defaultKey)) ? defaultKey : undefined) };
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function printReport(io: CliIo, { report, files, keyed, followed }: AuditCheck, json: boolean): ExitCode {
  const { entries, chain, checkpoints, head, closed } = report;
  const ok = report.ok && followed?.ok !== false;
  const bad = report.bad ?? followed?.bad;
  if (json) {
    const first =
      bad === undefined ? {} : { first_bad_seq: bad.seq, file: bad.path, line: bad.line, reason: bad.reason };
    const restored =
      followed === undefined ? {} : { follows: followed.chain ?? null, followed_entries: followed.entries };
    printJson(io, {
      ok,
      entries,
      head: head?.hash ?? null,
      chain: chain ?? null,
      checkpoints,
      closed,
      keyed,
      files,
      ...restored,
      ...first,
    });
  } else if (bad === undefined) {
    const signed = `${checkpoints} checkpoints ${keyed ? 'signed by the key' : 'signed by the key that the chain itself names; use --key to check them against yours'}`;
    io.out(`intact: ${entries} entries of chain ${singleLine(chain ?? '')}, ${signed}\n`);
    if (followed !== undefined) {
      io.out(`intact: ${followed.entries} entries of chain ${singleLine(followed.chain ?? '')}, which was restored\n`);
    }
    if (closed) io.out('The chain is closed: its replica has ended gracefully.\n');
    io.out('Only a comparison with the database reveals a tail that was cut off: GET /v1/audit/verify.\n');
  } else {
    io.out(`TAMPERED: ${singleLine(bad.path)} line ${bad.line} (entry ${bad.seq}): ${singleLine(bad.reason)}\n`);
    io.out(`${report.bad === undefined ? (followed?.entries ?? 0) : entries} entries before it are intact.\n`);
  }
  return ok ? exitCodes.ok : exitCodes.failed;
}
