// Writes an archive as a stream of bytes: header, tables in chunks, audit files, and an end with the hash of all.
import { createHash } from 'node:crypto';
import {
  entryNames,
  type ArchivedTable,
  type ArchiveHeader,
  type AuditRecord,
  type PartRecord,
} from './archive-contents.ts';
import { writeTar, type TarEntry } from './tar-stream.ts';

/** A file of the audit; its content is as long as its size. */
export interface AuditFile {
  /** Without a folder. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ArchiveSource {
  readonly header: ArchiveHeader;
  /** The rows of a part in PostgreSQL's text form of COPY. */
  readonly rows: (table: ArchivedTable, part: string) => AsyncIterable<Uint8Array>;
  /** Called after all tables were read. */
  readonly auditFiles: () => AsyncIterable<AuditFile>;
  /** Called after each chunk, with the bytes of rows so far. */
  readonly onProgress?: ((progress: { readonly table: string; readonly bytes: number }) => void) | undefined;
}

/** Bytes of an entry with rows; this much is in memory. */
const chunkBytes = 1024 * 1024;
const lineBreak = 0x0a;

/** The bytes of the archive, before compression. */
export function writeArchive(source: ArchiveSource): AsyncGenerator<Uint8Array, void, undefined> {
  return writeTar(withEnd(entriesOf(source)));
}

async function* entriesOf(source: ArchiveSource): AsyncGenerator<TarEntry, void, undefined> {
  yield jsonEntry(entryNames.header, source.header);
  let bytesBefore = 0;
  for (const table of source.header.tables) {
    for (const part of table.parts) {
      const hash = createHash('sha256');
      const record = { rows: 0, bytes: 0 };
      let n = 0;
      for await (const { size, content } of gather(source.rows(table, part), chunkBytes)) {
        for (const bytes of content) {
          hash.update(bytes);
          record.rows += countLines(bytes);
        }
        record.bytes += size;
        n += 1;
        yield { name: entryNames.chunk(table.name, part, n), size, content };
        source.onProgress?.({ table: table.name, bytes: bytesBefore + record.bytes });
      }
      bytesBefore += record.bytes;
      const sealed: PartRecord = { ...record, sha256: hash.digest('hex') };
      yield jsonEntry(entryNames.part(table.name, part), sealed);
    }
  }
  const files: AuditRecord = [];
  for await (const { name, size, content } of source.auditFiles()) {
    files.push({ name, size });
    yield { name: entryNames.audit(files.length), size, content };
  }
  yield jsonEntry(entryNames.auditRecord, files);
}

/** Adds the entry that seals those before it. */
async function* withEnd(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry, void, undefined> {
  const seal = createHash('sha256');
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    yield { ...entry, content: hashed(entry, seal) };
  }
  yield jsonEntry(entryNames.end, { entries: count, sha256: seal.digest('hex') });
}

/** The content, which passes through the hash of the whole archive. */
export async function* hashed(
  { name, size, content }: TarEntry,
  seal: { update(data: string | Uint8Array): unknown },
): AsyncGenerator<Uint8Array, void, undefined> {
  seal.update(`${name}\n${size}\n`);
  for await (const bytes of content) {
    seal.update(bytes);
    yield bytes;
  }
}

function jsonEntry(name: string, value: unknown): TarEntry {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  return { name, size: bytes.length, content: [bytes] };
}

/** Groups chunks until they have at least `least` bytes together. */
async function* gather(
  chunks: AsyncIterable<Uint8Array>,
  least: number,
): AsyncGenerator<{ readonly size: number; readonly content: readonly Uint8Array[] }, void, undefined> {
  let content: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of chunks) {
    content.push(bytes);
    size += bytes.length;
    if (size < least) continue;
    yield { size, content };
    content = [];
    size = 0;
  }
  if (size > 0) yield { size, content };
}

/** In the text form of COPY each row is one line: a line break within a value is written as `\n`. */
function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}
