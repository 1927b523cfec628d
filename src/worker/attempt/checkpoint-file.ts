// The file in which an agent records its progress, and finds the last checkpoint of an earlier attempt.
// docs/WORKERS.md.
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointText } from '../agents/adapter/checkpoint-text.ts';
import type { WorkerTask } from '../../contracts/worker.ts';
import { tryParseJson } from '../../lib/json/json-text.ts';
import { sleep } from '../../lib/wait.ts';
import type { NewWorkerEvent } from '../base/event.ts';
import { cleanText } from '../process/text.ts';

/** The largest checkpoint that the service takes. */
const maxBytes = 256 * 1024;
const defaultPollMs = 1000;

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
 * The file of one attempt. Its content, once unchanged between two polls, is the newest checkpoint: JSON as JSON, anything
 * else as text.
 */
export class CheckpointFile implements AsyncDisposable {
  readonly path: string;
  readonly #options: CheckpointOptions;
  readonly #over = new AbortController();
  readonly #watching: Promise<void>;
  /** The newest checkpoint, as text. */
  #known: string | undefined;
  /** The stamp of the file that was taken last. */
  #takenStamp: string;
  #hasReportedSize = false;

  private constructor(options: CheckpointOptions, path: string, known: string | undefined, stamp: string) {
    this.path = path;
    this.#options = options;
    this.#known = known;
    this.#takenStamp = stamp;
    this.#watching = this.#watch();
    // `finish` throws its failure.
    this.#watching.catch(() => undefined);
  }

  /** Opens the file, with the last checkpoint of an earlier attempt if there is one. */
  static async open(options: CheckpointOptions): Promise<CheckpointFile> {
    const path = join(options.folder, 'checkpoint');
    const { checkpoint } = options.task;
    if (checkpoint === undefined) return new CheckpointFile(options, path, undefined, '');
    const known = checkpointText(checkpoint.data);
    await writeFile(path, known, { mode: 0o600 });
    return new CheckpointFile(options, path, known, (await readStamp(path))?.stamp ?? '');
  }

  /** Takes the last content and stops polling. @throws what `emit` throws */
  async finish(): Promise<void> {
    this.#over.abort();
    await this.#watching;
    if (!this.#options.signal.aborted) await this.#take();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#watching.catch(() => undefined);
  }

  async #watch(): Promise<void> {
    const { pollMs = defaultPollMs } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#over.signal]);
    let lastStamp = '';
    while (!signal.aborted) {
      await sleep(pollMs, signal);
      if (signal.aborted) return;
      const stamp = (await readStamp(this.path))?.stamp ?? '';
      // The file may be half written: it is taken when it did not change since the last poll.
      if (stamp === lastStamp) await this.#take();
      lastStamp = stamp;
    }
  }

  async #take(): Promise<void> {
    const { emit } = this.#options;
    const found = await readStamp(this.path);
    if (found === undefined || found.stamp === this.#takenStamp) return;
    this.#takenStamp = found.stamp;
    if (found.bytes > maxBytes) {
      if (!this.#hasReportedSize)
        await emit({ type: 'progress', message: `The checkpoint is larger than ${maxBytes} bytes and was dropped.` });
      this.#hasReportedSize = true;
      return;
    }
    const text = await readFile(this.path, 'utf8').catch(() => undefined);
    if (text === undefined || text === this.#known || text.trim() === '') return;
    this.#known = text;
    const clean = cleanText(text);
    await emit({ type: 'checkpoint', data: tryParseJson(clean) ?? clean });
  }
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
