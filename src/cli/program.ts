// The command line: its commands, and the text and exit code of each error.
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../server/config/errors/config-error.ts';
import { StartError } from '../server/config/errors/start-error.ts';
import { SettingsError } from '../worker/settings/settings-error.ts';
import { CliError } from './core/cli-error.ts';
import { clusterCommand } from './cluster/cluster.ts';
import { codebaseCommand } from './task/codebases.ts';
import { newCommand, type CommandContext } from './core/command.ts';
import { analyticsCommand } from './analytics/analytics.ts';
import { cronCommand } from './cron/cron.ts';
import { backupCommand } from './backup/backup.ts';
import { restoreCommand } from './backup/restore.ts';
import { okrCommand } from './okr/okr.ts';
import { attentionCommand } from './admin/attention.ts';
import { auditCommand } from './admin/audit.ts';
import { configCommand } from './service/config-print.ts';
import { dbCommand } from './service/db.ts';
import { discoveryCommand } from './admin/discovery.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { exitCodeLines, exitCodes, type ExitCode } from './core/exit-codes.ts';
import type { CliIo } from './core/io.ts';
import { keyCommand } from './admin/key.ts';
import { mcpCommand } from './tools/mcp.ts';
import { openCommand } from './service/open.ts';
import { migrateCommand } from './service/migrate.ts';
import { singleLine, printJson } from './core/output.ts';
import { prdCommand } from './prd/prd.ts';
import { ralphCommand } from './ralph/ralph.ts';
import { serveCommand } from './service/serve.ts';
import { logsCommand, taskCommand } from './task/tasks.ts';
import { tenantCommand } from './admin/tenant.ts';
import { toolsCommand } from './tools/tools.ts';
import { upCommand } from './up/up.ts';
import { usageCommand } from './admin/usage.ts';
import { userCommand } from './admin/user.ts';
import { workerCommand } from './worker/worker.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** Runs the command that `io.argv` names. @returns its exit code; throws only unexpected errors */
export async function runCommandLine(io: CliIo): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const run: CommandContext = {
    io,
    end: (ended) => {
      code = ended;
    },
  };
  const program = createProgram(run);
  try {
    await program.parseAsync([...io.argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const cliError = toCliError(error);
    if (cliError === undefined) throw error;
    printError(io, cliError);
    return cliError.exitCode;
  }
}

function createProgram(run: CommandContext): Command {
  const { io } = run;
  const program = new Command('switchyard')
    .description('A coordination server and durable task queue for AI agents')
    .version(io.version);
  const commands = [
    upCommand(run),
    serveCommand(run),
    openCommand(run),
    workerCommand(run),
    migrateCommand(run),
    dbCommand(run),
    backupCommand(run),
    restoreCommand(run),
    doctorCommand(run),
    codebaseCommand(run),
    taskCommand(run),
    logsCommand(run),
    attentionCommand(run),
    cronCommand(run),
    analyticsCommand(run),
    okrCommand(run),
    ralphCommand(run),
    prdCommand(run),
    keyCommand(run),
    userCommand(run),
    tenantCommand(run),
    discoveryCommand(run),
    auditCommand(run),
    usageCommand(run),
    clusterCommand(run),
    mcpCommand(run),
    toolsCommand(run),
    configCommand(run),
    helpCommand(run, program),
  ];
  for (const command of commands) program.addCommand(command);
  program.helpCommand(false);
  program.addHelpText('after', '\nExit codes (also: switchyard help exit-codes):\n' + exitCodeLines().join('\n'));
  forEachCommand(program, (command) => {
    command.exitOverride();
    command.configureOutput({ writeOut: io.out, writeErr: io.err });
    command.showHelpAfterError('(see --help)');
  });
  return program;
}

/** `help [command…]`, and `help exit-codes`. */
function helpCommand({ io, end }: CommandContext, program: Command): Command {
  return newCommand('help', 'show help for a command, or for exit-codes')
    .argument('[command...]', 'its name')
    .action((commandPath: string[], flags: { json?: true }) => {
      if (commandPath[0] === 'exit-codes') {
        if (flags.json) printJson(io, { exit_codes: exitCodes });
        else io.out(`${exitCodeLines().join('\n')}\n`);
        return end(exitCodes.ok);
      }
      let found = program;
      for (const commandName of commandPath) {
        const next = found.commands.find((command) => command.name() === commandName);
        if (next === undefined) {
          throw new CliError(
            exitCodes.usage,
            'unknown_command',
            `There is no command ${singleLine(commandPath.join(' '))}.`,
          );
        }
        found = next;
      }
      io.out(found.helpInformation());
      end(exitCodes.ok);
    });
}

function forEachCommand(command: Command, action: (command: Command) => void): void {
  action(command);
  for (const child of command.commands) forEachCommand(child, action);
}

function toCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof StartError) return new CliError(exitCodes.failed, error.code, error.message, error.remedy);
  if (error instanceof ConfigError || error instanceof SettingsError) {
    const remedy = '`switchyard config print` shows every setting with its origin.';
    return new CliError(exitCodes.usage, 'bad_setting', error.message, remedy);
  }
  return undefined;
}

/** Prints one line and a remedy. */
function printError(io: CliIo, { code, message, remedy }: CliError): void {
  if (io.argv.includes('--json')) {
    io.err(`${JSON.stringify({ error: { code, message, remedy } })}\n`);
    return;
  }
  io.err(`error: ${singleLine(message)}\n`);
  if (remedy !== '') io.err(`  ${singleLine(remedy)}\n`);
}

const manifest = z.object({ version: z.string() });

/** @param root the package's folder @throws when there is no package.json with a version */
export async function readVersion(root: string): Promise<string> {
  return manifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))).version;
}
