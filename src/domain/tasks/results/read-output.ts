// Verbs that read the printed output of a task: a window of pieces, its end as text, and all of it piece by piece.
import type { Caller } from '../../model/access/caller.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import type { OutputPiece, SeqRange } from '../../ports/task-results.ts';
import { findAttemptRange, requireTask } from '../read.ts';

interface OutputDeps {
  readonly store: Store;
}

/** The pieces to read: after or before a sequence number, the last ones, or those around a line. */
export type OutputWindow =
  { readonly after: number } | { readonly before: number } | 'tail' | { readonly line: number };

export interface OutputRequest {
  readonly window: OutputWindow;
  /** Only the output of this attempt. */
  readonly attemptId?: string | undefined;
  /** The most pieces. */
  readonly limit: number;
}

export interface OutputPage {
  /** In order. */
  readonly output: readonly OutputPiece[];
  /** The sequence number after which later output follows. */
  readonly next: number;
  /** The line in which the first piece begins; without a piece, the line in which output would begin there. */
  readonly firstLine: number;
}

/** Pieces read at once: an agent prints line by line, and a piece may hold a million characters. */
const batchSize = 100;
/** Characters of one page, unless its only piece is larger. */
const maxPageCharacters = 8 * 1024 * 1024;

/**
 * A page of the agent's printed output. It ends early at 8 Mi characters.
 * @throws DomainError not_found (task, attempt)
 */
export async function readOutput(
  deps: OutputDeps,
  caller: Caller,
  taskId: string,
  { window, attemptId, limit }: OutputRequest,
): Promise<OutputPage> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const range = await findAttemptRange(rows, taskId, attemptId);
    const output = await readWindow(rows, taskId, range, window, limit);
    const end = typeof window === 'object' && 'after' in window ? window.after : 0;
    const [first] = output;
    const line = first?.line ?? (await rows.taskResults.lineAt(taskId, endOf(window, range)));
    return { output, next: output.at(-1)?.seq ?? end, firstLine: line };
  });
}

function endOf(window: OutputWindow, range: SeqRange): number {
  return typeof window === 'object' && 'before' in window ? Math.min(window.before, range.before) : range.before;
}

async function readWindow(
  rows: Rows,
  taskId: string,
  range: SeqRange,
  window: OutputWindow,
  limit: number,
): Promise<readonly OutputPiece[]> {
  if (window === 'tail') return readBackward(rows, taskId, range, limit);
  if ('line' in window) return readAroundLine(rows, taskId, range, window.line, limit);
  if ('before' in window) {
    return readBackward(rows, taskId, { ...range, before: Math.min(window.before, range.before) }, limit);
  }
  return readForward(rows, taskId, { ...range, after: Math.max(window.after, range.after) }, limit);
}

function readForward(rows: Rows, taskId: string, range: SeqRange, limit: number): Promise<OutputPiece[]> {
  return collect(limit, maxPageCharacters, (last, most) =>
    rows.taskResults.outputAfter(taskId, { ...range, after: last ?? range.after }, most),
  );
}

async function readBackward(rows: Rows, taskId: string, range: SeqRange, limit: number): Promise<OutputPiece[]> {
  const newestFirst = await collect(limit, maxPageCharacters, (last, most) =>
    rows.taskResults.outputBefore(taskId, { ...range, before: last ?? range.before }, most),
  );
  return newestFirst.toReversed();
}

/** Half of the pieces before the line, half from it on; where it lies beyond the output, the end of the output. */
async function readAroundLine(
  rows: Rows,
  taskId: string,
  range: SeqRange,
  line: number,
  limit: number,
): Promise<readonly OutputPiece[]> {
  const found = await rows.taskResults.findPieceBefore(taskId, line);
  const from = Math.min(Math.max(found, range.after + 1), range.before - 1);
  const near = await readForward(rows, taskId, { ...range, after: from - 1 }, limit + 1);
  const [first, second] = near;
  // The line begins in the piece that holds the break before it, or after that piece where the break is its end.
  const isBefore = second !== undefined && first?.seq === found && second.line === line;
  const isWhole = isBefore && first.text.endsWith('\n');
  const rest = isWhole ? near.slice(1) : near.slice(0, limit);
  const earlier = await readBackward(
    rows,
    taskId,
    { ...range, before: rest[0]?.seq ?? range.before },
    Math.max(Math.floor(limit / 2), limit - rest.length),
  );
  return [...earlier, ...rest.slice(0, limit - earlier.length)];
}

