// The file of an archive: compressed with zstd, encrypted with age where recipients are named, whole or not there at all.
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { errorCode } from '../../../../lib/system/error-code.ts';
import { isAlive } from '../../../../lib/system/process-identity.ts';
import { syncFolder } from '../../../../lib/system/sync-folder.ts';
import { BackupError, damaged } from './backup-error.ts';
import { withoutTrailer, withTrailer } from './trailer.ts';

/** Measured on rows of tasks: level 3 shrinks to a seventh, and keeps up with COPY. */
const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};
const ageMagic = Buffer.from('age-encryption.org/v1');

/** The bytes of an archive file. @param recipients of age; none: it is not encrypted @throws BackupError bad_recipient */
export async function packArchive(
  archive: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const packed = withTrailer(through(archive, createZstdCompress(compression)));
  if (recipients.length === 0) return packed;
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  return streamChunks(await encrypter.encrypt(ReadableStream.from(packed)));
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new BackupError(
      'bad_recipient',
      `${recipient} is not a recipient of age.`,
      'Write the public key as `age-keygen -y KEYFILE` prints it: age1…',
      { cause },
    );
  }
}

/**
 * Writes a file beside its place, syncs it and renames it: a reader sees the old file or the whole new one.
 * @throws BackupError disk_full; the system's error
 */
export async function writeWhole(file: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const half = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.half`);
  await removeLeftovers(file);
  try {
    {
      await using handle = await open(half, 'w', 0o600);
      await handle.writeFile(bytes);
      await handle.sync();
    }
    const { size } = await stat(half);
    await rename(half, file);
    await syncFolder(path.dirname(file));
    return size;
  } catch (error) {
    await rm(half, { force: true });
    throw explainWrite(error, file);
  }
}

/** Removes files of killed backups to the same place. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(`.${path.basename(file)}.`) ? /\.(\d+)\.half$/.exec(name)?.[1] : undefined;
    if (pid === undefined || (await isAlive({ pid: Number(pid), start: '' }))) continue;
    await rm(path.join(folder, name), { force: true });
  }
}

function explainWrite(error: unknown, file: string): unknown {
  if (errorCode(error) !== 'ENOSPC' && errorCode(error) !== 'EDQUOT') return error;
  return new BackupError(
    'disk_full',
    `There is no room for the backup on the disk of ${file}.`,
    'Make room there, or name a file on another disk. An earlier backup of that name is still there.',
    { cause: error },
  );
}

/** A file that is being read, and how far. */
export interface UnpackedFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes of the file read so far. */
  readonly position: () => number;
}

/**
 * The archive in a file, before compression.
 * @param identities secret keys of age; needed where the file is encrypted
 * @throws BackupError archive_encrypted, bad_identity, archive_damaged; the system's error
 */
export async function unpackArchive(file: string, identities: readonly string[]): Promise<UnpackedFile> {
  const { size } = await stat(file);
  const isEncrypted = (await firstBytes(file, ageMagic.length)).equals(ageMagic);
  const raw = createReadStream(file, { highWaterMark: 256 * 1024 });
  try {
    const packed = isEncrypted ? await decrypt(raw, identities) : raw;
    return { content: unpacked(packed, isEncrypted), size, position: () => raw.bytesRead };
  } catch (error) {
    raw.destroy();
    throw error;
  }
}

async function* unpacked(
  packed: AsyncIterable<Uint8Array>,
  isEncrypted: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* through(withoutTrailer(packed), createZstdDecompress());
  } catch (error) {
    if (error instanceof BackupError || isSystemError(error)) throw error;
    throw damaged(isEncrypted ? 'it cannot be decrypted or unpacked' : 'it cannot be unpacked', error);
  }
}

/** An error of reading the file is no damage of its content. Those of zlib have codes of their own. */
function isSystemError(error: unknown): boolean {
  return /^E[A-Z]+$/.test(errorCode(error) ?? '');
}

/** The bytes after a transformation. The source is left when the reader leaves. */
async function* through(
  source: AsyncIterable<Uint8Array>,
  transformation: Duplex,
): AsyncGenerator<Uint8Array, void, undefined> {
  const feeding = pipeline(source, transformation);
  // Its failure reaches the reader too.
  feeding.catch(() => undefined);
  for await (const chunk of transformation) {
    if (!(chunk instanceof Uint8Array)) throw new Error('a stream of bytes returned something else');
    yield chunk;
  }
  await feeding;
}

async function decrypt(raw: Readable, identities: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
  if (identities.length === 0) {
    throw new BackupError(
      'archive_encrypted',
      'The backup is encrypted.',
      'Name the file with the secret key of age: --identity KEYFILE.',
    );
  }
  const decrypter = new Decrypter();
  for (const identity of identities) addIdentity(decrypter, identity);
  try {
    return streamChunks(await decrypter.decrypt(Readable.toWeb(raw)));
  } catch (cause) {
    throw new BackupError(
      'archive_encrypted',
      'The backup is encrypted for other keys, or its beginning is damaged.',
      'Name the file with the secret key of one of its recipients: --identity KEYFILE.',
      { cause },
    );
  }
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch (cause) {
    throw new BackupError(
      'bad_identity',
      'The file of --identity holds no secret key of age.',
      '`age-keygen -o KEYFILE` makes one: a line AGE-SECRET-KEY-1…',
      { cause },
    );
  }
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
}

async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Ends what feeds the stream, where its reader stopped early.
    await reader.cancel().catch(() => undefined);
  }
}
