// The commands `okr create|edit|approve|deny|complete|delete`.
import type { Command } from 'commander';
import type { z } from 'zod';
import { okrAnswer, type okrChange, type OkrWire } from '../../contracts/okr/okr.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson, shorten } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { namesTemplate, templateOf, withTemplateFlags, type TemplateFlags } from '../flags/template-flags.ts';
import { keyResultArgument, type KeyResultFlag } from './key-result-argument.ts';
import { readOkr } from './okr-read.ts';
import { describeOkr } from './okr-text.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface OkrFlags extends Flags, TemplateFlags {
  readonly description?: string;
  readonly owner?: string;
  readonly targetDate?: string;
  readonly tag?: string[];
}

export function okrChangeCommands(run: CommandContext): Command[] {
  return [
    create(run),
    edit(run),
    decide(run, 'approve', 'approved', 'approve a draft, so that it can be run'),
    decide(run, 'deny', 'denied', 'deny an objective; its open run is cancelled'),
    complete(run),
    remove(run),
  ];
}

function withOkrFlags(command: Command): Command {
  return withTemplateFlags(command)
    .option('--description <text>', 'description of the objective')
    .option('--owner <name>', 'person or team that answers for it (default: you)')
    .option('--target-date <date>', 'when it is due, e.g. 2027-03-31')
    .option('--tag <text>', 'a tag; repeated: several', collect)
    .option('--prompt <text>', 'text that the prompt of each task contains');
}

function create({ io, end }: CommandContext): Command {
  const command = newCommand('create', 'create an objective as a draft')
    .argument('<objective>', 'the objective')
    .option(
      '--key-result <text>',
      'a key result, e.g. "median below 200 ms=800..200 ms"; repeated: several',
      collectKeyResult,
    );
  return withOkrFlags(command).action(
    async (objective: string, { keyResult, ...flags }: OkrFlags & { keyResult?: KeyResultFlag[] }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = {
        objective,
        description: flags.description,
        owner: flags.owner,
        target_date: flags.targetDate,
        tags: flags.tag,
        task_template: namesTemplate(flags) ? templateOf(flags) : undefined,
        key_results: keyResult,
      };
      const { okr } = await client.read(client.api.POST('/v1/okr', { body }), okrAnswer);
      end(showOkr(io, flags, okr));
    },
  );
}

function collectKeyResult(value: string, earlier: readonly KeyResultFlag[] = []): KeyResultFlag[] {
  return [...earlier, keyResultArgument(value)];
}

function showOkr(io: Pick<CliIo, 'out'>, { json }: Flags, okr: OkrWire): typeof exitCodes.ok {
  if (json) printJson(io, { okr });
  else io.out(describeOkr(okr));
  return exitCodes.ok;
}

function edit({ io, end }: CommandContext): Command {
  const command = newCommand('edit', 'change an objective; other fields stay, and an empty text removes one')
    .argument('<id>', 'id of the objective')
    .option('--objective <text>', 'the objective');
  return withOkrFlags(command).action(async (id: string, flags: OkrFlags & { objective?: string }) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const before = await readOkr(client, id);
    const body = {
      objective: flags.objective,
      description: flags.description === '' ? null : flags.description,
      owner: flags.owner,
      target_date: flags.targetDate === '' ? null : flags.targetDate,
      tags: flags.tag,
      // A template is checked when it is sent, and its codebase may be gone.
      task_template: namesTemplate(flags) ? { ...before.task_template, ...templateOf(flags) } : undefined,
      version: before.version,
    };
    end(showOkr(io, flags, await putOkr(client, id, body)));
  });
}

async function putOkr(client: CliServiceClient, id: string, body: z.input<typeof okrChange>): Promise<OkrWire> {
  return (await client.read(client.api.PUT('/v1/okr/{id}', { ...byId(id), body }), okrAnswer)).okr;
}

function decide(
  { io, end }: CommandContext,
  name: string,
  status: 'approved' | 'denied',
  description: string,
): Command {
  return newCommand(name, description)
    .argument('<id>', 'id of the objective')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason, ...flags }: Flags & { reason?: string }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      end(showOkr(io, flags, await putOkr(client, id, { status, reason })));
    });
}

function complete({ io, end }: CommandContext): Command {
  return newCommand('complete', 'complete an objective whose key results are completed')
    .argument('<id>', 'id of the objective')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      end(showOkr(io, flags, await putOkr(client, id, { status: 'completed' })));
    });
}

function remove({ io, end }: CommandContext): Command {
  return newCommand('delete', 'delete an objective with its key results and runs; their tasks stay')
    .argument('<id>', 'id of the objective')
    .action(async (id: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const { okr } = await client.read(client.api.DELETE('/v1/okr/{id}', byId(id)), okrAnswer);
      if (flags.json) printJson(io, { okr });
      else io.out(`deleted ${okr.okr_id}  ${shorten(okr.objective, 100)}\n`);
      end(exitCodes.ok);
    });
}
