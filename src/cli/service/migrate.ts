// The command `migrate`: migrates the database to this version without running the service.
import type { Command } from 'commander';
import type { DatabaseConfig } from '../../server/start/database.ts';
import { makeDataDir } from '../core/cli-file.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';

export function migrateCommand({ io, end }: CommandContext): Command {
  const command = newCommand('migrate', 'migrate the database to this version').action(async (flags: ServiceFlags) => {
    const { config } = await loadServiceConfig(io, flags);
    const json = flags['json'] === true;
    const lines: string[] = [];
    if (config.databaseUrl === undefined) await makeDataDir(config.dataDir);
    const description = await runMigrations(io, config, (line) => {
      lines.push(line);
      if (!json) io.out(`${line}\n`);
    });
    if (json) printJson(io, { database: description, log: lines });
    else io.out(`${description} is up to date.\n`);
    end(exitCodes.ok);
  });
  return withServiceFlags(command);
}

async function runMigrations({ env }: CliIo, config: DatabaseConfig, log: (line: string) => void): Promise<string> {
  const [{ openDatabase }, { explainStartFailure }] = await Promise.all([
    import('../../server/start/database.ts'),
    import('../../server/start/start-failure.ts'),
  ]);
  try {
    await using database = await openDatabase(config, { env, log });
    return database.description;
  } catch (error) {
    throw explainStartFailure(error);
  }
}
