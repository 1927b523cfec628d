// Loads the rows of an archive into a database that has the archive's own migrations and no rows: in one transaction.
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { schemaOwner } from '../../schema/schema-owner.ts';
import type { ArchivedPartition, ArchivedTable, ArchiveHeader } from '../archive/archive-contents.ts';
import type { ArchiveSink, ArchiveSummary } from '../archive/archive-reader.ts';
import { damaged } from '../archive/backup-error.ts';
import { archivedTables } from './archived-tables.ts';
import { isFolded, setMarks } from './log-parts.ts';
import { forceRowSecurity, liftRowSecurity } from './unforced.ts';

export interface LoadOptions {
  /** A login that may act for the owner of the tables. */
  readonly address: DatabaseAddress;
  /** Reads the archive into the sink. */
  readonly read: (sink: ArchiveSink) => Promise<ArchiveSummary>;
  /** Statements of the same transaction, after all rows. */
  readonly finish: (client: pg.Client, summary: ArchiveSummary) => Promise<void>;
}

/**
 * Loads all rows, or none.
 * @throws BackupError archive_damaged; what `read` and `finish` throw; the driver's error
 */
export async function loadTables(options: LoadOptions): Promise<ArchiveSummary> {
  await using opened = new AsyncDisposableStack();
  const client = await connect(options.address);
  opened.defer(() => client.end());
  const owner = await schemaOwner(client);
  if (owner !== undefined) await client.query(`set role ${pg.escapeIdentifier(owner.role)}`);
  // A number of its own, lower than that of the load: for the part of the log that is folded already.
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  const foldedXid = rows[0]?.xid ?? '3';
  await client.query('begin');
  const tables = await archivedTables(client);
  const names = tables.map(({ name }) => name);
  // COPY is refused under row-level security.
  await liftRowSecurity(client, names);
  await setTriggers(client, names, 'disable');
  const summary = await options.read({
    async onHeader(header) {
      refuseOtherTables(header, tables);
      for (const table of header.tables) await addPartitions(client, table);
    },
    async onPart(table, part, chunks) {
      await underNumber(client, table, isFolded(table.name, part) ? foldedXid : undefined, async () => {
        const copy = client.query(from(copyStatement(table)));
        await pipeline(chunks, copy);
      });
    },
  });
  await client.query(setMarks, [foldedXid]);
  await options.finish(client, summary);
  await setTriggers(client, names, 'enable');
  await forceRowSecurity(client, names);
  await client.query('commit');
  // The planner knows nothing of the new rows; without statistics it would read whole tables.
  await client.query(`analyze ${names.map((name) => pg.escapeIdentifier(name)).join(', ')}`);
  return summary;
}

async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const settings = [
    'statement_timeout=0',
    'idle_in_transaction_session_timeout=0',
    'datestyle=ISO',
    'client_encoding=UTF8',
  ];
  const client = new pg.Client({
    ...address,
    application_name: 'switchyard-restore',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Triggers would make rows of their own, which the archive has already. Foreign keys are still checked. */
async function setTriggers(client: pg.Client, tables: readonly string[], action: 'enable' | 'disable'): Promise<void> {
  for (const name of tables) await client.query(`alter table ${pg.escapeIdentifier(name)} ${action} trigger user`);
}

/** The same migrations make the same tables; an archive that lacks one was not written by this program. */
function refuseOtherTables(header: ArchiveHeader, tables: readonly ArchivedTable[]): void {
  for (const expected of tables) {
    const found = header.tables.find(({ name }) => name === expected.name);
    if (found === undefined) throw damaged(`the table ${expected.name} is missing`);
    const isSame = JSON.stringify([found.columns, found.parts]) === JSON.stringify([expected.columns, expected.parts]);
    if (!isSame) throw damaged(`the table ${expected.name} has other columns than its migrations make`);
  }
  const foreign = header.tables.find(({ name }) => !tables.some((table) => table.name === name));
  if (foreign !== undefined) throw damaged(`the table ${foreign.name} is not of its migrations`);
}

/** Rows of past months need their partitions; those of these months are there already. */
async function addPartitions(client: pg.Client, { name, partitions }: ArchivedTable): Promise<void> {
  for (const partition of partitions) {
    const known = await client.query('select from pg_class where oid = to_regclass($1)', [
      pg.escapeIdentifier(partition.name),
    ]);
    if (known.rowCount === 0) await client.query(partitionStatement(name, partition));
    const own = pg.escapeIdentifier(partition.name);
    if (partition.row_security) await client.query(`alter table ${own} enable row level security`);
    if (partition.forced) await client.query(`alter table ${own} force row level security`);
  }
}

function partitionStatement(
  table: string,
  { name, from: low, to: high, is_default: isDefault }: ArchivedPartition,
): string {
  const bound = isDefault
    ? 'default'
    : `for values from (${low === null ? 'minvalue' : pg.escapeLiteral(low)}) to (${high === null ? 'maxvalue' : pg.escapeLiteral(high)})`;
  return `create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(table)} ${bound}`;
}

function copyStatement({ name, columns }: ArchivedTable): string {
  return `copy ${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')}) from stdin`;
}

/** The column `xid` of the rows has its default, the number of this transaction, or the given one. */
async function underNumber(
  client: pg.Client,
  { name }: ArchivedTable,
  xid: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (xid === undefined) return work();
  const table = pg.escapeIdentifier(name);
  await client.query(`alter table ${table} alter column xid set default ${pg.escapeLiteral(xid)}::xid8`);
  await work();
  await client.query(`alter table ${table} alter column xid set default pg_current_xact_id()`);
}
