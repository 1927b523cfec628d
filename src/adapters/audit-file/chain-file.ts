// The file of a chain: opened to append alone, written in batches, cut back after a failed write, renamed when full.
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { ChainFile, ChainPart, ChainSegment } from '../../domain/ports/store/audit-chain.ts';
import { openToAppend, syncFolder, type AppendHandle } from './append-handle.ts';
import type { FileLock } from './file-lock.ts';
import { fullName, fullSegments, markOf, readSegments } from './segments.ts';

export interface ChainFileOptions {
  readonly path: string;
  readonly chain: string;
  /** Sequence number of the first line in the file; of the next line, where it is empty. */
  readonly firstSeq: number;
  /** Bytes in the file now, all of them whole lines. */
  readonly size: number;
  /** A file of this size is full. */
  readonly maxBytes: number;
  readonly lock: FileLock;
  /** Opens a file to append to; tests bring disks that fail. */
  readonly openFile?: (path: string) => Promise<AppendHandle>;
}

/** Beyond this much that is written and not synced, the next write is synced too. */
const maxUnsyncedBytes = 256 * 1024;

export class AppendedFile implements ChainFile {
  readonly path: string;
  readonly #options: ChainFileOptions;
  #handle: AppendHandle | undefined;
  /** Bytes that are on disk for sure. */
  #syncedBytes: number;
  /** Written after that, and not synced. */
  #unsynced: Buffer[] = [];
  #unsyncedBytes = 0;
  #firstSeq: number;

  constructor(options: ChainFileOptions) {
    this.path = options.path;
    this.#options = options;
    this.#firstSeq = options.firstSeq;
    this.#syncedBytes = options.size;
  }

  async append(lines: string, firstSeq: number, durable: boolean): Promise<void> {
    if (this.#syncedBytes + this.#unsyncedBytes >= this.#options.maxBytes) await this.#rotate(firstSeq);
    const handle = await this.#opened();
    const bytes = Buffer.from(lines);
    if (durable && this.#unsyncedBytes === 0) {
      // Nothing before it waits to be synced: one call does both.
      await writeAll((rest, offset) => handle.writeThrough(rest, offset), bytes);
      this.#synced(bytes.length);
      return;
    }
    await writeAll((rest, offset) => handle.write(rest, offset), bytes);
    if (durable || this.#unsyncedBytes + bytes.length > maxUnsyncedBytes) {
      // A write that could not be synced is none: it comes again.
      await handle.datasync();
      this.#synced(bytes.length);
    } else {
      this.#unsynced.push(bytes);
      this.#unsyncedBytes += bytes.length;
    }
  }

  async sync(): Promise<void> {
    if (this.#unsyncedBytes === 0) return;
    const handle = await this.#opened();
    await handle.datasync();
    this.#synced(0);
  }

  async restore(): Promise<void> {
    // A fresh handle: of the old one nobody knows what a failed sync has left in it.
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
    const handle = await this.#opened();
    // Whoever shortened it meanwhile is found by verifying; nothing is made up in its place.
    if ((await handle.size()) > this.#syncedBytes) await handle.truncate(this.#syncedBytes);
    for (const bytes of this.#unsynced) await writeAll((rest, offset) => handle.write(rest, offset), bytes);
    await handle.datasync();
    this.#synced(0);
  }

  async *read({ chain = this.#options.chain, fromSeq = 0 }: ChainPart = {}): AsyncGenerator<
    ChainSegment,
    void,
    undefined
  > {
    const files = (await fullSegments(this.path)).filter(({ mark }) => mark === markOf(chain));
    if (chain === this.#options.chain) files.push({ path: this.path, mark: markOf(chain), firstSeq: this.#firstSeq });
    const needed = files.filter((_, i) => (files[i + 1]?.firstSeq ?? Number.POSITIVE_INFINITY) > fromSeq);
    // What is being written now is not read: its last line may be half there.
    const written = this.#syncedBytes + this.#unsyncedBytes;
    yield* readSegments(
      needed.map((segment) => segment.path),
      (file) => (file === this.path ? written : undefined),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } finally {
      this.#options.lock.release();
    }
  }

  /** @param more bytes beside those that waited for it */
  #synced(more: number): void {
    this.#syncedBytes += this.#unsyncedBytes + more;
    this.#unsynced = [];
    this.#unsyncedBytes = 0;
  }

  async #opened(): Promise<AppendHandle> {
    return (this.#handle ??= await (this.#options.openFile ?? openToAppend)(this.path));
  }

  /** The full file gets its name, and the chain goes on in a new one. */
  async #rotate(nextSeq: number): Promise<void> {
    const handle = await this.#opened();
    await this.sync();
    await rename(this.path, fullName(this.path, this.#options.chain, this.#firstSeq));
    this.#handle = undefined;
    this.#syncedBytes = 0;
    this.#firstSeq = nextSeq;
    await handle.close();
    await syncFolder(path.dirname(this.path));
  }
}

/** A write may take less than it was given, on a disk that is filling up. */
async function writeAll(write: AppendHandle['write'], bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += await write(bytes, done);
}
