// The file of an audit chain: append-only, written in batches, truncated after a failed write, rotated when full.
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { ChainFile, ChainPart, ChainSegment } from '../../domain/ports/audit-chain.ts';
import { openToAppend, type AppendHandle } from './append-handle.ts';
import type { FileLock } from './file-lock.ts';
import { fullName, fullSegments, markOf, readSegments, restoredSegments, type FullSegment } from './segments.ts';
import { syncFolder } from '../../lib/system/sync-folder.ts';

export interface ChainFileOptions {
  readonly path: string;
  readonly chain: string;
  /** Sequence number of the first line in the file; for an empty file, of the next line. */
  readonly firstSeq: number;
  /** Bytes in the file now, all of them complete lines. */
  readonly size: number;
  /** The file is rotated at this size. */
  readonly maxBytes: number;
  readonly lock: FileLock;
  /** Opens a file to append to; tests pass disks that fail. */
  readonly openFile?: (path: string) => Promise<AppendHandle>;
}

/** Most bytes that may be written and not synced; the write that exceeds it is synced. */
const maxUnsyncedBytes = 256 * 1024;

export class AppendedFile implements ChainFile {
  readonly path: string;
  readonly #options: ChainFileOptions;
  #handle: AppendHandle | undefined;
  /** Bytes known to be on disk. */
  #syncedBytes: number;
  /** Buffers written after that, and not synced yet. */
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
      // No earlier write waits for a sync: one call writes and syncs.
      await writeAll((rest, offset) => handle.writeThrough(rest, offset), bytes);
      this.#synced(bytes.length);
      return;
    }
    await writeAll((rest, offset) => handle.write(rest, offset), bytes);
    if (durable || this.#unsyncedBytes + bytes.length > maxUnsyncedBytes) {
      // A write that could not be synced counts as failed: the caller repeats it.
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
    // A fresh handle, for the state of the old one after a failed sync is unknown.
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
    const handle = await this.#opened();
    // If someone shortened the file meanwhile, verification will find it; nothing is written to hide the gap.
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
    const files = await this.#fullFiles(chain);
    if (chain === this.#options.chain) files.push({ path: this.path, mark: markOf(chain), firstSeq: this.#firstSeq });
    const needed = files.filter((_, i) => (files[i + 1]?.firstSeq ?? Number.POSITIVE_INFINITY) > fromSeq);
    // A write in progress is not read: its last line may be incomplete.
    const written = this.#syncedBytes + this.#unsyncedBytes;
    yield* readSegments(
      needed.map((segment) => segment.path),
      (file) => (file === this.path ? written : undefined),
    );
  }

  async holds(chain: string): Promise<boolean> {
    return chain === this.#options.chain || (await this.#fullFiles(chain)).length > 0;
  }

  /** Beside this file, else among those of a backup. */
  async #fullFiles(chain: string): Promise<FullSegment[]> {
    const mark = markOf(chain);
    const beside = (await fullSegments(this.path)).filter((segment) => segment.mark === mark);
    return beside.length > 0 ? beside : restoredSegments(this.path, mark);
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

  /** @param more bytes on disk besides the unsynced ones */
  #synced(more: number): void {
    this.#syncedBytes += this.#unsyncedBytes + more;
    this.#unsynced = [];
    this.#unsyncedBytes = 0;
  }

  async #opened(): Promise<AppendHandle> {
    return (this.#handle ??= await (this.#options.openFile ?? openToAppend)(this.path));
  }

  /** Renames the full file and continues the chain in a new one. */
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

/** Repeats short writes, which happen on a disk that is filling up. */
async function writeAll(write: AppendHandle['write'], bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += await write(bytes, done);
}
