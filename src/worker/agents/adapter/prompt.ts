// Builds the prompt of an agent: the task's own, the messages since, and how to ask a question.
import { partText } from '../../../contracts/a2a/part-text.ts';
import type { WorkerTask } from '../../../contracts/worker.ts';
import { cleanText } from '../../process/text.ts';
import { checkpointText, checkpointVariable } from './checkpoint-text.ts';

/** Begins the last line of an answer that is a question: `SWITCHYARD_NEEDS_INPUT: which colour?` */
const questionMarker = 'SWITCHYARD_NEEDS_INPUT:';

const askBackInstructions = `You work on your own; nobody answers while you work. If you cannot go on without an answer from the
person who gave you this task, stop, and end your answer with one line of this form:
${questionMarker} <your question>
If the work is long, keep a note of how far you are in the file that the environment variable ${checkpointVariable}
names: should you be cut off, whoever goes on finds it there.`;

/** The largest part of a checkpoint that the prompt quotes; the file holds all of it. */
const shownChars = 20_000;

function checkpointSection({ checkpoint }: WorkerTask): string[] {
  if (checkpoint === undefined) return [];
  const text = checkpointText(checkpoint.data);
  const shown = text.length > shownChars ? `${text.slice(0, shownChars)} …` : text;
  return [`An earlier attempt at this was cut off. Go on from its last checkpoint (${checkpoint.at}):`, shown];
}

function messageText(message: WorkerTask['messages'][number]): string {
  return message.parts.map(partText).join('\n').trim();
}

/** The messages after the prompt, without the message that is the prompt itself. */
export function messagesSincePrompt({ prompt, messages }: WorkerTask): WorkerTask['messages'] {
  const [first] = messages;
  const repeats = first !== undefined && first.role === 'user' && messageText(first) === prompt.trim();
  return messages.slice(repeats ? 1 : 0).filter((message) => messageText(message) !== '');
}

/** @returns the user's text after the last answer of the agent, joined when it is several messages */
export function lastUserMessage(task: WorkerTask): string | undefined {
  const exchange = messagesSincePrompt(task);
  const last = exchange.findLastIndex(({ role }) => role === 'user');
  const before = exchange.slice(0, last).findLastIndex(({ role }) => role === 'agent');
  return last < 0
    ? undefined
    : exchange
        .slice(before + 1, last + 1)
        .map(messageText)
        .join('\n\n');
}

/**
 * The whole prompt of an attempt.
 * @param converses whether the prompt explains how to ask a question; plain programs get only the user's words
 */
export function buildPrompt(task: WorkerTask, converses: boolean): string {
  const exchange = messagesSincePrompt(task).map(
    (message) => `${message.role === 'user' ? 'User' : 'You'}: ${messageText(message)}`,
  );
  const history = exchange.length === 0 ? [] : ['Messages since then, in order:', ...exchange];
  const more = converses ? [...checkpointSection(task), '---', askBackInstructions] : [];
  return cleanText([task.prompt, ...history, ...more].join('\n\n'));
}

/** @returns the question, when the last line of an answer asks one */
export function parseQuestion(answer: string): string | undefined {
  const line = answer.trimEnd().split('\n').at(-1) ?? '';
  const found = /^[\s*_`>]*SWITCHYARD_NEEDS_INPUT:\s*(.*?)[\s*_`]*$/.exec(line);
  if (!found) return undefined;
  const before = answer.trimEnd().slice(0, -line.length).trim();
  return found[1] || before || 'The agent asks for input.';
}
