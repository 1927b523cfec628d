// The command `tools run`: runs a tool in the service's sandbox and prints its output.
import type { Command } from 'commander';
import { z } from 'zod';
import { toolRunAnswer } from '../../contracts/tools.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { parseToolName, toolHelp } from '../flags/tool-name.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly policy?: string;
  readonly arguments?: string;
}

const policies = z.enum(['default', 'restricted', 'custom']);
/** Longer than most operators allow a run to take; the client gives up on a longer one. */
const runTimeoutMs = 3_600_000;

/** Exits with 0 if the tool did, else with 1. */
export function toolsRunCommand({ io, end }: CommandContext): Command {
  return newCommand('run', 'run a tool in the sandbox of the service')
    .argument('<tool>', toolHelp)
    .option('--policy <policy>', 'default, restricted or custom', 'default')
    .option(
      '--arguments <json>',
      'JSON object; other users of this machine can read it, so prefer - for standard input',
    )
    .action(async (toolReference: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io, runTimeoutMs);
      const policy = policies.safeParse(flags.policy);
      if (!policy.success)
        throw new CliError(exitCodes.usage, 'bad_policy', '--policy is default, restricted or custom.');
      const { toolId, version } = parseToolName(toolReference);
      const body = {
        policy: policy.data,
        arguments: await readArguments(io, flags.arguments),
        version,
      };
      const call = client.api.POST('/v1/tools/{tool_id}/run', { params: { path: { tool_id: toolId } }, body });
      const answer = await client.read(call, toolRunAnswer);
      if (flags.json) printJson(io, answer);
      else printRun(io, answer);
      end(answer.exit_code === 0 ? exitCodes.ok : exitCodes.failed);
    });
}

const someObject = z.record(z.string(), z.unknown());

async function readArguments(io: CliIo, argument = '{}'): Promise<Record<string, unknown>> {
  const text = argument === '-' ? await io.readStdin() : argument;
  const parsed = someObject.safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new CliError(exitCodes.usage, 'no_json', '--arguments takes a JSON object, or - to read one.', '');
}

function printRun(io: CliIo, { stdout, stderr, exit_code, killed_by }: z.output<typeof toolRunAnswer>): void {
  // A terminal gets no control characters, so that a tool's output cannot control it. A pipe gets the bytes unchanged.
  io.out(io.terminal.out ? singleLines(stdout) : stdout);
  io.err(io.terminal.err ? singleLines(stderr) : stderr);
  if (killed_by !== null) io.err(`stopped by the sandbox: ${killed_by}\n`);
  else if (exit_code !== 0) io.err(`the tool exited with ${exit_code}\n`);
}

function singleLines(text: string): string {
  return text.split('\n').map(singleLine).join('\n');
}
