// The command `migrate`: brings the database to this version, without running the service.
import type { Command } from 'commander';
import type { DatabaseConfig } from '../server/database.ts';
import { makeDataDir } from './cli-file.ts';
import { newCommand, type Run } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { CliIo } from './io.ts';
import { printJson } from './output.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from './service-flags.ts';

export function migrateCommand({ io, end }: Run): Command {
  const command = newCommand('migrate', 'bring the database to this version').action(async (flags: ServiceFlags) => {
    const { config } = await loadServiceConfig(io, flags);
    const json = flags['json'] === true;
    const lines: string[] = [];
    if (config.databaseUrl === undefined) await makeDataDir(config.dataDir);
    const description = await migrated(io, config, (line) => {
      lines.push(line);
      if (!json) io.out(`${line}\n`);
    });
    if (json) printJson(io, { database: description, log: lines });
    else io.out(`${description} is up to date.\n`);
    end(exitCodes.ok);
  });
  return withServiceFlags(command);
}

async function migrated({ env }: CliIo, config: DatabaseConfig, log: (line: string) => void): Promise<string> {
  const [{ openDatabase }, { explainStartFailure }] = await Promise.all([
    import('../server/database.ts'),
    import('../server/start-failure.ts'),
  ]);
  try {
    await using database = await openDatabase(config, { env, log });
    return database.description;
  } catch (error) {
    throw explainStartFailure(error);
  }
}
