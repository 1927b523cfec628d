// The PostgreSQL of the bench: one embedded server with fsync on, and a database for the service and for every peer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { startEmbeddedPostgres } from '../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../src/adapters/postgres/setup/setup.ts';

/** Connection settings of a process's database, passed over its channel, never as an argument. */
export const login = z.object({
  host: z.string(),
  port: z.number(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
});
export type DatabaseLogin = z.infer<typeof login>;

export interface BenchDatabase extends AsyncDisposable {
  /** The server's process; all its other processes descend from it. */
  readonly pid: number;
  /** The service's own login into its migrated database. */
  readonly service: DatabaseLogin;
  /** The server's superuser, into the service's database. */
  readonly superuser: DatabaseLogin;
  /** An empty database for a peer, and its login. */
  create(database: string): Promise<DatabaseLogin>;
}

export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-bench-'));
  const settings = { max_connections: '150' };
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, env: process.env, settings });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { service, migration } = await prepareCluster(server.superuser);
    await migrate({ address: migration, ownerRole, log: () => {} });
    return {
      pid: server.pid,
      service: login.parse(service),
      superuser: login.parse(migration),
      async create(database) {
        await runOnce(server.superuser, `create database ${pg.escapeIdentifier(database)}`);
        return { ...server.superuser, database };
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function runOnce(address: DatabaseLogin, statement: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
