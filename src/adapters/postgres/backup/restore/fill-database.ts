// Fills an empty database from an archive: the schema of the backup, its rows, then the schema of this version.
import type { ChainHead } from '../../../../domain/model/audit-line.ts';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { migrate } from '../../schema/migrate.ts';
import type { ArchiveSink, ArchiveSummary } from '../archive/archive-reader.ts';
import { damaged } from '../archive/backup-error.ts';
import { recordRestore } from '../settle/record-restore.ts';
import { settleRestore } from '../settle/settle-restore.ts';
import { loadTables } from '../tables/load-tables.ts';
import { readLocated, type ArchiveLocation, type OnProgress } from './verify-archive.ts';

export interface FillOptions extends ArchiveLocation {
  /** The summary of the verified archive. */
  readonly summary: ArchiveSummary;
  readonly asClone: boolean;
  /** Takes the audit files. */
  readonly onAuditFile?: ArchiveSink['onAuditFile'];
  /** The end of the restored audit chain, once the files are there; undefined: the database's own end is taken. */
  readonly findChain: (summary: ArchiveSummary) => Promise<ChainHead | undefined>;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * The rows are there all or not at all; after a kill later the same call goes on where it was.
 * @param address a login that may act for the owner of the tables, or may make them
 * @param ownerRole the owner of the tables of a new database
 * @throws BackupError; MigrationError; the driver's error
 */
export async function fillDatabase(
  address: DatabaseAddress,
  ownerRole: string,
  { file, identities, summary, asClone, onAuditFile, findChain, onProgress }: FillOptions,
): Promise<readonly string[]> {
  const { header } = summary;
  const before = await migrate({ address, ownerRole, only: header.migrations, log: () => undefined });
  await loadTables({
    address,
    read: (sink) =>
      readLocated({ file, identities }, 'load', { ...sink, ...(onAuditFile && { onAuditFile }) }, onProgress),
    async finish(client, loaded) {
      if (loaded.header.backup_id !== header.backup_id) throw damaged('the file was changed while it was read');
      const chain = await findChain(loaded);
      await recordRestore(client, {
        backupId: header.backup_id,
        kind: 'archive',
        backupAt: header.taken_at,
        asClone,
        chain,
      });
    },
  });
  return [...before, ...(await finishDatabase(address))];
}

/** Steps after the rows: the schema of this version, and the sends. Repeatable. */
export async function finishDatabase(address: DatabaseAddress): Promise<readonly string[]> {
  const after = await migrate({ address, log: () => undefined });
  await settleRestore(address);
  return after;
}
