// The flags of every command that runs or checks the service: one per setting, from the settings table.
import type { Command } from 'commander';
import type { LoadedConfig } from '../../server/config/config.ts';
import { flagName } from '../../server/config/setting-layers.ts';
import { serviceSettingNames, serviceSettingRows } from '../../server/config/setting-table.ts';
import type { CliIo } from '../core/io.ts';

/** Parsed flags by their camel-case names. */
export type ServiceFlags = Readonly<Record<string, unknown>>;

export function withServiceFlags(command: Command): Command {
  command.option(
    '--config <file>',
    'config file, YAML or JSON (default: switchyard.yaml in this folder, if it exists)',
  );
  for (const name of serviceSettingNames) {
    const { help, secret } = serviceSettingRows[name];
    const value = secret === true ? 'file' : 'value';
    command.option(`${flagName(name)} <${value}>`, secret === true ? `file with: ${help}` : help);
  }
  return command;
}

/**
 * @param localWorker the token of a worker that is started beside the service
 * @throws ConfigError
 */
export async function loadServiceConfig(io: CliIo, flags: ServiceFlags, localWorker?: string): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../server/config/config.ts');
  const { env, cwd, hostname, now, randomBytes } = io;
  const byName = serviceSettingNames.map((name): [string, string | undefined] => {
    const key = serviceSettingRows[name].secret === true ? `${name}_file` : name;
    return [key, asString(flags[camelCase(key)])];
  });
  return loadConfig({
    flags: Object.fromEntries(byName),
    configFile: asString(flags['config']),
    env,
    cwd,
    hostname,
    now,
    randomBytes,
    localWorker,
  });
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
