// Backups of a test's databases: written to a file, and read back as rows by table.
import { packArchive, unpackArchive, writeWhole } from '../../../src/adapters/postgres/backup/archive/archive-file.ts';
import { readArchive } from '../../../src/adapters/postgres/backup/archive/archive-reader.ts';
import { writeArchive } from '../../../src/adapters/postgres/backup/archive/archive-writer.ts';
import { openSnapshot } from '../../../src/adapters/postgres/backup/tables/dump-tables.ts';
import type { DatabaseAddress } from '../../../src/adapters/postgres/connection/connections.ts';

/** A backup without audit files. @param begun called once the snapshot is open */
export async function backUpDatabase(
  address: DatabaseAddress,
  file: string,
  begun: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await using snapshot = await openSnapshot(address, 'switchyard 1.2.0');
  await begun();
  const archive = writeArchive({
    header: snapshot.header,
    rows: (table, part) => snapshot.rows(table, part),
    async *auditFiles() {},
  });
  await writeWhole(file, await packArchive(archive, []));
}

/** The rows of each table, sorted: COPY returns them in no order. */
export async function rowsIn(file: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  const { content } = await unpackArchive(file, []);
  await readArchive(content, {
    async onPart({ name }, _part, rows) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of rows) chunks.push(chunk);
      const lines = Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1);
      tables[name] = [...(tables[name] ?? []), ...lines].toSorted((a, b) => (a < b ? -1 : 1));
    },
  });
  return tables;
}
