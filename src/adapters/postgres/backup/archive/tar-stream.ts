// Tar as a stream: entries to bytes, and bytes to entries, with one block in memory at a time.
import { Header } from 'tar';
import { damaged } from './backup-error.ts';

/** An entry; its content must be read to its end before the next entry. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const blockBytes = 512;
const endBlocks = Buffer.alloc(2 * blockBytes);

/** The bytes of entries, with the two empty blocks that end a tar file. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { name, size, content } of entries) {
    const header = new Header({ path: name, mode: 0o600, uid: 0, gid: 0, size, mtime: new Date(0), type: 'File' });
    // False: everything fitted into the one block.
    if (header.encode()) throw new Error(`the name of the entry ${name} is too long`);
    if (header.block !== undefined) yield header.block;
    let written = 0;
    for await (const bytes of content) {
      written += bytes.length;
      yield bytes;
    }
    if (written !== size) throw new Error(`the entry ${name} has ${written} bytes in place of ${size}`);
    const rest = size % blockBytes;
    if (rest > 0) yield endBlocks.subarray(0, blockBytes - rest);
  }
  yield endBlocks;
}

/** @throws BackupError `archive_damaged` */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void, undefined> {
  const reader = new ByteReader(source);
  for (;;) {
    const block = await reader.take(blockBytes);
    const header = new Header(block);
    if (header.nullBlock) return reader.end();
    const { path: name, size, type } = header;
    if (!header.cksumValid || name === undefined || size === undefined || type !== 'File') {
      throw damaged('an entry has no valid header');
    }
    let left = size;
    const content = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      while (left > 0) {
        const bytes = await reader.takeUpTo(left);
        left -= bytes.length;
        yield bytes;
      }
    };
    yield { name, size, content: content() };
    if (left > 0) throw new Error(`the entry ${name} was not read to its end`);
    const rest = size % blockBytes;
    if (rest > 0) await reader.take(blockBytes - rest);
  }
}

/** Takes exact numbers of bytes from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async takeUpTo(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw damaged('its end is missing');
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** One more empty block, and nothing behind it. Reads on, so that a compressed file is checked to its last byte. */
  async end(): Promise<void> {
    const block = await this.take(blockBytes);
    if (this.#rest.length > 0 || block.some((byte) => byte !== 0)) throw damaged('something follows its end');
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return;
      if (value.length > 0) throw damaged('something follows its end');
    }
  }

  async take(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = size; left > 0;) {
      const bytes = await this.takeUpTo(left);
      parts.push(bytes);
      left -= bytes.length;
    }
    return Buffer.concat(parts);
  }
}
