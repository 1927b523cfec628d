// The commands `okr …`: objectives, their key results, and runs in which agents work on them.
import { Command } from 'commander';
import type { CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { okrChangeCommands } from './okr-change.ts';
import { keyResultCommands } from './okr-key-results.ts';
import { okrReadCommands } from './okr-read.ts';
import { okrRunCommands } from './okr-run.ts';

export function okrCommand(run: CommandContext): Command {
  const group = new Command('okr').description('objectives and key results, and agents that work on them');
  const commands = [
    ...okrReadCommands(run),
    ...okrChangeCommands(run),
    ...keyResultCommands(run),
    ...okrRunCommands(run),
  ];
  for (const command of commands) group.addCommand(withConnection(command));
  return group;
}
