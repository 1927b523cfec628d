// One embedded PostgreSQL for the whole test run; each service gets a database cloned from a migrated template.
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../../src/adapters/postgres/schema/migrate.ts';
import { ownerRole, prepareCluster } from '../../../src/adapters/postgres/setup/setup.ts';

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Login of the cluster; its `database` is the template. */
    superuser: Login;
    service: Login;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await clusterParent(), 'switchyard-test-'));
  // Crashes of processes need no fsync and no full pages to be survived, and the tests crash no machine.
  const durability = { fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' };
  const settings = { ...durability, max_connections: '300' };
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, env: process.env, settings });
  const { service, migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: () => {} });
  if (!('host' in service) || !('host' in migration)) throw new Error('the embedded cluster has no host');
  project.provide('superuser', migration);
  project.provide('service', service);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

const sharedMemory = '/dev/shm';
/** The most that the databases of a whole run need, and as much again. */
const neededBytes = 4 * 1024 ** 3;

/** Memory where there is enough of it: the 300 files of a cloned database take ten times the processor time on a disk. */
async function clusterParent(): Promise<string> {
  const { bavail, bsize } = await statfs(sharedMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > neededBytes ? sharedMemory : tmpdir();
}
