// Verifies an archive before anything is written: that it is whole, and that this version can restore it.
import { sha256 } from '../../../../lib/digest.ts';
import { sqlFiles } from '../../schema/migrate.ts';
import type { ArchiveHeader } from '../archive/archive-contents.ts';
import { unpackArchive } from '../archive/archive-file.ts';
import { readArchive, type ArchiveSink, type ArchiveSummary } from '../archive/archive-reader.ts';
import { BackupError } from '../archive/backup-error.ts';

export interface ArchiveLocation {
  readonly file: string;
  /** Secret keys of age, for an encrypted file. */
  readonly identities: readonly string[];
}

/** How far a backup, its verification or a restore is. */
export interface BackupProgress {
  readonly step: 'write' | 'verify' | 'load';
  /** The table at work. */
  readonly table: string;
  /** Bytes, of `total`. */
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: BackupProgress) => void;

/** Reads the whole file. @throws BackupError; the system's error */
export function verifyArchive(location: ArchiveLocation, onProgress?: OnProgress): Promise<ArchiveSummary> {
  return readLocated(location, 'verify', {}, onProgress);
}

/** Reads the file into a sink. @throws as `readArchive` */
export async function readLocated(
  { file, identities }: ArchiveLocation,
  step: BackupProgress['step'],
  sink: ArchiveSink,
  onProgress: OnProgress | undefined,
): Promise<ArchiveSummary> {
  const { content, size, position } = await unpackArchive(file, identities);
  return readArchive(content, {
    ...sink,
    onProgress: ({ table }) => onProgress?.({ step, table, done: position(), total: size }),
  });
}

/** @throws BackupError archive_newer, archive_of_another */
export async function refuseUnknownMigrations({ migrations, program }: ArchiveHeader): Promise<void> {
  const known = new Map((await sqlFiles('migrations')).map(({ name, sql }) => [name, sha256(sql, 'hex')]));
  const newer = migrations.find(({ name }) => !known.has(name));
  if (newer !== undefined) {
    throw new BackupError(
      'archive_newer',
      `The backup has the migration ${newer.name}, which this version does not know: ${program} wrote it.`,
      'Restore it with that version or a later one.',
    );
  }
  const other = migrations.find(({ name, hash }) => known.get(name) !== hash);
  if (other === undefined) return;
  throw new BackupError(
    'archive_of_another',
    `The migration ${other.name} of the backup has other text than this version has: an unreleased version made it.`,
    'Restore it with the version that wrote it.',
  );
}
