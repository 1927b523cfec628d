// The command `doctor`: can everything run here, and if not, what to do.
import type { Command } from 'commander';
import { newCommand, type Run } from './command.ts';
import type { Check } from './doctor-check.ts';
import { exitCodes } from './exit-codes.ts';
import { plain, printJson } from './output.ts';
import { loadServiceConfig, withServiceFlags, type ServiceFlags } from './service-flags.ts';

export function doctorCommand({ io, end }: Run): Command {
  const command = newCommand('doctor', 'look whether everything can run here').action(async (flags: ServiceFlags) => {
    const { config } = await loadServiceConfig(io, flags);
    const { checkAll } = await import('./run-doctor.ts');
    const checks = await checkAll(io, config);
    const failed = checks.some(({ state }) => state === 'fail');
    if (flags['json'] === true) printJson(io, { ok: !failed, checks });
    else io.out(checks.map(lineOf).join(''));
    end(failed ? exitCodes.failed : exitCodes.ok);
  });
  return withServiceFlags(command);
}

function lineOf({ name, state, found, remedy }: Check): string {
  const line = `${state.padEnd(4)}  ${name.padEnd(14)}  ${plain(found)}\n`;
  return remedy === '' ? line : `${line}${' '.repeat(22)}→ ${remedy}\n`;
}
