// The commands `okr list|show|stats|runs`.
import { Option, type Command } from 'commander';
import { okrAnswer, okrPage, okrStats, okrStatus, type OkrWire } from '../../contracts/okr/okr.ts';
import { okrRunPage } from '../../contracts/okr/okr-run.ts';
import { allPages } from '../core/all-pages.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { fields, printJson, shorten, table } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { describeOkr, describeRun, titlesOf } from './okr-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export async function readOkr(client: CliServiceClient, id: string): Promise<OkrWire> {
  return (await client.read(client.api.GET('/v1/okr/{id}', byId(id)), okrAnswer)).okr;
}

export function okrReadCommands(run: CommandContext): Command[] {
  return [list(run), show(run), stats(run), runs(run)];
}

function list({ io, end }: CommandContext): Command {
  return newCommand('list', 'list objectives, newest first')
    .addOption(new Option('--status <status>', 'only objectives of this status').choices(okrStatus.options))
    .option('--owner <name>', 'only objectives of this owner')
    .option('--q <text>', 'only objectives with this text')
    .action(
      async ({ status, owner, q, ...flags }: Flags & { status?: OkrWire['status']; owner?: string; q?: string }) => {
        const client = createCliServiceClient(await findConnection(io, flags), io);
        const okrs = await allPages(
          async (page) =>
            client.read(client.api.GET('/v1/okr', { params: { query: { ...page, status, owner, q } } }), okrPage),
          (page) => page.okrs,
        );
        if (flags.json) printJson(io, { okrs });
        else io.out(table(['ID', 'STATUS', 'DONE', 'OWNER', 'DUE', 'OBJECTIVE'], okrs.map(rowOf)));
        end(exitCodes.ok);
      },
    );
}

function rowOf(okr: OkrWire): string[] {
  const { okr_id, status, progress, owner, target_date, objective } = okr;
  return [okr_id, status, `${progress} %`, shorten(owner, 30), target_date ?? '-', shorten(objective, 60)];
}

function show({ io, end }: CommandContext): Command {
  return newCommand('show', 'show an objective with its key results')
    .argument('<id>', 'id of the objective')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const okr = await readOkr(client, id);
      if (flags.json) printJson(io, { okr });
      else io.out(describeOkr(okr));
      end(exitCodes.ok);
    });
}

function stats({ io, end }: CommandContext): Command {
  return newCommand('stats', 'count objectives by status').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const found = await client.read(client.api.GET('/v1/okr/stats'), okrStats);
    const { total, by_status, completion_rate: rate } = found;
    const share = rate === null ? '-' : `${Math.round(rate * 10_000) / 100} %`;
    const rows = Object.entries(by_status).map(([status, count]): [string, string] => [status, String(count)]);
    if (flags.json) printJson(io, found);
    else io.out(fields([...rows, ['total', String(total)], ['completion rate', share]]));
    end(exitCodes.ok);
  });
}

function runs({ io, end }: CommandContext): Command {
  return newCommand('runs', 'list the runs of an objective, newest first')
    .argument('<id>', 'id of the objective')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const titles = titlesOf(await readOkr(client, id));
      const found = await allPages(
        async (query) => {
          return client.read(client.api.GET('/v1/okr/{id}/runs', { params: { path: { id }, query } }), okrRunPage);
        },
        (page) => page.runs,
      );
      if (flags.json) printJson(io, { runs: found });
      else io.out(found.map((each) => describeRun(each, titles)).join(''));
      end(exitCodes.ok);
    });
}
