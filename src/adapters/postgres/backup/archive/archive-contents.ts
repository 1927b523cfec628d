// The records of an archive: its header, one for each part of a table, the audit files, and the end that seals it all.
import { z } from 'zod';

/** Raised when an older program could not read the archive. */
export const archiveVersion = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.iso.datetime({ offset: true });

/** A partition by ranges of one column, or the default one. Values are in the text form of the column's type. */
const partition = z.strictObject({
  name,
  from: z.string().nullable(),
  to: z.string().nullable(),
  is_default: z.boolean(),
  row_security: z.boolean(),
  forced: z.boolean(),
});

const table = z.strictObject({
  name,
  /** Columns of every part, in the order of the values of a row. */
  columns: z.array(name).min(1),
  /** In the order in which they stand in the archive. */
  parts: z.array(name).min(1),
  partitions: z.array(partition),
});

export const archiveHeader = z.strictObject({
  format: z.literal('switchyard-archive'),
  version: z.int(),
  backup_id: z.uuid(),
  /** The moment that all rows are of, by the clock of the database. */
  taken_at: time,
  program: z.string(),
  postgres: z.string(),
  /** Those applied to the database, in order; `hash` is of their text. */
  migrations: z.array(z.strictObject({ name: z.string(), hash: z.string() })).min(1),
  /** In the order in which they can be loaded: a table stands behind those that it references. */
  tables: z.array(table).min(1),
});

/** After the rows of a part. */
export const partRecord = z.strictObject({ rows: z.int().min(0), bytes: z.int().min(0), sha256 });

/** The files of the audit, after all tables. `name` is the file's own, without a folder. */
export const auditRecord = z.array(z.strictObject({ name: z.string().min(1).max(255), size: z.int().min(0) }));

/** The last entry. The hash is over the names, sizes and contents of all entries before. */
export const endRecord = z.strictObject({ entries: z.int(), sha256 });

export type ArchiveHeader = z.infer<typeof archiveHeader>;
export type ArchivedTable = ArchiveHeader['tables'][number];
export type ArchivedPartition = ArchivedTable['partitions'][number];
export type PartRecord = z.infer<typeof partRecord>;
export type AuditRecord = z.infer<typeof auditRecord>;

/** Names of the entries. Chunks are numbered, so that each entry has a size that is known before it is written. */
export const entryNames = {
  header: 'header.json',
  chunk: (tableName: string, part: string, n: number): string =>
    `tables/${tableName}/${part}/${String(n).padStart(6, '0')}.copy`,
  part: (tableName: string, part: string): string => `tables/${tableName}/${part}.json`,
  audit: (n: number): string => `audit/${String(n).padStart(6, '0')}.jsonl`,
  auditRecord: 'audit.json',
  end: 'end.json',
};
