// The commands `cron list|show|runs|validate`.
import { Option, type Command } from 'commander';
import { z } from 'zod';
import {
  cronjobAnswer,
  cronjobPage,
  cronjobRunPage,
  cronjobRunStatus,
  cronVerdict,
  type CronjobRunWire,
  type CronjobWire,
} from '../../contracts/schedules/cronjob.ts';
import { allPages } from '../core/all-pages.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, shorten, singleLine, table } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function cronReadCommands(run: CommandContext): Command[] {
  return [list(run), show(run), runs(run), validate(run)];
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list jobs, newest first')
    .option('--enabled', 'only enabled jobs')
    .option('--disabled', 'only disabled jobs')
    .option('--q <text>', 'only jobs with this text in their name')
    .action(async ({ enabled, disabled, q, ...flags }: Flags & { enabled?: true; disabled?: true; q?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const filter = { enabled: enabled === disabled ? undefined : enabled === true, q };
      const jobs = await allPages(
        async (page) =>
          client.read(client.api.GET('/v1/cronjobs', { params: { query: { ...filter, ...page } } }), cronjobPage),
        (page) => page.cronjobs,
      );
      if (flags.json) printJson(io, { cronjobs: jobs });
      else io.out(table(['ID', 'NAME', 'CRON', 'ZONE', 'NEXT', 'LAST', 'RUNS', 'FAILED'], jobs.map(rowOf)));
      end(exitCodes.ok);
    });
}

function rowOf(job: CronjobWire): string[] {
  return [
    job.cronjob_id,
    shorten(job.name, 30),
    job.cron,
    job.timezone,
    job.next_due_at ?? (job.enabled ? 'ended' : 'off'),
    job.last_due_at ?? 'never',
    String(job.run_count),
    String(job.failure_count),
  ];
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'show a job')
    .argument('<id>', 'id of the job')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { cronjob } = await client.read(client.api.GET('/v1/cronjobs/{id}', byId(id)), cronjobAnswer);
      if (flags.json) printJson(io, { cronjob });
      else io.out(describeJob(cronjob));
      end(exitCodes.ok);
    });
}

/** One line for each fact of a job. */
export function describeJob(job: CronjobWire): string {
  const lines = [
    `${job.cronjob_id}  ${singleLine(job.name)}`,
    `  ${job.cron}  ${job.timezone}${job.enabled ? '' : '  (off)'}`,
    ...(job.description === null ? [] : [`  about:    ${singleLine(shorten(job.description, 80))}`]),
    `  next:     ${job.next_due_at ?? '-'}`,
    `  last:     ${job.last_due_at ?? '-'}`,
    ...(job.starts_at === null ? [] : [`  from:     ${job.starts_at}`]),
    ...(job.ends_at === null ? [] : [`  until:    ${job.ends_at}`]),
    `  overlap:  ${job.overlap}, catch-up: ${job.catch_up}, jitter: ${job.jitter_seconds} s`,
    `  runs:     ${job.run_count}, failed: ${job.failure_count}`,
    `  owner:    ${singleLine(job.owner)}`,
    `  task:     ${singleLine(shorten(job.task_template.title ?? job.task_template.prompt, 80))}`,
    ...(job.last_error === null
      ? []
      : [`  error:    ${singleLine(`${job.last_error.code}: ${job.last_error.message}`)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function runs({ io, end }: CommandContext): Command {
  return newCommand('runs', 'list the runs of a job, newest first')
    .argument('<id>', 'id of the job')
    .addOption(new Option('--status <status>', 'only runs of this status').choices(cronjobRunStatus.options))
    .action(async (id: string, { status, ...flags }: Flags & { status?: CronjobRunWire['status'] }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const found = await allPages(
        async (page) => {
          const params = { path: { id }, query: { ...page, status } };
          return client.read(client.api.GET('/v1/cronjobs/{id}/runs', { params }), cronjobRunPage);
        },
        (page) => page.runs,
      );
      if (flags.json) printJson(io, { runs: found });
      else io.out(table(['DUE', 'STATUS', 'BY', 'TASK', 'REASON'], found.map(runRow)));
      end(exitCodes.ok);
    });
}

function runRow({ due_at, status, trigger, task_id, reason, missed_count, error }: CronjobRunWire): string[] {
  const count = missed_count === null ? '' : ` (${missed_count})`;
  return [
    due_at,
    `${status}${count}`,
    trigger,
    task_id ?? '-',
    shorten(singleLine(error?.message ?? reason ?? ''), 60),
  ];
}

function validate({ io, end }: CommandContext): Command {
  return newCommand('validate', 'validate a cron expression and print its next five times')
    .argument('<cron>', 'five fields in quotes, or @hourly, @daily, @weekly, @monthly, @yearly')
    .option('--timezone <zone>', 'IANA time zone (default: UTC)')
    .action(async (cron: string, { timezone, ...flags }: Flags & { timezone?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { cron, timezone };
      const verdict: z.output<typeof cronVerdict> = await client.read(
        client.api.POST('/v1/cronjobs/validate', { body }),
        cronVerdict,
      );
      if (flags.json) printJson(io, verdict);
      else if (verdict.valid) io.out(verdict.next.map(({ at, local }) => `${local}  ${at}\n`).join(''));
      if (!verdict.valid) throw new CliError(exitCodes.usage, verdict.error.code, verdict.error.message);
      end(exitCodes.ok);
    });
}
