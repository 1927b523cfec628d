// Verifies and restores archives: into a data folder, or into a database of the operator's own.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { adoptRestored, restoredFolder, writeRestored } from '../../adapters/audit-file/backup-files.ts';
import type { ArchiveSummary } from '../../adapters/postgres/backup/archive/archive-reader.ts';
import { linesOfChain, newestChain } from '../../adapters/postgres/backup/physical/audit-copy.ts';
import {
  recoverBase,
  type Recovered,
  type RecoverOptions,
} from '../../adapters/postgres/backup/physical/recover-base.ts';
import { restoreEmbedded } from '../../adapters/postgres/backup/restore/restore-embedded.ts';
import { restoreOwn, type OwnRestoreResult } from '../../adapters/postgres/backup/restore/restore-own.ts';
import type { FillOptions } from '../../adapters/postgres/backup/restore/fill-database.ts';
import {
  refuseUnknownMigrations,
  verifyArchive,
  type ArchiveLocation,
  type OnProgress,
} from '../../adapters/postgres/backup/restore/verify-archive.ts';
import type { ChainHead } from '../../domain/model/audit-line.ts';
import { parseEntry } from '../../domain/audit/parse-line.ts';
import { resolveAuditLocation } from '../config/audit-location.ts';
import { explainBackupFailure } from './explain-failure.ts';

export type { OnProgress };

type QueryClient = Parameters<RecoverOptions['onAudit']>[1];

export interface RestoreTarget {
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly asClone: boolean;
  /** The folder of the embedded database; with `ownerUrl` only the audit files go there. Undefined: nowhere. */
  readonly dataDir: string | undefined;
  /** An owner's address of one's own database. */
  readonly ownerUrl: string | undefined;
  readonly onProgress: OnProgress;
}

export interface RecoverBackup extends Omit<RestoreTarget, 'ownerUrl' | 'onProgress'> {
  readonly dataDir: string;
  /** BACKUP_DIR. */
  readonly from: string;
  /** Milliseconds since 1970; undefined: as late as the log goes. */
  readonly toMs: number | undefined;
}

/** Restores base backups of BACKUP_DIR to a moment. @throws StartError */
export async function recoverBackup(options: RecoverBackup): Promise<Recovered> {
  try {
    return await recoverBase({ ...options, onAudit: writeAuditFromCopy });
  } catch (error) {
    throw explainBackupFailure(error, options.from);
  }
}

/** The files of the audit are where the service ran; the database has a copy of every line. */
async function writeAuditFromCopy(dataDir: string, client: QueryClient): Promise<ChainHead | undefined> {
  const chain = await newestChain(client);
  if (chain === undefined) return undefined;
  const folder = restoredFolder(resolveAuditLocation(dataDir).logPath, `from-database-${chain.slice(-12)}`);
  await makeAuditFolder(folder);
  await writeRestored(folder, 1, linesOfChain(client, chain));
  return adoptRestored(folder, ['audit.jsonl'], parseEntry);
}

/** Level by level, so that each folder is its user's alone. */
async function makeAuditFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** @throws StartError */
export async function verifyBackup(location: ArchiveLocation, onProgress: OnProgress): Promise<ArchiveSummary> {
  try {
    return await verifyArchive(location, onProgress);
  } catch (error) {
    throw explainBackupFailure(error, location.file);
  }
}

export interface RestoreReport {
  readonly summary: ArchiveSummary;
  /** Addresses of one's own database. */
  readonly own: OwnRestoreResult | undefined;
}

/**
 * Verifies the whole file, then restores it.
 * @throws StartError; nothing was written where the archive is not whole, or the target is not empty
 */
export async function restoreBackup(location: ArchiveLocation, target: RestoreTarget): Promise<RestoreReport> {
  const { dataDir, ownerUrl, asClone, onProgress } = target;
  try {
    const summary = await verifyArchive(location, onProgress);
    await refuseUnknownMigrations(summary.header);
    const fill = { ...location, summary, asClone, onProgress };
    if (ownerUrl === undefined) {
      if (dataDir === undefined) throw new Error('a restore has neither a folder nor a database');
      const audit = (half: string): AuditParts => auditParts(resolveAuditLocation(half).logPath, summary);
      await restoreEmbedded({ ...target, ...fill, dataDir, audit });
      return { summary, own: undefined };
    }
    const audit = dataDir === undefined ? noAudit : auditParts(resolveAuditLocation(dataDir).logPath, summary);
    return { summary, own: await restoreOwn({ ...fill, ...audit, ownerUrl }) };
  } catch (error) {
    throw explainBackupFailure(error, location.file);
  }
}

type AuditParts = Pick<FillOptions, 'onAuditFile' | 'findChain'>;

/** The audit files stay in the archive, and the database knows the chain. */
const noAudit: AuditParts = { findChain: () => Promise.resolve(undefined) };

/** Puts the audit files beside the place of the new installation's own file, which will not continue them. */
function auditParts(logPath: string, { header }: ArchiveSummary): AuditParts {
  const stamp = header.taken_at.replaceAll(/[-:]|\.\d+/g, '');
  const folder = restoredFolder(logPath, `${stamp}-${header.backup_id.slice(0, 8)}`);
  return {
    async onAuditFile(n, content) {
      await makeAuditFolder(folder);
      await writeRestored(folder, n, content);
    },
    findChain: ({ auditFiles }) =>
      auditFiles.length === 0
        ? Promise.resolve(undefined)
        : adoptRestored(
            folder,
            auditFiles.map(({ name }) => name),
            parseEntry,
          ),
  };
}
