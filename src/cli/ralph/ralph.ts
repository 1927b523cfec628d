// The group of all `ralph` commands: autonomous runs.
import { Command } from 'commander';
import type { CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { importCommand, lintCommand } from './documents.ts';
import { retryRunCommand, startRunCommand } from './new-run.ts';
import { answerRunCommand } from './run-answer.ts';
import { bundleCommand, diffCommand, progressCommand } from './run-outputs.ts';
import { listRunsCommand, showRunCommand, watchRunCommand } from './run-show.ts';
import { steerRunCommands } from './run-steer.ts';

export function ralphCommand(run: CommandContext): Command {
  const group = new Command('ralph').description('autonomous runs: implement a PRD story by story');
  const commands = [
    startRunCommand(run),
    listRunsCommand(run),
    showRunCommand(run),
    watchRunCommand(run),
    answerRunCommand(run),
    ...steerRunCommands(run),
    retryRunCommand(run),
    progressCommand(run),
    diffCommand(run),
    bundleCommand(run),
    lintCommand(run),
    importCommand(run),
  ];
  for (const command of commands) group.addCommand(withConnection(command));
  return group;
}
