// Reads a database for a backup: one snapshot of all tables, by COPY, while the service runs.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import type { DatabaseAddress } from '../../connection/connections.ts';
import { archiveVersion, type ArchivedTable, type ArchiveHeader } from '../archive/archive-contents.ts';
import { archivedTables } from './archived-tables.ts';
import { logParts } from './log-parts.ts';

/** An open snapshot; closing it ends its transaction. */
export interface DatabaseSnapshot extends AsyncDisposable {
  readonly header: ArchiveHeader;
  /** Bytes of all tables on disk: more or less what `rows` will return. */
  readonly estimatedBytes: number;
  rows(table: ArchivedTable, part: string): AsyncIterable<Uint8Array>;
}

/**
 * Opens the snapshot. Claims get slower the longer it is held, because finished rows stay in the indexes meanwhile.
 * @param address of the service's login, or of a superuser
 * @throws the driver's error
 */
export async function openSnapshot(address: DatabaseAddress, program: string): Promise<DatabaseSnapshot> {
  await using opened = new AsyncDisposableStack();
  const client = await connect(address);
  opened.defer(() => client.end());
  await client.query('begin isolation level repeatable read read only');
  // Sees every tenant, and may change nothing here.
  await client.query('set local role a2a_admin');
  const header = await readHeader(client, program);
  const estimatedBytes = await estimateBytes(client, header.tables);
  const open = opened.move();
  return {
    header,
    estimatedBytes,
    async *rows(table, part) {
      const { promise: idle, resolve } = Promise.withResolvers<void>();
      client.once('drain', resolve);
      const stream = client.query(to(copyStatement(table, part), { highWaterMark: 1024 * 1024 }));
      for await (const chunk of stream) {
        if (chunk instanceof Uint8Array) yield chunk;
      }
      // The last row is not yet the end of the statement.
      await idle;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    application_name: 'switchyard-backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // A table of millions of rows takes minutes; values must read back as the same values whatever the server's settings are.
    options: ['statement_timeout=0', 'idle_in_transaction_session_timeout=0', 'lock_timeout=60000', ...textForms]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Settings under which values are written so that every server reads them alike. */
const textForms = [
  'datestyle=ISO',
  'intervalstyle=postgres',
  'extra_float_digits=3',
  'client_encoding=UTF8',
  'timezone=UTC',
];

async function readHeader(client: pg.Client, program: string): Promise<ArchiveHeader> {
  const { rows } = await client.query<{ postgres: string; taken_at: Date }>(
    `select current_setting('server_version') as postgres, now() as taken_at`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('a statement without a table returned no row');
  const migrations = await client.query<{ name: string; hash: string }>(
    `select name, hash from schema_migrations where name <> 'functions' order by name`,
  );
  return {
    format: 'switchyard-archive',
    version: archiveVersion,
    backup_id: randomUUID(),
    taken_at: facts.taken_at.toISOString(),
    program,
    postgres: facts.postgres,
    migrations: migrations.rows,
    tables: await archivedTables(client),
  };
}

/** With the partitions of a table, and without its indexes. */
async function estimateBytes(client: pg.Client, tables: readonly ArchivedTable[]): Promise<number> {
  const names = tables.flatMap(({ name, partitions }) => [name, ...partitions.map((partition) => partition.name)]);
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(to_regclass(quote_ident(name)))), 0) as bytes from unnest($1::text[]) as name`,
    [names],
  );
  return Number(rows[0]?.bytes ?? 0);
}

function copyStatement({ name, columns }: ArchivedTable, part: string): string {
  const list = columns.map((column) => `e.${pg.escapeIdentifier(column)}`).join(', ');
  const select = logParts[name]?.[part]?.(list) ?? `select ${list} from ${pg.escapeIdentifier(name)} e`;
  return `copy (${select}) to stdout`;
}
