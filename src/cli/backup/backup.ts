// The commands `backup` and `backup verify`: an archive of the whole installation, and whether one is whole.
import path from 'node:path';
import type { Command } from 'commander';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, singleLine } from '../core/output.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';
import { identityFlag, readIdentities } from './identities.ts';
import { formatBytes, openProgressLine } from './progress-line.ts';

interface VerifyFlags {
  readonly json?: true;
  readonly identity?: string;
}

export function backupCommand(run: CommandContext): Command {
  const { io, end } = run;
  const command = newCommand('backup', 'write everything into one file, while the service runs')
    .argument('<file>', 'the file, or - for standard output')
    .option('--encrypt-to <recipient>', 'public key of age (age1…); may be repeated', collect)
    .action(async (file: string, flags: ServiceFlags & { readonly encryptTo?: readonly string[] }) => {
      const { config } = await loadServiceConfig(io, flags);
      const { backUp } = await import('../../server/backup/back-up.ts');
      const json = flags['json'] === true;
      const target = file === '-' ? io.process.stdout : path.resolve(io.cwd, file);
      using progress = openProgressLine(io, json);
      const report = await backUp({
        config,
        env: io.env,
        version: io.version,
        target,
        recipients: flags.encryptTo ?? [],
        log: (line) => io.err(`${line}\n`),
        onProgress: progress.show,
      });
      progress[Symbol.dispose]();
      const place = typeof target === 'string' ? target : 'standard output';
      const say = (line: string): void => (file === '-' ? io.err(line) : io.out(line));
      if (json) {
        const { backupId, takenAt, tables, auditFiles, bytes } = report;
        say(
          `${JSON.stringify({ file: file === '-' ? null : target, backup_id: backupId, taken_at: takenAt, tables, audit_files: auditFiles, bytes })}\n`,
        );
      } else {
        say(
          `${singleLine(place)}: ${formatBytes(report.bytes)}, ${report.tables} tables and ${report.auditFiles} audit files as of ${report.takenAt}.\n`,
        );
        say('Not in it: settings, tokens and private keys. Keep those of this installation elsewhere.\n');
      }
      end(exitCodes.ok);
    });
  return withServiceFlags(command).addCommand(verifyCommand(run));
}

function verifyCommand({ io, end }: CommandContext): Command {
  return newCommand('verify', 'read a whole backup and check every hash in it')
    .argument('<file>', 'the file')
    .option(...identityFlag)
    .action(async (file: string, flags: VerifyFlags) => {
      const identities = await readIdentities(io, flags.identity);
      const { verifyBackup } = await import('../../server/backup/restore.ts');
      using progress = openProgressLine(io, flags.json === true);
      const { header, rows, bytes, auditFiles } = await verifyBackup(
        { file: path.resolve(io.cwd, file), identities },
        progress.show,
      );
      progress[Symbol.dispose]();
      const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
      if (flags.json === true) {
        printJson(io, {
          ok: true,
          backup_id: header.backup_id,
          taken_at: header.taken_at,
          program: header.program,
          postgres: header.postgres,
          rows: Object.fromEntries(rows),
          bytes,
          audit_files: auditFiles.length,
        });
      } else {
        io.out(
          `whole: ${total} rows of ${rows.size} tables and ${auditFiles.length} audit files as of ${header.taken_at}, by ${singleLine(header.program)} on PostgreSQL ${singleLine(header.postgres)}\n`,
        );
      }
      end(exitCodes.ok);
    });
}
