// The commands `cron …`: jobs that create a task at each due time.
import { Command } from 'commander';
import type { CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { cronChangeCommands } from './cron-change.ts';
import { cronReadCommands } from './cron-read.ts';

export function cronCommand(run: CommandContext): Command {
  const group = new Command('cron').description('run tasks at set times');
  for (const command of [...cronReadCommands(run), ...cronChangeCommands(run)]) {
    group.addCommand(withConnection(command));
  }
  return group;
}
