// A PostgreSQL of a chaos test's own, so that it may be killed: one of its processes, or all of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../../../src/adapters/postgres/setup/setup.ts';
import type { Login } from '../../support/database/cluster.ts';
import type { Database } from '../../support/database/invariant.ts';

export interface PrivatePostgres extends Database, AsyncDisposable {
  /** The service's login; it holds for every life of the server. */
  readonly service: Login;
  /** Sees every tenant. */
  readonly superuser: Login;
  /** kill -9 of one of the server's processes: it throws every connection out and recovers from its log. */
  killOne(): Promise<void>;
  /** kill -9 of the server itself; resolves when it has been started again. */
  killAll(): Promise<void>;
}

export async function openPrivatePostgres(): Promise<PrivatePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-chaos-'));
  const start = (): Promise<EmbeddedServer> =>
    startEmbeddedPostgres({ dataDir, log: () => {}, env: process.env, settings: { fsync: 'off' } });
  let server = await start();
  const { service, migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: () => {} });
  if (!('host' in service)) throw new Error('the embedded cluster has no host');
  const superuser = { ...server.superuser, database: service.database };
  // The kill is complete when the process is gone.
  const observer = new pg.Pool({ ...superuser, max: 2, connectionTimeoutMillis: 5_000, query_timeout: 60_000 });
  observer.on('error', () => undefined);
  observer.on('connect', (client) => client.on('error', () => undefined));
  const query: Database['query'] = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await observer.query<R>(text, values)).rows;
  return {
    service,
    superuser,
    query,
    async killOne() {
      const [writer] = await query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'background writer'`,
      );
      if (writer === undefined) throw new Error('the server has no background writer to kill');
      process.kill(writer.pid, 'SIGKILL');
    },
    async killAll() {
      process.kill(server.pid, 'SIGKILL');
      await server.crashed;
      await server.stop();
      server = await start();
      if (server.superuser.host !== superuser.host) throw new Error('the server has come back at another address');
    },
    async [Symbol.asyncDispose]() {
      await observer.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
