// One replica of the service in a chaos test: a process on a port of its own, killed and started again.
import { rm } from 'node:fs/promises';
import type { ServiceConfig } from '../../../src/server/config/service-config.ts';
import { testConfig } from '../../support/service.ts';
import type { Login } from '../../support/database/cluster.ts';
import { freePort } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';
import { startChild, type Child } from '../processes/child.ts';

export interface Replica extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** kill -9; resolves when it listens again. */
  kill(): Promise<void>;
}

/** @param clockOffsetMs how far its clock stands apart from the machine's */
export async function startReplica(
  address: Login,
  overrides: Partial<ServiceConfig>,
  clockOffsetMs = 0,
): Promise<Replica> {
  const port = await freePort();
  const config = testConfig({ ...overrides, port });
  const start = (): Promise<Child> =>
    startChild('service', { CHAOS_SERVICE: JSON.stringify({ config, address }) }, clockOffsetMs);
  let child = await start();
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async kill() {
      await child.kill();
      // While the database is away it does not start.
      child = await until('a replica started', () => start().catch(() => undefined));
    },
    async [Symbol.asyncDispose]() {
      await child.kill();
      await rm(config.dataDir, { recursive: true, force: true });
    },
  };
}
