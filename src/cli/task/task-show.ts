// The command `task show`: prints one task for people, or its diff for `git apply`.
import { artifactAnswer, artifactList } from '../../contracts/event.ts';
import { taskAnswer, type TaskWire } from '../../contracts/task.ts';
import { allPages } from '../core/all-pages.ts';
import { CliError } from '../core/cli-error.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { fields, singleLine, printJson } from '../core/output.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';

export interface ShowFlags {
  readonly json?: true;
  readonly diff?: true;
}

/** @throws CliError not_found; also (exit code 5) when there is no diff */
export async function showTask(client: CliServiceClient, io: CliIo, id: string, flags: ShowFlags): Promise<ExitCode> {
  const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(id)), taskAnswer);
  const artifacts = await allPages(
    (query) => {
      const params = { ...byId(id).params, query };
      return client.read(client.api.GET('/v1/agent/tasks/{id}/artifacts', { params }), artifactList);
    },
    (page) => page.artifacts,
  );
  if (flags.diff === true) {
    const diff = await readDiff(client, id, artifacts.findLast(({ name }) => name === 'diff')?.artifact_id);
    if (flags.json) printJson(io, { task_id: task.id, diff: diff.toString() });
    else io.out(diff);
    return exitCodes.ok;
  }
  if (flags.json) printJson(io, { task, artifacts });
  else
    printTask(
      io,
      task,
      artifacts.map(({ name, size }) => `${singleLine(name)} (${size} bytes)`),
    );
  return exitCodes.ok;
}

async function readDiff(client: CliServiceClient, id: string, artifactId: string | undefined): Promise<Buffer> {
  if (artifactId === undefined) {
    throw new CliError(exitCodes.notFound, 'no_diff', 'This task has no diff: its agent has changed no file (yet).');
  }
  const params = { path: { id, artifact_id: artifactId } };
  const call = client.api.GET('/v1/agent/tasks/{id}/artifacts/{artifact_id}', { params });
  const { artifact } = await client.read(call, artifactAnswer);
  return artifact.text === undefined ? Buffer.from(artifact.bytes ?? '', 'base64') : Buffer.from(artifact.text);
}

function printTask(io: CliIo, task: TaskWire, artifacts: readonly string[]): void {
  const rows: [string, string | null | undefined][] = [
    ['id', task.id],
    ['title', task.title],
    ['status', task.waiting_reason === undefined ? task.status : `${task.status} (${task.waiting_reason})`],
    ['codebase', task.codebase_id],
    ['agent', task.agent_type],
    ['model', task.model],
    ['priority', task.priority === 0 ? null : String(task.priority)],
    ['worker', task.worker_id],
    ['attempt', task.attempt === 0 ? null : `${task.attempt} of ${task.max_attempts}`],
    ['created', `${task.created_at} by ${task.created_by}`],
    ['started', task.started_at],
    ['ended', task.completed_at],
    ['retry of', task.retry_of],
    ['usage', task.usage === null ? null : usageLine(task.usage)],
    ['error', task.error === null ? null : `${task.error.code}: ${task.error.message}`],
    ['question', task.question?.text],
    ['options', task.question === null ? null : optionsLine(task.question.options)],
    ['left', artifacts.length === 0 ? null : artifacts.join(', ')],
  ];
  io.out(fields(rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]]))));
  if (task.result !== null && task.result !== '') io.out(`\n${task.result}\n`);
}

/** The values, which `task answer --option` takes, each with its label where that says more. */
function optionsLine(options: NonNullable<TaskWire['question']>['options']): string | null {
  if (options.length === 0) return null;
  return options.map(({ value, label }) => (value === label ? value : `${value} (${label})`)).join(', ');
}

function usageLine(usage: NonNullable<TaskWire['usage']>): string {
  const { input_tokens, output_tokens, cost_usd, duration_ms } = usage;
  const parts = [
    input_tokens === undefined ? '' : `${input_tokens} tokens in`,
    output_tokens === undefined ? '' : `${output_tokens} tokens out`,
    cost_usd === undefined ? '' : `$${cost_usd.toFixed(4)}`,
    duration_ms === undefined ? '' : `${(duration_ms / 1000).toFixed(1)} s`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
