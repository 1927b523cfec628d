// The commands `ralph run|retry`: create a run from a PRD file, or anew from a finished run.
import type { Command } from 'commander';
import { createdRun } from '../../contracts/ralph/create-run.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson, singleLine } from '../core/output.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';
import {
  retryBody,
  runOptionsBody,
  withRetryFlags,
  withRunFlags,
  type RetryFlags,
  type RunFlags,
} from '../flags/run-flags.ts';
import { resolveCodebase } from '../task/codebases.ts';
import { programCommand } from '../task/first-task.ts';
import { findingLine, readPrd } from './prd-file.ts';
import { waitForRun } from './run-wait.ts';

type CreatedRun = (typeof createdRun)['_output'];

export function startRunCommand(run: CommandContext): Command {
  const { io } = run;
  const command = newCommand('run', 'start a run: implement a PRD story by story')
    .argument('<file>', 'PRD in YAML, JSON or Markdown; - for standard input')
    .action(async (file: string, flags: ClientFlags & RunFlags) => {
      const client = await openClient(run, flags);
      const prd = await readPrd(client, io, file);
      const codebaseId = await resolveCodebase(client, io, flags.codebase ?? '.');
      const body = { prd, codebase_id: codebaseId, ...runOptionsBody(flags) };
      const created = await client.read(client.api.POST('/v1/ralph/runs', { body }), createdRun);
      await endWithRun(run, client, created, flags);
    });
  return withRunFlags(command);
}

export function retryRunCommand(run: CommandContext): Command {
  const command = newCommand('retry', 'go on with a finished run as a new run, without its passed stories')
    .argument('<run>', 'id of the finished run')
    .action(async (id: string, flags: ClientFlags & RetryFlags) => {
      const client = await openClient(run, flags);
      const call = client.api.POST('/v1/ralph/runs/{id}/retry', { ...byId(id), body: retryBody(flags) });
      await endWithRun(run, client, await client.read(call, createdRun), flags);
    });
  return withRetryFlags(command);
}

/** Prints the new run, and follows it where it is asked for. */
export async function endWithRun(
  { io, end }: CommandContext,
  client: CliServiceClient,
  created: CreatedRun,
  flags: { readonly json?: true; readonly watch?: true },
): Promise<void> {
  const json = flags.json === true;
  if (json) printJson(io, created);
  else {
    io.out(`${created.run_id}\n`);
    io.err(`${singleLine(created.message)}\n`);
    for (const warning of created.warnings) io.err(`${findingLine('warning', warning)}\n`);
  }
  if (flags.watch === true) return end(await waitForRun(client, io, created.run_id, { json }));
  if (!json) io.err(`Watch it: ${await programCommand(io)} ralph watch ${created.run_id}\n`);
  end(exitCodes.ok);
}
