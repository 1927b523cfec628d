// The output of a task, from its end: read in windows, and followed while the task runs.
import { FollowError, followTask } from '../../../../src/client/follow.ts';
import { api, dataOf } from '../../api/api.ts';
import { downloadCall } from '../../api/download.ts';
import { whenOnline } from '../../live/when-online.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { noteLastWord, noteTaskEvent } from './task-frames.ts';
import type { TaskEvent } from './task-events.ts';
import { OutputStore } from '../../text/output/lines.ts';
import type { OutputPiece } from '../../text/output/line-splitter.ts';

type OutputAnswer = AnswerOf<'tasks.output'>;
type OutputPage = Extract<OutputAnswer, { output: unknown }>;
type OutputHits = Extract<OutputAnswer, { hits: unknown }>;

/** Most pieces of one answer. */
const window = 2_000;
const mostSearchPages = 50;
const mostCaughtUpPages = 10;

export interface TaskOutput {
  readonly store: OutputStore;
  readonly loadEnd: () => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly loadAround: (line: number) => Promise<void>;
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly number[]>;
  /** Reads what was written since the last piece that is kept, where the end is kept. */
  readonly catchUp: (signal: AbortSignal) => Promise<void>;
  /** Appends what comes until the task, or the attempt that is read, ends, or the signal aborts. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
}

/** @param run_id the attempt whose output is read; without it that of all attempts */
export function createTaskOutput(id: string, run_id: string | undefined): TaskOutput {
  const store = new OutputStore((notify) => requestAnimationFrame(notify));
  const read = async (query: {
    before?: number;
    after?: number;
    tail?: number;
    line?: number;
    limit?: number;
  }): Promise<OutputPage> => {
    const params = { path: { id }, query: { ...query, ...(run_id !== undefined && { run_id }) } };
    const answer = await dataOf(api().GET('/v1/agent/tasks/{id}/output', { params }));
    if (typeof answer === 'string' || !('output' in answer)) throw new TypeError('The service answered no output.');
    return answer;
  };
  const loadEnd = async (): Promise<void> => {
    const { output, first_line } = await read({ tail: window });
    store.show({ pieces: output, firstLine: first_line, hasOlder: output.length >= window, hasNewer: false });
  };
  const loadOlder = async (): Promise<void> => {
    const { output, first_line } = await read({ before: store.firstSeq, limit: window });
    store.prepend({ pieces: output, firstLine: first_line, hasOlder: output.length >= window });
  };
  const loadNewer = async (): Promise<void> => {
    const { output } = await read({ after: store.lastSeq, limit: window });
    store.extend({ pieces: output, hasNewer: output.length >= window });
  };
  const loadAround = async (line: number): Promise<void> => {
    const { output, first_line } = await read({ line, limit: window });
    // The store knows of later pieces: the end was read first.
    store.show({ pieces: output, firstLine: first_line, hasOlder: first_line > 1, hasNewer: false });
  };
  const catchUp = async (signal: AbortSignal): Promise<void> => {
    for (let pages = 1; pages <= mostCaughtUpPages && !store.hasNewer && !signal.aborted; pages++) {
      const { output } = await read({ after: store.lastSeq, limit: window });
      const isFull = output.length >= window;
      store.extend({ pieces: output, hasNewer: isFull && pages === mostCaughtUpPages });
      if (!isFull) return;
    }
  };
  return {
    store,
    loadEnd,
    loadOlder,
    loadNewer,
    loadAround,
    search: (q, signal) => search(id, run_id, q, signal),
    follow: (signal) => follow(id, run_id, store, signal),
    catchUp,
  };
}

/** Saves the whole output, or that of one attempt, as text. */
export async function downloadOutput(id: string, run_id: string | undefined): Promise<void> {
  const params = { path: { id }, query: { ...(run_id !== undefined && { run_id }) } };
  const call = api().GET('/v1/agent/tasks/{id}/output', { params, headers: { accept: 'text/plain' }, parseAs: 'blob' });
  await downloadCall(`task-${id.slice(-8)}.log`, call);
}

async function search(
  id: string,
  run_id: string | undefined,
  q: string,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const lines: number[] = [];
  let after = 0;
  for (let pages = 0; pages < mostSearchPages; pages++) {
    const query = { q, after, ...(run_id !== undefined && { run_id }) };
    const answer = await dataOf(api().GET('/v1/agent/tasks/{id}/output', { params: { path: { id }, query }, signal }));
    if (!isHits(answer)) break;
    lines.push(...answer.hits.map(({ line }) => line));
    if (answer.next === null) break;
    after = answer.next;
  }
  return lines;
}

function isHits(answer: OutputAnswer): answer is OutputHits {
  return typeof answer !== 'string' && 'hits' in answer;
}

const batchMs = 50;

type StatusData = Extract<TaskEvent, { type: 'status' }>['data'];

function isOther({ status, run_id }: StatusData, own: string): boolean {
  return status === 'running' && run_id !== undefined && run_id !== own;
}

async function follow(id: string, run_id: string | undefined, store: OutputStore, signal: AbortSignal): Promise<void> {
  let pieces: OutputPiece[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    store.append(pieces);
    pieces = [];
  };
  try {
    const settings = { retryWhen: whenOnline, giveUpMs: Number.POSITIVE_INFINITY };
    for await (const event of followTask({ ...settings, client: api(), taskId: id, after: store.lastSeq, signal })) {
      if (event.type === 'output') {
        pieces.push({ seq: event.seq, stream: event.data.stream, text: event.data.text, at: event.at });
        timer ??= setTimeout(flush, batchMs);
        noteLastWord(id, event.at);
        continue;
      }
      // Output bears no attempt: that of the next one begins with its status.
      if (run_id !== undefined && event.type === 'status' && isOther(event.data, run_id)) return;
      noteTaskEvent(id, event.type);
    }
  } catch (error) {
    // A task that is gone, or a session that ended: the page shows that by itself.
    if (!signal.aborted && !(error instanceof FollowError)) throw error;
  } finally {
    clearTimeout(timer);
    flush();
  }
}
