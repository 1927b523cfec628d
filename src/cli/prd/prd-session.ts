// Calls of the commands of PRD chats, and what they print of a session.
import {
  prdSessionAnswer,
  prdTurnList,
  prdVersionAnswer,
  prdTurnAnswer,
  prdTurn,
} from '../../contracts/ralph/prd-chat.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliIo } from '../core/io.ts';
import { singleLine } from '../core/output.ts';
import type { CliServiceClient } from '../core/service-client.ts';

type PrdTurnWire = (typeof prdTurn)['_output'];
type PrdSessionWire = (typeof prdSessionAnswer)['_output']['session'];
type PrdVersionWire = (typeof prdVersionAnswer)['_output']['version'];

/** A message waits 60 seconds for its answer. */
export const answerTimeoutMs = 90_000;
const pollMs = 1000;

export async function readSession(client: CliServiceClient, id: string): Promise<PrdSessionWire> {
  const call = client.api.GET('/v1/ralph/prd/sessions/{id}', { params: { path: { id } } });
  return (await client.read(call, prdSessionAnswer)).session;
}

export async function readTurns(client: CliServiceClient, id: string): Promise<readonly PrdTurnWire[]> {
  const call = client.api.GET('/v1/ralph/prd/sessions/{id}/turns', { params: { path: { id } } });
  return (await client.read(call, prdTurnList)).turns;
}

export async function readPrdVersion(client: CliServiceClient, id: string, n: number): Promise<PrdVersionWire> {
  const call = client.api.GET('/v1/ralph/prd/sessions/{id}/versions/{n}', { params: { path: { id, n } } });
  return (await client.read(call, prdVersionAnswer)).version;
}

/** Sends a message and waits for its answer, however long that takes. @throws CliError, such as turn_running */
export async function askAssistant(client: CliServiceClient, id: string, message: string): Promise<PrdTurnWire> {
  const call = client.api.POST('/v1/ralph/prd/sessions/{id}/messages', { params: { path: { id } }, body: { message } });
  let { turn } = await client.read(call, prdTurnAnswer);
  while (turn.status === 'answering') {
    await delay(pollMs);
    const { n } = turn;
    turn = (await readTurns(client, id)).find((one) => one.n === n) ?? turn;
  }
  return turn;
}

/** The answer for people: its text, its questions with their options, its warnings. */
export function turnText({ text, questions, warnings, version }: PrdTurnWire): string {
  const asked = questions.map((question, index) => {
    const options = question.options.map(({ key, text: option }) => `     ${singleLine(key)}) ${singleLine(option)}\n`);
    // Some replies contain their question, too.
    const asks = text.includes(question.text) ? '' : `  ${index + 1}. ${singleLine(question.text)}\n`;
    return `${asks}${options.join('')}`;
  });
  const draft = version === null ? '' : `(draft ${version})\n`;
  return `${lines(text)}${asked.join('')}${warnings.map((warning) => `! ${singleLine(warning)}\n`).join('')}${draft}`;
}

/** Keeps the lines of a text; text from the service must not control the terminal. */
function lines(text: string): string {
  return text === '' ? '' : `${text.split('\n').map(singleLine).join('\n')}\n`;
}

/** The draft as a short list: stories with their criteria. */
export function draftText(document: PrdVersionWire['prd']): string {
  const stories = Array.isArray(document['userStories']) ? document['userStories'] : [];
  const shown = stories.map((story: unknown) => storyLines(story)).join('');
  return `${singleLine(String(document['project']))}: ${singleLine(String(document['description']))}\n${shown}`;
}

function storyLines(story: unknown): string {
  if (typeof story !== 'object' || story === null || !('id' in story) || !('title' in story)) return '';
  const given = 'acceptanceCriteria' in story ? story.acceptanceCriteria : [];
  const criteria = Array.isArray(given)
    ? given.map((text: unknown) => `    - ${singleLine(String(text))}\n`).join('')
    : '';
  return `  ${singleLine(String(story.id))}  ${singleLine(String(story.title))}\n${criteria}`;
}

/** The command that starts a run from the draft, where one can. */
export function nextStep(io: Pick<CliIo, 'err'>, session: PrdSessionWire, program: string): void {
  if (session.version === 0) return;
  const ready = session.ready ? 'The PRD is ready.' : 'The PRD is not ready yet.';
  io.err(`${ready} Start a run from it: ${program} prd start ${session.id}\n`);
}
