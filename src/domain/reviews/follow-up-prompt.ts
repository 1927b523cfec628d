// The prompt of a follow-up: the comments of a review with the lines that they are about. ui-6.6.
import type { ReviewComment } from '../model/review.ts';

export interface ReviewedChange {
  readonly taskId: string;
  /** Undefined: the changes are in the folder of the codebase itself. */
  readonly branch: string | undefined;
  readonly commit: string | undefined;
}

export interface FollowUpText {
  readonly prompt: string;
  /** The comments, where the prompt would be too long with them. */
  readonly comments: string | undefined;
}

/** The most characters of a prompt. choices-3. */
const maxPromptCharacters = 200_000;
const shortCommit = 7;

/** @param message a comment on the whole change, before the others */
export function buildFollowUpPrompt(
  change: ReviewedChange,
  message: string | undefined,
  comments: readonly ReviewComment[],
): FollowUpText {
  const opening = openingOf(change);
  const body = [
    ...(message === undefined ? [] : [message]),
    ...comments.map((comment, i) => commentSection(comment, i + 1)),
  ].join('\n');
  const prompt = `${opening}\n${body}\n`.toWellFormed();
  if (prompt.length <= maxPromptCharacters) return { prompt, comments: undefined };
  const pointer =
    'The comments are too long for this prompt. They follow it, and are the artifact review.md of this task.';
  return { prompt: `${opening}\n${pointer}\n`, comments: `${body}\n`.toWellFormed() };
}

function openingOf({ taskId, branch, commit }: ReviewedChange): string {
  const parts = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, shortCommit)}`]),
  ];
  const where = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `Your change of task ${taskId}${where} was reviewed. Do what the comments ask, and nothing else.`;
}

function commentSection(comment: ReviewComment, number: number): string {
  const { quote, text } = comment;
  const quoted = quote === undefined || quote === '' ? [] : [quoteOf(quote)];
  return [`## ${number}. ${placeOf(comment)}`, ...quoted, text].join('\n');
}

function placeOf({ path, side = 'new', line, end_line: endLine }: ReviewComment): string {
  if (path === undefined) return 'The whole change';
  // A path is one line here, whatever the name of the file has.
  const name = path.replaceAll(/\p{Cc}/gu, '\u{fffd}');
  if (line === undefined) return name;
  if (endLine === undefined || endLine <= line) return `${name}, ${side} line ${line}`;
  return `${name}, ${side} lines ${line} to ${endLine}`;
}

/** A fence with more backticks than the quote holds, in a block quote: no line of it can end the quote. */
function quoteOf(quote: string): string {
  const longest = Math.max(2, ...(quote.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...quote.replace(/\n$/, '').split(/\r\n|\r|\n/), fence].map((line) => `> ${line}`).join('\n');
}
