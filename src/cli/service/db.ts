// The commands `db setup` and `db status`: prepare an operator's own PostgreSQL for the service. choices-1.
import path from 'node:path';
import { Command } from 'commander';
import type { ServiceConfig } from '../../server/config/service-config.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { printChecks } from '../core/doctor-check.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';
import { findOwnerUrl, type OwnerUrlFlags } from './owner-url.ts';
import { assertWritable, replaceFile } from '../core/private-file.ts';
import { durationArgument } from '../flags/duration-argument.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

interface SetupFlags extends OwnerUrlFlags {
  readonly database?: string;
  readonly login?: string;
  readonly rotatePassword?: true;
  readonly output?: string;
  readonly json?: true;
}

export function dbCommand(run: CommandContext): Command {
  return new Command('db')
    .description('use your own PostgreSQL instead of the embedded one')
    .addCommand(setupCommand(run))
    .addCommand(statusCommand(run));
}

function setupCommand({ io, end }: CommandContext): Command {
  return newCommand('setup', "create roles, database, tables and the service's login; print its address once")
    .option('--owner-url <address>', 'superuser, or a login that may create roles (better: SWITCHYARD_OWNER_URL)')
    .option('--owner-url-file <file>', 'file with that address (SWITCHYARD_OWNER_URL_FILE)')
    .option('--database <name>', 'database to set up (default: the one in the address, or switchyard)')
    .option('--login <name>', "the service's login; switchyard_service by default")
    .option('--rotate-password', 'give an existing login a new password')
    .option('--output <file>', 'write the address to this file, readable by you only, instead of printing it')
    .action(async (flags: SetupFlags) => {
      const ownerUrl = await findOwnerUrl(io, flags);
      const { setUpServiceDatabase } = await import('../../server/start/database-setup.ts');
      const { database, login, rotatePassword = false } = flags;
      if (flags.output !== undefined) await assertWritable(path.resolve(io.cwd, flags.output));
      await printSetup(io, await setUpServiceDatabase({ ownerUrl, database, login, rotatePassword }), flags);
      end(exitCodes.ok);
    });
}

type SetUp = Awaited<ReturnType<typeof import('../../server/start/database-setup.ts').setUpServiceDatabase>>;

/** Standard output holds only the address; everything else goes to standard error. */
async function printSetup(io: CliIo, setup: SetUp, { json, output }: SetupFlags): Promise<void> {
  const { address, hasPassword, login, database, created, migrated } = setup;
  const file = hasPassword && output !== undefined ? path.resolve(io.cwd, output) : undefined;
  if (file !== undefined) await replaceFile(file, `${address}\n`);
  if (json === true) {
    const password = hasPassword ? 'new' : 'kept';
    const shown = file === undefined ? address : null;
    return printJson(io, { database_url: shown, output: file ?? null, password, login, database, created, migrated });
  }
  io.err(`created ${joinNames(created)}; migrated ${joinNames(migrated)}\n`);
  if (!hasPassword) {
    io.err(
      `The login ${singleLine(login)} keeps its password, which is not shown again; --rotate-password generates a new one.\n`,
    );
  }
  if (file === undefined) io.out(`${address}\n`);
  else io.out(`The address is in ${singleLine(file)}: start the service with DATABASE_URL_FILE=${singleLine(file)}\n`);
  if (hasPassword && file === undefined) {
    io.err('This is DATABASE_URL; it is shown once. `switchyard doctor` proves that it keeps tenants apart.\n');
  }
  io.err('Before you start a later version, run this command of that version: it migrates the database.\n');
}

function joinNames(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map(singleLine).join(', ');
}

function statusCommand({ io, end }: CommandContext): Command {
  const command = newCommand('status', 'check the database: login, migrations, isolation of tenants').option(
    '--wait <duration>',
    'wait so long until the database at DATABASE_URL answers and is migrated; seconds, or 5m',
    durationArgument,
  );
  return withServiceFlags(command).action(async (flags: ServiceFlags & { readonly wait?: number }) => {
    const { config } = await loadServiceConfig(io, flags);
    const { checkDatabase } = await import('../doctor/doctor-database.ts');
    const isReady = flags.wait === undefined || (await awaitDatabase(io, config, flags.wait));
    const code = printChecks(io, await checkDatabase(io, config), flags['json'] === true);
    end(isReady ? code : exitCodes.failed);
  });
}

/** @returns false when the time is over. @throws CliError without an address; StartError when waiting does not help */
async function awaitDatabase(io: CliIo, { databaseUrl }: ServiceConfig, seconds: number): Promise<boolean> {
  if (databaseUrl === undefined) {
    const message = '--wait needs DATABASE_URL: the embedded PostgreSQL is started and migrated by the service.';
    throw new CliError(exitCodes.usage, 'no_database_url', message);
  }
  const { waitForDatabase } = await import('../../server/start/wait-for-database.ts');
  const note = (reason: string): void => io.err(`waiting for the database: ${singleLine(reason)}\n`);
  return waitForDatabase(databaseUrl, { seconds, note });
}
