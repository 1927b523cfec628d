// The output of a task, from its end: read in windows, and followed while the task runs.
import { FollowError, followTask } from '../../../src/client/follow.ts';
import { api, dataOf } from '../api/api.ts';
import { whenOnline } from '../live/when-online.ts';
import type { AnswerOf } from '../api/answer-of.ts';
import { refreshTask } from './task-deeds.ts';
import { OutputStore } from '../text/lines.ts';
import type { OutputPiece } from '../text/line-splitter.ts';

type OutputAnswer = AnswerOf<'tasks.output'>;
type OutputPage = Extract<OutputAnswer, { output: unknown }>;
type OutputHits = Extract<OutputAnswer, { hits: unknown }>;

/** Most pieces of one answer. */
const window = 2_000;
const mostSearchPages = 50;

export interface TaskOutput {
  readonly store: OutputStore;
  readonly loadEnd: () => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly loadAround: (line: number) => Promise<void>;
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly number[]>;
  /** Appends what comes until the task ends or the signal aborts. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
}

/** @param run_id the attempt whose output is read; without it that of all attempts */
export function createTaskOutput(id: string, run_id: string | undefined): TaskOutput {
  const store = new OutputStore((notify) => requestAnimationFrame(notify));
  /** The last piece that is known to exist. */
  let end = 0;
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
    end = Math.max(end, answer.output.at(-1)?.seq ?? 0);
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
    const before = end;
    const { output, first_line } = await read({ line, limit: window });
    const last = output.at(-1)?.seq ?? 0;
    store.show({
      pieces: output,
      firstLine: first_line,
      hasOlder: first_line > 1,
      hasNewer: last < Math.max(before, end),
    });
  };
  return {
    store,
    loadEnd,
    loadOlder,
    loadNewer,
    loadAround,
    search: (q, signal) => search(id, run_id, q, signal),
    follow: (signal) => follow(id, store, signal),
  };
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

async function follow(id: string, store: OutputStore, signal: AbortSignal): Promise<void> {
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
      } else {
        void refreshTask(id);
      }
    }
  } catch (error) {
    // A task that is gone, or a session that ended: the page tells that by itself.
    if (!signal.aborted && !(error instanceof FollowError)) throw error;
  } finally {
    clearTimeout(timer);
    flush();
  }
}
