// The commands `prd list|show|export|start`: PRD chats, their drafts, and runs from them.
import path from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { createdRun } from '../../contracts/ralph/create-run.ts';
import { prdSessionPage } from '../../contracts/ralph/prd-chat.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { age, fields, printJson, shorten, table } from '../core/output.ts';
import { replaceFile } from '../core/private-file.ts';
import { byId, type CliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { runOptionsBody, withRunFlags, type RunFlags } from '../flags/run-flags.ts';
import { endWithRun } from '../ralph/new-run.ts';
import { resolveCodebase } from '../task/codebases.ts';
import { draftText, readSession, readTurns, readPrdVersion, turnText } from './prd-session.ts';

export function listChatsCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('list', 'list PRD chats, newest first')
    .option('--codebase <codebase>', 'only chats about this codebase: id, name or path')
    .option('--limit <number>', 'how many, 1 to 200', integerArgument, 20)
    .action(async ({ codebase, limit, ...flags }: ClientFlags & { codebase?: string; limit: number }) => {
      const client = await openClient(run, flags);
      const codebaseId = codebase === undefined ? undefined : await resolveCodebase(client, io, codebase);
      const query = { limit, ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }) };
      const page = await client.read(client.api.GET('/v1/ralph/prd/sessions', { params: { query } }), prdSessionPage);
      const rows = page.sessions.map((session) => [
        session.id,
        session.ready ? 'ready' : session.status,
        session.version === 0 ? '-' : String(session.version),
        String(session.run_ids.length),
        age(session.created_at, io.now()),
        shorten(session.title, 60),
      ]);
      if (flags.json) printJson(io, page);
      else io.out(table(['ID', 'STATUS', 'DRAFT', 'RUNS', 'AGE', 'TITLE'], rows));
      end(exitCodes.ok);
    });
}

export function showChatCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('show', 'show a PRD chat: its draft and the last answer')
    .argument('<chat>', 'id of the chat')
    .action(async (id: string, flags: ClientFlags) => {
      const client = await openClient(run, flags);
      const session = await readSession(client, id);
      const turns = await readTurns(client, id);
      const draft = session.version === 0 ? null : (await readPrdVersion(client, id, session.version)).prd;
      if (flags.json) printJson(io, { session, turns, prd: draft });
      else {
        const head = fields([
          ['chat', session.id],
          ['title', session.title],
          ['status', session.ready ? 'ready' : session.status],
          ['draft', session.version === 0 ? 'none yet' : String(session.version)],
          ['runs', session.run_ids.join(', ')],
        ]);
        const last = turns.findLast(({ role }) => role === 'assistant');
        io.out(
          `${head}${draft === null ? '' : `\n${draftText(draft)}`}${last === undefined ? '' : `\n${turnText(last)}`}`,
        );
      }
      end(exitCodes.ok);
    });
}

interface ExportFlags extends ClientFlags {
  readonly draft?: number;
  readonly run?: string;
  readonly output?: string;
}

export function exportCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('export', 'print a PRD as JSON: of a chat, or of a run with passes and notes')
    .argument('[chat]', 'id of the chat')
    .option('--draft <number>', 'this version of the draft (default: the newest)', integerArgument)
    .option('--run <id>', 'the PRD of this run')
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .action(async (chat: string | undefined, flags: ExportFlags) => {
      const client = await openClient(run, flags);
      const prd = await readExported(client, chat, flags);
      const text = `${JSON.stringify(prd, undefined, 2)}\n`;
      if (flags.output !== undefined) await replaceFile(path.resolve(io.cwd, flags.output), text, 0o644);
      else if (flags.json) printJson(io, prd);
      else io.out(text);
      end(exitCodes.ok);
    });
}

const documentShape = z.record(z.string(), z.unknown());

/** @throws CliError when neither or both are named, or there is no draft */
async function readExported(
  client: CliServiceClient,
  chat: string | undefined,
  { run, draft }: ExportFlags,
): Promise<Record<string, unknown>> {
  if ((chat === undefined) === (run === undefined)) {
    throw new CliError(exitCodes.usage, 'no_prd', 'Name a chat, or a run by --run.');
  }
  if (run !== undefined) return client.read(client.api.GET('/v1/ralph/runs/{id}/prd', byId(run)), documentShape);
  const id = chat ?? '';
  const wanted = draft ?? (await readSession(client, id)).version;
  if (wanted === 0) throw new CliError(exitCodes.notFound, 'no_draft', 'This chat has no draft yet.');
  return (await readPrdVersion(client, id, wanted)).prd;
}

interface StartFlags extends ClientFlags, RunFlags {
  readonly draft?: number;
}

export function startCommand(run: CommandContext): Command {
  const { io } = run;
  const command = newCommand('start', 'start a run from the PRD of a chat')
    .argument('<chat>', 'id of the chat')
    .option('--draft <number>', 'this version of the draft (default: the newest)', integerArgument)
    .action(async (id: string, flags: StartFlags) => {
      const client = await openClient(run, flags);
      const { codebase_id: own } = await readSession(client, id);
      // A chat about a codebase starts its runs there.
      const named = flags.codebase ?? (own === null ? '.' : undefined);
      const codebaseId = named === undefined ? undefined : await resolveCodebase(client, io, named);
      const body = {
        ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }),
        ...(flags.draft === undefined ? {} : { version: flags.draft }),
        ...runOptionsBody(flags),
      };
      const call = client.api.POST('/v1/ralph/prd/sessions/{id}/runs', { params: { path: { id } }, body });
      await endWithRun(run, client, await client.read(call, createdRun), flags);
    });
  return withRunFlags(command);
}
