// The commands `task bulk cancel|retry|priority`: the same change of many tasks, by id or by a filter. ui-6.10.
import { Command } from 'commander';
import { bulkAnswer, type BulkAnswerWire } from '../../contracts/task.ts';
import { CliError } from '../core/cli-error.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { resolveCodebase } from './codebases.ts';

interface BulkFlags extends ConnectionFlags {
  readonly json?: true;
  readonly dryRun?: true;
  readonly status?: string[];
  readonly codebase?: string;
  readonly createdBy?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly errorCode?: string;
  readonly targetAgent?: string;
}

type Change = { readonly action: 'cancel' | 'retry' } | { readonly action: 'priority'; readonly priority: number };

export function bulkCommand(run: CommandContext): Command {
  const group = new Command('bulk').description('change many tasks at once, each as by its own command');
  const plain = (action: 'cancel' | 'retry', summary: string): Command =>
    withFilter(newCommand(action, summary))
      .argument('[tasks...]', 'ids of the tasks')
      .action((ids: string[], flags: BulkFlags) => changeMany(run, { action }, ids, flags));
  group.addCommand(plain('cancel', 'cancel unfinished tasks'));
  group.addCommand(plain('retry', 'run finished tasks again, as new tasks'));
  group.addCommand(
    withFilter(newCommand('priority', 'set the priority of pending tasks'))
      .argument('<priority>', 'from 0 to 100, higher first', integerArgument)
      .argument('[tasks...]', 'ids of the tasks')
      .action((priority: number, ids: string[], flags: BulkFlags) =>
        changeMany(run, { action: 'priority', priority }, ids, flags),
      ),
  );
  return group;
}

function withFilter(base: Command): Command {
  return withConnection(base)
    .option('--dry-run', 'change nothing, print what would be done')
    .option('--status <status>', 'tasks in this state; may be repeated', collect)
    .option('--codebase <codebase>', 'tasks of this codebase: id, name or path')
    .option('--created-by <subject>', 'tasks that this subject created')
    .option('--created-after <time>', 'tasks created after this time, ISO 8601')
    .option('--created-before <time>', 'tasks created before this time, ISO 8601')
    .option('--error-code <code>', 'tasks that failed with this error')
    .option('--target-agent <name>', 'tasks for this agent or worker name');
}

async function changeMany({ io, end }: CommandContext, change: Change, ids: string[], flags: BulkFlags): Promise<void> {
  const client = createCliServiceClient(await findConnection(io, flags), io);
  const { codebase } = flags;
  const codebaseId = codebase === undefined ? undefined : await resolveCodebase(client, io, codebase);
  const filter = filterOf(flags, codebaseId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered === ids.length > 0) {
    throw new CliError(exitCodes.usage, 'no_tasks', 'Name tasks by their ids, or by at least one filter, not both.');
  }
  const body = { ...change, ...(isFiltered ? { filter } : { ids }), dry_run: flags.dryRun === true };
  const results: BulkAnswerWire['results'] = [];
  let cursor: string | null = null;
  do {
    const page: BulkAnswerWire = await client.read(
      client.api.POST('/v1/agent/tasks/bulk', { body: { ...body, cursor: cursor ?? undefined } }),
      bulkAnswer,
    );
    results.push(...page.results);
    cursor = page.next_cursor;
  } while (cursor !== null);
  if (flags.json) printJson(io, { matched: results.length, results });
  else io.out(bulkTable(results, flags.dryRun === true));
  end(results.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.conflict);
}

function filterOf(flags: BulkFlags, codebaseId: string | undefined) {
  return {
    status: flags.status,
    codebase_id: codebaseId,
    created_by: flags.createdBy,
    created_after: flags.createdAfter,
    created_before: flags.createdBefore,
    error_code: flags.errorCode,
    target_agent: flags.targetAgent,
  };
}

function bulkTable(results: BulkAnswerWire['results'], isDryRun: boolean): string {
  const done = isDryRun ? 'would be done' : 'done';
  const rows = results.map(({ id, ok, code, task_id }) => [id, ok ? (task_id ?? done) : (code ?? 'refused')]);
  const count = results.filter(({ ok }) => ok).length;
  return `${results.length === 0 ? '' : table(['ID', 'RESULT'], rows)}${count} of ${results.length} ${done}\n`;
}
