// The commands `okr run|watch|cancel` of runs.
import type { Command } from 'commander';
import { okrRunAnswer, type OkrRunWire } from '../../contracts/okr/okr-run.ts';
import { sleep } from '../../lib/wait.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { namesTemplate, templateOf, withTemplateFlags, type TemplateFlags } from '../flags/template-flags.ts';
import { readOkr } from './okr-read.ts';
import { describeRun, itemLine, titlesOf } from './okr-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface RunFlags extends Flags, TemplateFlags {
  readonly keyResult?: string[];
  readonly sequential?: true;
  readonly instructions?: string;
  readonly watch?: true;
}

const pollMs = 2_000;

export function okrRunCommands(run: CommandContext): Command[] {
  return [start(run), watch(run), cancel(run)];
}

function start({ io, end }: CommandContext): Command {
  const command = newCommand('run', 'let agents work on the open key results of an approved objective')
    .argument('<id>', 'id of the objective')
    .option('--key-result <id>', 'only this key result; repeated: several', collect)
    .option('--sequential', 'one key result after the other')
    .option('--instructions <text>', 'text for each prompt; the agent `command` runs an `sh` block in it')
    .option('--watch', 'follow the run; the exit code is its outcome');
  return withTemplateFlags(command).action(async (id: string, flags: RunFlags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const body = {
      key_result_ids: flags.keyResult,
      mode: flags.sequential ? ('sequential' as const) : undefined,
      instructions: flags.instructions,
      task_template: namesTemplate(flags) ? templateOf(flags) : undefined,
    };
    const { run } = await client.read(client.api.POST('/v1/okr/{id}/runs', { ...byId(id), body }), okrRunAnswer);
    if (flags.watch) end(await waitForRun(client, io, run, flags));
    else {
      // Standard output holds the id alone: `switchyard okr watch ID $(switchyard okr run ID)`.
      if (flags.json) printJson(io, { run });
      else io.out(`${run.run_id}\n`);
      end(exitCodes.ok);
    }
  });
}

const byRun = (id: string, runId: string) => ({ params: { path: { id, run_id: runId } } });

async function readRun(client: CliServiceClient, id: string, runId: string): Promise<OkrRunWire> {
  const call = client.api.GET('/v1/okr/{id}/runs/{run_id}', byRun(id, runId));
  return (await client.read(call, okrRunAnswer)).run;
}

function watch({ io, end }: CommandContext): Command {
  return newCommand('watch', 'follow a run; the exit code is its outcome')
    .argument('<id>', 'id of the objective')
    .argument('<run>', 'id of the run')
    .action(async (id: string, runId: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      end(await waitForRun(client, io, await readRun(client, id, runId), flags));
    });
}

/** @returns 0 completed, 1 failed or cancelled, 130 after Ctrl-C */
async function waitForRun(client: CliServiceClient, io: CliIo, first: OkrRunWire, { json }: Flags): Promise<ExitCode> {
  const { okr_id: okrId, run_id: runId } = first;
  const titles = titlesOf(await readOkr(client, okrId));
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  io.process.once('SIGINT', onSignal);
  try {
    const shown = new Map<string, string>();
    let run = first;
    for (;;) {
      for (const item of run.items) {
        if (shown.get(item.key_result_id) === item.status) continue;
        shown.set(item.key_result_id, item.status);
        if (!json) io.out(`${itemLine(item, titles)}\n`);
      }
      if (run.ended_at !== null) break;
      await sleep(pollMs, interrupt.signal);
      if (interrupt.signal.aborted) {
        io.err(`\nStopped watching; the run goes on. Watch it again: switchyard okr watch ${okrId} ${runId}\n`);
        return exitCodes.interrupted;
      }
      run = await readRun(client, okrId, runId);
    }
    if (json) printJson(io, { run });
    else io.out(`${run.status}\n`);
    return run.status === 'completed' ? exitCodes.ok : exitCodes.failed;
  } finally {
    io.process.off('SIGINT', onSignal);
  }
}

function cancel({ io, end }: CommandContext): Command {
  return newCommand('cancel', 'cancel a run and its open tasks')
    .argument('<id>', 'id of the objective')
    .argument('<run>', 'id of the run')
    .action(async (id: string, runId: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { ...byRun(id, runId), body: {} };
      const { run } = await client.read(client.api.POST('/v1/okr/{id}/runs/{run_id}/cancel', request), okrRunAnswer);
      if (flags.json) printJson(io, { run });
      else io.out(describeRun(run, titlesOf(await readOkr(client, id))));
      end(exitCodes.ok);
    });
}
