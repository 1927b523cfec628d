// The last bytes of a compressed archive: how long it is. A decompressor may take a file for whole that lacks its last bytes.
import { damaged } from './backup-error.ts';

/** A frame that readers of zstd skip: magic number, length of its content. Its content is the number of bytes before it. */
const magic = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0]);
const trailerBytes = magic.length + 8;

/** The bytes and their trailer. */
export async function* withTrailer(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let count = 0;
  for await (const chunk of packed) {
    count += chunk.length;
    yield chunk;
  }
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(count));
  yield Buffer.concat([magic, length]);
}

/** The bytes before the trailer. @throws BackupError archive_damaged, after them */
export async function* withoutTrailer(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let count = 0;
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const ready = Math.max(0, bytes.length - trailerBytes);
    held = bytes.subarray(ready);
    if (ready === 0) continue;
    count += ready;
    yield bytes.subarray(0, ready);
  }
  const trailer = Buffer.from(held);
  const isWhole =
    trailer.length === trailerBytes &&
    trailer.subarray(0, magic.length).equals(magic) &&
    trailer.readBigUInt64LE(magic.length) === BigInt(count);
  if (!isWhole) throw damaged('its end is missing');
}
