// The command `prd chat`: writes a PRD together with an assistant, line by line or with one message.
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { prdSessionCreated } from '../../contracts/ralph/prd-chat.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson } from '../core/output.ts';
import type { CliServiceClient } from '../core/service-client.ts';
import { findingLine, readTextFile } from '../ralph/prd-file.ts';
import { resolveCodebase } from '../task/codebases.ts';
import { programCommand } from '../task/first-task.ts';
import {
  answerTimeoutMs,
  draftText,
  nextStep,
  readSession,
  readPrdVersion,
  askAssistant,
  turnText,
} from './prd-session.ts';

interface ChatFlags extends ClientFlags {
  readonly session?: string;
  readonly import?: string[];
  readonly codebase?: string;
}

export function chatCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('chat', 'write a PRD with an assistant; without a message: one line after the other')
    .argument('[message...]', 'one message; - for standard input')
    .option('--session <id>', 'go on with this chat')
    .option('--import <file>', 'begin with the documents of another tool; may be repeated', collect)
    .option('--codebase <codebase>', 'what the assistant reads: id, name or path')
    .action(async (words: string[], flags: ChatFlags) => {
      const client = await openClient(run, flags, answerTimeoutMs);
      const chat = { client, io, json: flags.json === true };
      const id = flags.session ?? (await createSession(chat, flags));
      const given = words.join(' ');
      const message = given === '-' ? await io.readStdin() : given;
      end(message.trim() === '' ? await talk(chat, id) : await send(chat, id, message));
    });
}

interface Chat {
  readonly client: CliServiceClient;
  readonly io: CliIo;
  readonly json: boolean;
}

async function createSession({ client, io, json }: Chat, flags: ChatFlags): Promise<string> {
  const codebaseId = flags.codebase === undefined ? undefined : await resolveCodebase(client, io, flags.codebase);
  const files = await Promise.all((flags.import ?? []).map((file) => readTextFile(io, file)));
  const body = {
    ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }),
    ...(files.length === 0 ? {} : { import: { files } }),
  };
  const created = await client.read(client.api.POST('/v1/ralph/prd/sessions', { body }), prdSessionCreated);
  if (!json) {
    io.err(`chat ${created.session.id}\n`);
    for (const warning of created.warnings) io.err(`${findingLine('warning', warning)}\n`);
  }
  return created.session.id;
}

async function send(chat: Chat, id: string, message: string): Promise<ExitCode> {
  const { client, io, json } = chat;
  const turn = await askAssistant(client, id, message);
  if (json) printJson(io, { session_id: id, turn });
  else {
    io.out(turnText(turn));
    nextStep(io, await readSession(client, id), await programCommand(io));
  }
  return turn.status === 'failed' ? exitCodes.failed : exitCodes.ok;
}

/** Each line of the input is a message; `/show` prints the draft, `/quit` and the end of the input end the chat. */
async function talk(chat: Chat, id: string): Promise<ExitCode> {
  const { client, io, json } = chat;
  const isTerminal = io.terminal.out && io.process.stdin.isTTY;
  const ask = (): void => (isTerminal ? io.out('> ') : undefined);
  if (isTerminal)
    io.err('Write what is to be built, one message a line. /show prints the draft, /quit ends the chat.\n');
  const input = createInterface({ input: io.process.stdin, terminal: false });
  let code: ExitCode = exitCodes.ok;
  try {
    ask();
    for await (const line of input) {
      const message = line.trim();
      if (message === '/quit') break;
      if (message === '/show') io.out(await draftOf(client, id));
      else if (message !== '') {
        const turn = await askAssistant(client, id, message);
        if (json) printJson(io, { session_id: id, turn });
        else io.out(turnText(turn));
        code = turn.status === 'failed' ? exitCodes.failed : exitCodes.ok;
      }
      ask();
    }
  } finally {
    input.close();
    // An open input would keep the process.
    io.process.stdin.unref?.();
  }
  if (!json) nextStep(io, await readSession(client, id), await programCommand(io));
  return code;
}

/** @throws CliError when there is no draft yet */
export async function draftOf(client: CliServiceClient, id: string): Promise<string> {
  const { version } = await readSession(client, id);
  if (version === 0) return 'There is no draft yet.\n';
  return draftText((await readPrdVersion(client, id, version)).prd);
}
