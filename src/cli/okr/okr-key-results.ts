// The commands `okr add|report|change|remove` of key results.
import { Option, type Command } from 'commander';
import { keyResultAnswer, keyResultStatus, type KeyResultWire } from '../../contracts/okr/okr.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import { byId, createCliServiceClient } from '../core/service-client.ts';
import { numberArgument } from '../flags/number-argument.ts';
import { measureArgument } from './key-result-argument.ts';
import { keyResultLine } from './okr-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface PlanFlags extends Flags {
  readonly measure?: KeyResultWire['measure'];
  readonly weight?: number;
}

export function keyResultCommands(run: CommandContext): Command[] {
  return [add(run), change(run), report(run), remove(run)];
}

const measureOption = (): Option =>
  new Option(
    '--measure <measure>',
    'manual, milestone, tasks, or START..TARGET and a unit (default: manual)',
  ).argParser(measureArgument);

function show(io: Pick<CliIo, 'out'>, { json }: Flags, keyResult: KeyResultWire): typeof exitCodes.ok {
  if (json) printJson(io, { key_result: keyResult });
  else io.out(`${keyResultLine(keyResult)}\n`);
  return exitCodes.ok;
}

const byKeyResult = (id: string, keyResultId: string) => ({
  params: { path: { id, key_result_id: keyResultId } },
});

function add({ io, end }: CommandContext): Command {
  return newCommand('add', 'add a key result to an objective that is not running')
    .argument('<id>', 'id of the objective')
    .argument('<title>', 'the key result')
    .addOption(measureOption())
    .option('--weight <number>', 'its weight in the progress, 0 to 100 (default: 1)', numberArgument)
    .action(async (id: string, title: string, { measure, weight, ...flags }: PlanFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const request = { ...byId(id), body: { title, measure, weight } };
      const { key_result: made } = await client.read(
        client.api.POST('/v1/okr/{id}/key-results', request),
        keyResultAnswer,
      );
      end(show(io, flags, made));
    });
}

function change({ io, end }: CommandContext): Command {
  return newCommand('change', 'change a key result of an objective that is not running')
    .argument('<id>', 'id of the objective')
    .argument('<key-result>', 'id of the key result')
    .option('--title <text>', 'the key result')
    .addOption(measureOption())
    .option('--weight <number>', 'its weight in the progress, 0 to 100', numberArgument)
    .action(
      async (id: string, keyResult: string, { title, measure, weight, ...flags }: PlanFlags & { title?: string }) => {
        const client = createCliServiceClient(await findConnection(io, flags), io);
        const request = { ...byKeyResult(id, keyResult), body: { title, measure, weight } };
        const { key_result: changed } = await client.read(
          client.api.PUT('/v1/okr/{id}/key-results/{key_result_id}', request),
          keyResultAnswer,
        );
        end(show(io, flags, changed));
      },
    );
}

interface ReportFlags extends Flags {
  readonly progress?: number;
  readonly current?: number;
  readonly status?: KeyResultWire['status'];
  readonly reason?: string;
}

function report({ io, end }: CommandContext): Command {
  return newCommand('report', 'report how far a key result is')
    .argument('<id>', 'id of the objective')
    .argument('<key-result>', 'id of the key result')
    .option('--progress <number>', '0 to 100; a milestone is 0 or 100', numberArgument)
    .option('--current <number>', 'the value that was measured', numberArgument)
    .addOption(new Option('--status <status>', 'its status').choices(keyResultStatus.options))
    .option('--reason <text>', 'why it has this status')
    .action(async (id: string, keyResult: string, { progress, current, status, reason, ...flags }: ReportFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = { progress, current, status, status_reason: reason };
      const { key_result: moved } = await client.read(
        client.api.PUT('/v1/okr/{id}/key-results/{key_result_id}', { ...byKeyResult(id, keyResult), body }),
        keyResultAnswer,
      );
      end(show(io, flags, moved));
    });
}

function remove({ io, end }: CommandContext): Command {
  return newCommand('remove', 'remove a key result from an objective that is not running')
    .argument('<id>', 'id of the objective')
    .argument('<key-result>', 'id of the key result')
    .action(async (id: string, keyResult: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { key_result: removed } = await client.read(
        client.api.DELETE('/v1/okr/{id}/key-results/{key_result_id}', byKeyResult(id, keyResult)),
        keyResultAnswer,
      );
      end(show(io, flags, removed));
    });
}
