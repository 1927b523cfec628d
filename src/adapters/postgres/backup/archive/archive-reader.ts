// Reads an archive from its first byte to its last, and rejects one that is not exactly as it was written.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { tryParseJson } from '../../../../lib/json/json-text.ts';
import {
  archiveHeader,
  archiveVersion,
  auditRecord,
  endRecord,
  entryNames,
  partRecord,
  type ArchivedTable,
  type ArchiveHeader,
  type AuditRecord,
} from './archive-contents.ts';
import { hashed } from './archive-writer.ts';
import { BackupError, damaged } from './backup-error.ts';
import { readTar, type TarEntry } from './tar-stream.ts';

/** Receives what is read, in the order of the archive. A rejection ends the reading. */
export interface ArchiveSink {
  onHeader?(header: ArchiveHeader): Promise<void>;
  /** Takes the rows of a part, read to their end. */
  onPart?(table: ArchivedTable, part: string, rows: AsyncIterable<Uint8Array>): Promise<void>;
  /** Takes the n-th audit file, from 1; its name comes with the summary. */
  onAuditFile?(n: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Called as bytes of rows are read, with those so far. */
  onProgress?(progress: { readonly table: string; readonly bytes: number }): void;
}

/** The content of a whole archive, counted. */
export interface ArchiveSummary {
  readonly header: ArchiveHeader;
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Bytes of all rows. */
  readonly bytes: number;
  readonly auditFiles: AuditRecord;
}

/** Largest record: a header with thousands of partitions. */
const maxRecordBytes = 16 * 1024 * 1024;

/**
 * Reads to the end. Only when this resolves is the archive known to be whole.
 * @throws BackupError archive_damaged, archive_newer; what the sink throws
 */
export async function readArchive(source: AsyncIterable<Uint8Array>, sink: ArchiveSink): Promise<ArchiveSummary> {
  const entries = new Entries(readTar(source));
  const header = await entries.record(entryNames.header, archiveHeader, refuseNewerFormat);
  await sink.onHeader?.(header);
  const rows = new Map<string, number>();
  let bytes = 0;
  for (const table of header.tables) {
    for (const part of table.parts) {
      const read = await readPart(entries, table, part, sink, bytes);
      rows.set(table.name, (rows.get(table.name) ?? 0) + read.rows);
      bytes += read.bytes;
    }
  }
  const sizes: number[] = [];
  for (let entry = await entries.next(); entry.name !== entryNames.auditRecord; entry = await entries.next()) {
    if (entry.name !== entryNames.audit(sizes.length + 1)) throw damaged(`the entry ${entry.name} is out of place`);
    sizes.push(entry.size);
    await (sink.onAuditFile?.(sizes.length, entry.content) ?? drain(entry.content));
  }
  const auditFiles = await entries.parse(auditRecord);
  if (auditFiles.length !== sizes.length || auditFiles.some(({ size }, i) => size !== sizes[i])) {
    throw damaged('an audit file is missing');
  }
  await entries.end();
  return { header, rows, bytes, auditFiles };
}

async function readPart(
  entries: Entries,
  table: ArchivedTable,
  part: string,
  sink: ArchiveSink,
  bytesBefore: number,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const recordName = entryNames.part(table.name, part);
  const rows = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for (let n = 1; ; n += 1) {
      const entry = await entries.next();
      if (entry.name === recordName) return;
      if (entry.name !== entryNames.chunk(table.name, part, n)) throw damaged(`rows of ${table.name} are missing`);
      for await (const chunk of entry.content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      sink.onProgress?.({ table: table.name, bytes: bytesBefore + bytes });
    }
  };
  await (sink.onPart?.(table, part, rows()) ?? drain(rows()));
  const record = await entries.parse(partRecord);
  if (record.bytes !== bytes || record.sha256 !== hash.digest('hex')) {
    throw damaged(`the rows of ${table.name} do not match their hash`);
  }
  return { rows: record.rows, bytes };
}

/** The entries, which pass through the hash that the last one states. */
class Entries {
  readonly #entries: AsyncGenerator<TarEntry, void, undefined>;
  readonly #seal = createHash('sha256');
  #count = 0;
  #current: TarEntry | undefined;

  constructor(entries: AsyncGenerator<TarEntry, void, undefined>) {
    this.#entries = entries;
  }

  async next(): Promise<TarEntry & { readonly content: AsyncIterable<Uint8Array> }> {
    const entry = await this.#read();
    this.#count += 1;
    const content = hashed(entry, this.#seal);
    this.#current = { ...entry, content };
    return { ...entry, content };
  }

  /** The next entry, which must have this name, as its record. */
  async record<T>(name: string, shape: z.ZodType<T>, check?: (value: unknown) => void): Promise<T> {
    const entry = await this.next();
    if (entry.name !== name) throw damaged(`it begins with ${entry.name}`);
    return this.parse(shape, check);
  }

  /** The record in the entry that `next` returned last. */
  async parse<T>(shape: z.ZodType<T>, check?: (value: unknown) => void): Promise<T> {
    if (this.#current === undefined) throw new Error('no entry was read');
    return parseRecord(this.#current, shape, check);
  }

  /** Nothing follows the seal, and it matches. */
  async end(): Promise<void> {
    const sha256 = this.#seal.digest('hex');
    const entry = await this.#read();
    if (entry.name !== entryNames.end) throw damaged(`the entry ${entry.name} is out of place`);
    const end = await parseRecord(entry, endRecord);
    if (end.entries !== this.#count || end.sha256 !== sha256) throw damaged('its content does not match its hash');
    const { done } = await this.#entries.next();
    if (done !== true) throw damaged('something follows its end');
  }

  async #read(): Promise<TarEntry> {
    const { done, value } = await this.#entries.next();
    if (done === true) throw damaged('its end is missing');
    return value;
  }
}

async function parseRecord<T>(
  { name, size, content }: TarEntry,
  shape: z.ZodType<T>,
  check?: (value: unknown) => void,
): Promise<T> {
  if (size > maxRecordBytes) throw damaged(`the entry ${name} is too long`);
  const parts: Uint8Array[] = [];
  for await (const bytes of content) parts.push(bytes);
  const value = tryParseJson(Buffer.concat(parts).toString('utf8'));
  check?.(value);
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw damaged(`the entry ${name} has an unknown form`);
  return parsed.data;
}

/** Before its form is checked, which a later version may have changed. */
function refuseNewerFormat(value: unknown): void {
  if (typeof value !== 'object' || value === null || !('version' in value)) return;
  if (typeof value.version !== 'number' || value.version <= archiveVersion) return;
  const program = 'program' in value && typeof value.program === 'string' ? value.program : 'a later version';
  throw new BackupError(
    'archive_newer',
    `The backup has the format ${value.version}, written by ${program}; this version reads up to ${archiveVersion}.`,
    'Restore it with the version that wrote it, or a later one.',
  );
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}
