// The file in which an agent records its progress, and finds the last checkpoint of an earlier attempt.
// docs/WORKERS.md.
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkpointText } from '../agents/adapter/checkpoint-text.ts';
import type { WorkerTask } from '../../contracts/worker.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText } from '../process/text.ts';

/** The largest checkpoint that the service takes. */
const maxBytes = 256 * 1024;
const defaultPollMs = 1000;

export interface CheckpointFile extends AsyncDisposable {
  readonly path: string;
  /** Takes the last content and stops polling. */
  finish(): Promise<void>;
}

export interface CheckpointOptions {
  /** The folder of this attempt. */
  readonly folder: string;
  readonly task: Pick<WorkerTask, 'checkpoint'>;
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  readonly signal: AbortSignal;
  /** Time between two polls of the file. */
  readonly pollMs?: number;
}

/**
 * Opens the file, with the last checkpoint of an earlier attempt if there is one. Its content afterwards, once
 * unchanged between two polls, is the newest checkpoint: JSON as JSON, anything else as text.
 * @throws what `emit` throws, from `finish`
 */
export async function openCheckpoint(options: CheckpointOptions): Promise<CheckpointFile> {
  const { task, emit, pollMs = defaultPollMs } = options;
  const path = join(options.folder, 'checkpoint');
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  let known = task.checkpoint === undefined ? undefined : checkpointText(task.checkpoint.data);
  let tooLarge = false;
  let taken = '';
  let lastStamp = '';
  if (known !== undefined) {
    await writeFile(path, known, { mode: 0o600 });
    taken = (await readStamp(path))?.stamp ?? '';
  }

  async function take(): Promise<void> {
    const found = await readStamp(path);
    if (found === undefined || found.stamp === taken) return;
    taken = found.stamp;
    if (found.bytes > maxBytes) {
      if (!tooLarge)
        await emit({ type: 'progress', message: `The checkpoint is larger than ${maxBytes} bytes and was dropped.` });
      tooLarge = true;
      return;
    }
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined || text === known || text.trim() === '') return;
    known = text;
    await emit({ type: 'checkpoint', data: parseCheckpoint(text) });
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await delay(pollMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const stamp = (await readStamp(path))?.stamp ?? '';
      // The file may be half written: it is taken when it did not change since the last poll.
      if (stamp === lastStamp) await take();
      lastStamp = stamp;
    }
  }

  const watching = watch();
  // `finish` throws its failure.
  watching.catch(() => undefined);
  return {
    path,
    async finish() {
      over.abort();
      await watching;
      if (!options.signal.aborted) await take();
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      await watching.catch(() => undefined);
    },
  };
}

/** Regular files only: reading a pipe would block, and links are not part of the contract. */
async function readStamp(path: string): Promise<{ stamp: string; bytes: number } | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? { stamp: `${found.ino} ${found.mtimeMs} ${found.size}`, bytes: found.size } : undefined;
  } catch {
    // The file is not written yet, or was removed.
    return undefined;
  }
}

function parseCheckpoint(text: string): unknown {
  try {
    return JSON.parse(cleanText(text));
  } catch {
    return cleanText(text);
  }
}
