// The commands `analytics funnel list|show|write|delete`.
import { Command } from 'commander';
import {
  funnelAnswer,
  funnelPage,
  funnelReport,
  type FunnelReportWire,
  type FunnelWire,
} from '../../contracts/analytics/funnel.ts';
import { allPages } from '../core/all-pages.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { printJson, shorten, singleLine, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

/** Characters of the longest bar. */
const barWidth = 30;

export function funnelCommands(run: CommandContext): Command {
  const group = new Command('funnel').description('count people along steps');
  for (const command of [list(run), show(run), write(run), remove(run)]) group.addCommand(withConnection(command));
  return group;
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list the funnels').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const funnels = await allPages(
      async (query) => client.read(client.api.GET('/v1/analytics/funnels', { params: { query } }), funnelPage),
      (page) => page.funnels,
    );
    if (flags.json) printJson(io, { funnels });
    else io.out(table(['ID', 'NAME', 'WINDOW', 'STEPS'], funnels.map(rowOf)));
    end(exitCodes.ok);
  });
}

function rowOf({ funnel_id, name, window_hours, steps }: FunnelWire): string[] {
  return [funnel_id, shorten(name, 40), `${window_hours} h`, steps.map((step) => step.name ?? step.event).join(' > ')];
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'count the people along a funnel')
    .argument('[id]', 'id of the funnel', 'default')
    .option('--days <n>', 'people who began in the last days, 1 to 365 (default: 7)', integerArgument)
    .action(async (id: string, { days, ...flags }: Flags & { days?: number }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const query = { funnel_id: id, ...(days === undefined ? {} : { days }) };
      const report = await client.read(client.api.GET('/v1/analytics/funnel', { params: { query } }), funnelReport);
      if (flags.json) printJson(io, report);
      else io.out(describeReport(report));
      end(exitCodes.ok);
    });
}

function describeReport(report: FunnelReportWire): string {
  const { total_entered: entered, total_converted: converted } = report;
  const rows = report.steps.map((step) => [
    step.step_name,
    String(step.count),
    percent(step.conversion_rate),
    percent(step.overall_rate),
    String(step.dropped),
    '█'.repeat(Math.round((step.overall_rate ?? 0) * barWidth)),
  ]);
  const median = report.median_seconds_to_convert;
  return [
    `${singleLine(report.funnel_name)}  (${report.funnel_id}, window ${report.window_hours} h)\n`,
    `${report.date_range_start.slice(0, 10)} to ${report.date_range_end.slice(0, 10)}: `,
    `${converted} of ${entered} people, ${percent(report.overall_conversion_rate)}`,
    median === null ? '\n' : `, half of them within ${durationOf(median)}\n`,
    table(['STEP', 'PEOPLE', 'OF BEFORE', 'OF FIRST', 'DROPPED', ''], rows),
  ].join('');
}

function percent(rate: number | null): string {
  return rate === null ? '-' : `${(rate * 100).toFixed(1)} %`;
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

function write({ io, end }: CommandContext): Command {
  return newCommand('write', 'write a funnel, or replace it')
    .argument('<id>', 'id of the funnel; default replaces the built-in one')
    .requiredOption('--step <event>', 'the next step, by the name of its event; once for each', collect)
    .option('--name <text>', 'name of the funnel (default: its id)')
    .option('--window <hours>', 'from the first step to the last, 1 to 2160 (default: 168)', integerArgument)
    .action(async (id: string, flags: Flags & { step: string[]; name?: string; window?: number }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = {
        name: flags.name ?? id,
        steps: flags.step.map((event) => ({ event })),
        ...(flags.window === undefined ? {} : { window_hours: flags.window }),
      };
      const call = client.api.PUT('/v1/analytics/funnels/{funnel_id}', { params: { path: { funnel_id: id } }, body });
      const { funnel } = await client.read(call, funnelAnswer);
      if (flags.json) printJson(io, { funnel });
      else io.out(table(['ID', 'NAME', 'WINDOW', 'STEPS'], [rowOf(funnel)]));
      end(exitCodes.ok);
    });
}

function remove({ io, end }: CommandContext): Command {
  return newCommand('delete', 'delete a funnel; events stay')
    .argument('<id>', 'id of the funnel')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const call = client.api.DELETE('/v1/analytics/funnels/{funnel_id}', { params: { path: { funnel_id: id } } });
      const { funnel } = await client.read(call, funnelAnswer);
      if (flags.json) printJson(io, { funnel });
      else io.out(`deleted ${funnel.funnel_id}  ${singleLine(funnel.name)}\n`);
      end(exitCodes.ok);
    });
}
