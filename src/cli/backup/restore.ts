// The commands `restore` and `restore release`: a backup becomes an installation, and its sends go on.
import path from 'node:path';
import type { Command } from 'commander';
import { releaseAnswer } from '../../contracts/monitor/restore.ts';
import type { RestoreReport } from '../../server/backup/restore.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson, singleLine } from '../core/output.ts';
import { readUrlFile } from '../service/owner-url.ts';
import { identityFlag, readIdentities } from './identities.ts';
import { openProgressLine } from './progress-line.ts';

interface Flags {
  readonly json?: true;
  readonly from?: string;
  readonly to?: string;
  readonly dataDir?: string;
  readonly databaseUrlFile?: string;
  readonly asClone?: true;
  readonly identity?: string;
}

export function restoreCommand(run: CommandContext): Command {
  const { io, end } = run;
  const command = newCommand('restore', 'make an installation from a backup, in an empty place')
    .argument('[file]', 'the file that `switchyard backup` wrote')
    .option('--from <folder>', 'BACKUP_DIR of a service, in place of a file: to any moment')
    .option('--to <time>', 'with --from: the moment, ISO 8601; otherwise as late as possible')
    .option('--data-dir <folder>', 'restore into this folder, for the embedded database')
    .option('--database-url-file <file>', "restore into one's own database; the file holds the address of its owner")
    .option('--as-clone', 'nothing is ever sent from the copy: for a staging installation')
    .option(...identityFlag)
    .action(async (file: string | undefined, flags: Flags) => {
      const { dataDir, databaseUrlFile, asClone = false } = flags;
      if ((file === undefined) === (flags.from === undefined)) throw noSource();
      if (flags.from !== undefined) return end(await recover(io, flags.from, flags));
      if (file === undefined || flags.to !== undefined) throw noTarget();
      if (dataDir === undefined && databaseUrlFile === undefined) throw nowhere();
      const json = flags.json === true;
      const location = { file: path.resolve(io.cwd, file), identities: await readIdentities(io, flags.identity) };
      const ownerUrl = databaseUrlFile === undefined ? undefined : await readUrlFile(io, databaseUrlFile);
      const { restoreBackup } = await import('../../server/backup/restore.ts');
      using progress = openProgressLine(io, json);
      const report = await restoreBackup(location, {
        env: io.env,
        log: (line) => io.err(`${line}\n`),
        asClone,
        dataDir: dataDir === undefined ? undefined : path.resolve(io.cwd, dataDir),
        ownerUrl,
        onProgress: progress.show,
      });
      progress[Symbol.dispose]();
      printRestored(io, report, { dataDir, asClone }, json);
      end(exitCodes.ok);
    });
  return command.addCommand(withConnection(releaseCommand(run)));
}

async function recover(io: CliIo, from: string, flags: Flags): Promise<ExitCode> {
  const { dataDir, databaseUrlFile, to, asClone = false } = flags;
  if (dataDir === undefined || databaseUrlFile !== undefined) {
    throw new CliError(
      exitCodes.usage,
      'no_target',
      'A moment is restored into a folder alone.',
      'Give --data-dir with an empty folder; then `switchyard backup` and `switchyard restore` lead to another database.',
    );
  }
  const toMs = to === undefined ? undefined : Date.parse(to);
  if (toMs !== undefined && (Number.isNaN(toMs) || !/[zZ]|[+-]\d\d:?\d\d$/.test(to ?? ''))) {
    throw new CliError(exitCodes.usage, 'bad_time', '--to is no time with a zone.', 'Write 2026-01-31T09:30:00Z.');
  }
  const { recoverBackup } = await import('../../server/backup/restore.ts');
  const { baseId, recoveredTo } = await recoverBackup({
    from: path.resolve(io.cwd, from),
    toMs,
    dataDir: path.resolve(io.cwd, dataDir),
    asClone,
    env: io.env,
    log: (line) => io.err(`${line}\n`),
  });
  if (flags.json === true) {
    const sends = asClone ? null : 'held_by_restore';
    printJson(io, { base: baseId, recovered_to: recoveredTo, as_clone: asClone, sends, data_dir: dataDir });
  } else {
    io.err(`Restored to ${recoveredTo}, from the base backup ${baseId}.\n`);
    io.err(`Start it with DATA_DIR=${singleLine(dataDir)}.\n`);
    io.err(afterwards(asClone));
  }
  return exitCodes.ok;
}

function noSource(): CliError {
  return new CliError(
    exitCodes.usage,
    'no_source',
    'Either a file or --from is needed.',
    'Name the file that `switchyard backup` wrote, or the BACKUP_DIR of a service with --from.',
  );
}

function noTarget(): CliError {
  return new CliError(
    exitCodes.usage,
    'no_moment',
    'A file holds one moment: --to is for --from.',
    'Leave --to out, or name a BACKUP_DIR with --from.',
  );
}

function nowhere(): CliError {
  return new CliError(
    exitCodes.usage,
    'no_target',
    'The place of the restore is missing.',
    'Give --data-dir with an empty folder, or --database-url-file with the address of an empty database.',
  );
}

function printRestored(
  io: CliIo,
  { summary: { header, rows }, own }: RestoreReport,
  { dataDir, asClone }: { readonly dataDir: string | undefined; readonly asClone: boolean },
  json: boolean,
): void {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  if (json) {
    return printJson(io, {
      backup_id: header.backup_id,
      taken_at: header.taken_at,
      rows: total,
      as_clone: asClone,
      sends: asClone ? null : 'held_by_restore',
      data_dir: dataDir ?? null,
      database: own?.database ?? null,
      database_url: own?.hasPassword === true ? own.address : null,
      isolation_proven: own?.proven ?? true,
    });
  }
  io.err(`Restored ${total} rows as of ${header.taken_at}.\n`);
  if (own === undefined) {
    io.err(`Start it with DATA_DIR=${singleLine(dataDir ?? '')}.\n`);
  } else if (own.hasPassword) {
    io.err('This is DATABASE_URL of the service; it is shown once:\n');
    io.out(`${own.address}\n`);
  } else {
    io.err(`The login ${singleLine(own.login)} keeps its password: start the service with the DATABASE_URL it had.\n`);
  }
  if (own?.proven === false) {
    io.err('The isolation of tenants was not proven here: run `switchyard db status` with DATABASE_URL.\n');
  }
  io.err(afterwards(asClone));
}

function afterwards(asClone: boolean): string {
  return asClone
    ? 'It is a clone: API keys and sessions are revoked, cron jobs are off, runs are paused, deliveries are dead.\n'
    : 'Mails, conversions and publish steps of runs wait: run `switchyard restore release` once they may go out.\n';
}

function releaseCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('release', 'let mails, conversions and publish steps go out that wait since a restore').action(
    async (flags: ClientFlags) => {
      const client = await openClient(run, flags);
      const answer = await client.read(client.api.POST('/v1/restore/release'), releaseAnswer);
      if (flags.json === true) printJson(io, answer);
      else if (!answer.released) io.out('Nothing waits.\n');
      else io.out(`Released what waited since the restore of ${answer.restored_at ?? ''}.\n`);
      end(exitCodes.ok);
    },
  );
}
