// One embedded PostgreSQL for the whole test run; each house gets a database cloned from a migrated template.
import { mkdtemp, rm } from 'node:fs/promises';
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
    /** Of the cluster; its `database` is the template. */
    superuser: Login;
    service: Login;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  // Crashes of processes need no fsync to be survived, and the tests crash no machine.
  const settings = { fsync: 'off', max_connections: '300' };
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
