// The flags of every command that runs or checks a worker: one per setting, from the worker's settings table.
import type { Command } from 'commander';
import type { SettingsSources } from '../../worker/settings/settings-layers.ts';
import { isWorkerSettingName, workerSettingRows } from '../../worker/settings/settings-table.ts';
import { collect } from '../core/command.ts';
import type { CliIo } from '../core/io.ts';

export type WorkerFlags = Readonly<Record<string, unknown>>;

/** One flag per setting; the token only as a file, and codebases by folder. */
export function withWorkerFlags(command: Command): Command {
  command.option('--config <file>', 'config file of the worker, YAML or JSON (A2A_WORKER_CONFIG)');
  command.option('--codebase <folder>', 'folder to register; may be repeated', collect);
  for (const [name, row] of Object.entries(workerSettingRows)) {
    if (row.secret === true || row.kind === 'objects') continue;
    const env = row.env === undefined ? '' : ` (${row.env})`;
    command.option(`--${name.replaceAll('_', '-')} <value>`, `${row.write}${env}`);
  }
  return command;
}

/** The sources of the worker's settings. */
export function workerSources(io: Pick<CliIo, 'env' | 'cwd' | 'hostname'>, flags: WorkerFlags): SettingsSources {
  const { env, cwd, hostname } = io;
  const settings: SettingsSources['flags'] = {};
  for (const [flag, value] of Object.entries(flags)) {
    const name = flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (isWorkerSettingName(name)) settings[name] = value;
  }
  const folders = flags['codebase'];
  if (Array.isArray(folders)) settings.codebases = folders.map((path: unknown) => ({ path }));
  const configFile = typeof flags['config'] === 'string' ? flags['config'] : undefined;
  return { flags: settings, configFile, env, cwd, hostname };
}
