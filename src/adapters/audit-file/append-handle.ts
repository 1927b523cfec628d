// A file opened to append alone: written with or without being brought to disk.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../lib/system/make-folder.ts';

/** What the chain's file needs of a file. */
export interface AppendHandle extends Pick<FileHandle, 'datasync' | 'truncate' | 'close'> {
  /** Appends the bytes from `offset` on, as many as the disk takes. @returns how many */
  write(bytes: Buffer, offset: number): Promise<number>;
  /**
   * The same, and these bytes are on disk when it settles: one system call in place of two, each of which wakes a thread
   * and is woken by it (measured: 7 % of what a submit costs the service). What was written before is not synced by it.
   */
  writeThrough(bytes: Buffer, offset: number): Promise<number>;
  /** Bytes in the file. */
  size(): Promise<number>;
}

const appends = constants.O_WRONLY | constants.O_APPEND;

class AppendedHandle implements AppendHandle {
  readonly #file: FileHandle;
  readonly #through: FileHandle | undefined;

  /** @param through the same file once more, each write of which is synced; Windows has no such thing */
  constructor(file: FileHandle, through: FileHandle | undefined) {
    this.#file = file;
    this.#through = through;
  }

  async write(bytes: Buffer, offset: number): Promise<number> {
    return (await this.#file.write(bytes, offset)).bytesWritten;
  }

  async writeThrough(bytes: Buffer, offset: number): Promise<number> {
    if (this.#through !== undefined) return (await this.#through.write(bytes, offset)).bytesWritten;
    const written = await this.write(bytes, offset);
    await this.datasync();
    return written;
  }

  datasync(): Promise<void> {
    return this.#file.datasync();
  }

  truncate(size: number): Promise<void> {
    return this.#file.truncate(size);
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  async close(): Promise<void> {
    try {
      await this.#through?.close();
    } finally {
      await this.#file.close();
    }
  }
}

/** For its owner's eyes alone; the folder too, where it is made here. */
export async function openToAppend(file: string): Promise<AppendHandle> {
  await makeFolder(path.dirname(file), 0o700);
  const handle = await open(file, appends | constants.O_CREAT, 0o600);
  try {
    await syncFolder(path.dirname(file));
    const through = process.platform === 'win32' ? undefined : await open(file, appends | constants.O_DSYNC);
    return new AppendedHandle(handle, through);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes a rename survive a power cut. Windows has no such call and needs none. */
export async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(dir, 'r');
  await folder.sync();
}