/** Reads batch by batch: whole pieces while they fit, and at least one. */
async function collect(
  limit: number,
  maxCharacters: number,
  read: (last: number | undefined, most: number) => Promise<OutputPiece[]>,
): Promise<OutputPiece[]> {
  const pieces: OutputPiece[] = [];
  let characters = 0;
  for (;;) {
    const most = Math.min(batchSize, limit - pieces.length);
    const batch = most === 0 ? [] : await read(pieces.at(-1)?.seq, most);
    for (const piece of batch) {
      characters += piece.text.length;
      if (pieces.length > 0 && characters > maxCharacters) return pieces;
      pieces.push(piece);
    }
    if (batch.length < batchSize) return pieces;
  }
}

/**
 * The end of the agent's printed output, in order: whole pieces while they fit, and at least one.
 * @param before the event before which the output ends; undefined: the end of all output
 * @returns before: where to continue for earlier output; null when there is none
 * @throws DomainError not_found
 */
export async function readOutputTail(
  deps: OutputDeps,
  caller: Caller,
  taskId: string,
  before: number | undefined,
  maxCharacters: number,
): Promise<{ text: string; before: number | null }> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const range = { after: 0, before: before ?? Number.MAX_SAFE_INTEGER };
    const read = (last: number | undefined, most: number): Promise<OutputPiece[]> =>
      rows.taskResults.outputBefore(taskId, { ...range, before: last ?? range.before }, most);
    const newestFirst = await collect(Number.MAX_SAFE_INTEGER, maxCharacters, read);
    const first = newestFirst.at(-1)?.seq;
    const isAll = first === undefined || (await read(first, 1)).length === 0;
    return { text: textOf(newestFirst.toReversed()), before: isAll ? null : first };
  });
}

/** How long a caller may take to read a whole output. */
const maxStreamMs = 10 * 60_000;

export interface OutputTextRequest {
  readonly after: number;
  readonly attemptId?: string | undefined;
  /** Only this many of the last pieces. */
  readonly tail?: number | undefined;
}

/**
 * The text of all pieces one after another. Each batch is a transaction of its own, so that a slow reader holds none.
 * @throws DomainError not_found (task, attempt), with the first batch; Error when it is read too slowly
 */
export async function* streamOutputText(
  deps: OutputDeps & { readonly now: () => number },
  caller: Caller,
  taskId: string,
  request: OutputTextRequest,
): AsyncGenerator<string, void, undefined> {
  const deadline = deps.now() + maxStreamMs;
  let range = await deps.store.within(caller, (rows) => findTextRange(rows, taskId, request));
  for (;;) {
    const from = range;
    const pieces = await deps.store.within(caller, (rows) => rows.taskResults.outputAfter(taskId, from, batchSize));
    yield textOf(pieces);
    const last = pieces.at(-1);
    if (last === undefined || pieces.length < batchSize) return;
    if (deps.now() > deadline) throw new Error('an output was read too slowly; its connection is closed');
    range = { ...range, after: last.seq };
  }
}

async function findTextRange(rows: Rows, taskId: string, request: OutputTextRequest): Promise<SeqRange> {
  await requireTask(rows, taskId);
  const range = await findAttemptRange(rows, taskId, request.attemptId);
  const from = { ...range, after: Math.max(range.after, request.after) };
  if (request.tail === undefined) return from;
  const [first] = await readBackward(rows, taskId, from, request.tail);
  return first === undefined ? from : { ...from, after: first.seq - 1 };
}

function textOf(pieces: readonly OutputPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
