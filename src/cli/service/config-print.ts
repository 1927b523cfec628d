// The command `config print`: each setting's value and origin, secrets masked. choices-1.
import { Command } from 'commander';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, table } from '../core/output.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from '../flags/service-flags.ts';
import { withWorkerFlags, workerSources } from '../flags/worker-flags.ts';

interface ShownRow {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
}

export function configCommand({ io, end }: CommandContext): Command {
  const print = newCommand('print', 'print each setting of the service with its origin');
  withServiceFlags(print).action(async (flags: ServiceFlags) => {
    const { shown } = await loadServiceConfig(io, flags);
    printSettings(shown, flags['json'] === true);
  });
  const worker = newCommand('print-worker', 'print each setting of a worker with its origin');
  withWorkerFlags(worker).action(async (flags: ServiceFlags) => {
    const { loadSettings } = await import('../../worker/settings/settings.ts');
    const { shown } = await loadSettings(workerSources(io, flags));
    printSettings(shown, flags['json'] === true);
  });
  return new Command('config').description('settings').addCommand(print).addCommand(worker);

  function printSettings(shown: readonly ShownRow[], json: boolean): void {
    if (json) printJson(io, { settings: shown });
    else {
      const rows = shown.map(({ name, value, origin }) => [name, formatValue(value), origin]);
      io.out(table(['SETTING', 'VALUE', 'ORIGIN'], rows));
    }
    end(exitCodes.ok);
  }
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
