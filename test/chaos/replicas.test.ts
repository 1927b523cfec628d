// Two replicas behind a proxy, eight workers, a broker and a database of their own; each of them is killed with -9, and
// connections are left half open: nothing acknowledged is lost, nothing ends twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/postgres/embedded/server.ts';
import { migrate } from '../../src/adapters/postgres/migrate.ts';
import { ownerRole, prepareCluster } from '../../src/adapters/postgres/setup.ts';
import { testConfig } from '../house.ts';
import { FrontProxy } from '../support/front-proxy.ts';
import { checkInvariants, type Database } from '../support/invariants.ts';
import { freePort } from '../support/program.ts';
import { findRedis, TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { startChild, type Child } from './processes/child.ts';
import { submitAll } from './submit-all.ts';

const full = process.env['SCALE'] === 'full';
const taskCount = full ? 10_000 : 500;
const workerCount = 8;
/** Each fault this often, evenly over the tasks. */
const rounds = full ? 10 : 1;

const redisProgram = findRedis();

interface OwnDatabase extends Database, AsyncDisposable {
  readonly service: unknown;
  /** kill -9 of one of the server's processes: it throws every connection out and recovers from its log. */
  crash(): Promise<void>;
}

async function openDatabase(): Promise<OwnDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-chaos-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, env: process.env, settings: { fsync: 'off' } });
  const { service, migration } = await prepareCluster(server.superuser);
  await migrate({ address: migration, ownerRole, log: () => {} });
  if (!('host' in service)) throw new Error('the embedded cluster has no host');
  const eye = { ...server.superuser, database: service.database, user: 'postgres' };
  const query: Database['query'] = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = new pg.Client(eye);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<R>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    service,
    query,
    async crash() {
      const [writer] = await query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'background writer'`,
      );
      if (writer === undefined) throw new Error('the server has no background writer to kill');
      process.kill(writer.pid, 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

describe.runIf(redisProgram !== undefined)('two replicas and eight workers', () => {
  it(
    `finish ${taskCount} tasks once each, whoever of them, the broker or the database is killed [choices-5.38]`,
    async () => {
      await using stack = new AsyncDisposableStack();
      const db = stack.use(await openDatabase());
      const redis = stack.use(await TestRedis.start(redisProgram ?? ''));
      const ports = [await freePort(), await freePort()];
      const startReplica = async (port: number): Promise<Child> => {
        const config = testConfig({ port, leaseSeconds: 3, maxAttempts: 20, brokerUrl: redis.url });
        stack.defer(() => rm(config.dataDir, { recursive: true, force: true }));
        return startChild('service', { CHAOS_SERVICE: JSON.stringify({ config, address: db.service }) });
      };
      const replicas = await Promise.all(ports.map(startReplica));
      const proxy = stack.use(await FrontProxy.start(ports));
      const startWorker = (i: number): Promise<Child> =>
        startChild('wire-worker', {
          CHAOS_URL: proxy.url,
          CHAOS_TOKEN: 'token-of-agent',
          CHAOS_NAME: `worker-${i}`,
          CHAOS_SLOTS: '4',
        });
      const workers = await Promise.all(Array.from({ length: workerCount }, (_, i) => startWorker(i)));
      stack.defer(async () => {
        await Promise.all([...workers, ...replicas].map((child) => child.kill()));
      });

      const killReplica = async (turn: number): Promise<void> => {
        const i = turn % replicas.length;
        await replicas[i]?.kill();
        replicas[i] = await until(
          'a replica started',
          () => startReplica(ports[i] ?? 0).catch(() => undefined),
          60_000,
        );
      };
      const killWorker = async (turn: number): Promise<void> => {
        const i = turn % workers.length;
        await workers[i]?.kill();
        workers[i] = await startWorker(i);
      };
      const killBroker = async (): Promise<void> => {
        await redis.kill();
        await redis.again();
      };
      const leaveHalfOpen = (): Promise<void> => Promise.resolve(proxy.stall());
      const faults = [killReplica, killWorker, killBroker, leaveHalfOpen, () => db.crash(), killWorker, killReplica];

      const submitted = submitAll(proxy.url, taskCount);
      const finished = async (): Promise<number> => {
        const text = `select count(*) as n from tasks where completed_at is not null`;
        // While the database recovers it answers nobody.
        const [row] = await db.query<{ n: string }>(text).catch(() => []);
        return Number(row?.n ?? 0);
      };
      const total = faults.length * rounds;
      for (let turn = 0; turn < total; turn++) {
        const mark = ((turn + 1) / (total + 1)) * taskCount;
        await until(`${mark} tasks finished`, async () => (await finished()) >= mark, 300_000);
        await faults[turn % faults.length]?.(turn);
      }
      const acknowledged = await submitted;
      await until('the last task finished', async () => (await finished()) === taskCount, 300_000);

      expect(await checkInvariants(db)).toEqual([]);
      const rows = await db.query<{ id: string; status: string; title: string; result: string }>(
        'select id, status, title, result from tasks',
      );
      expect(new Set(rows.map((row) => row.id))).toEqual(new Set(acknowledged));
      expect(rows.filter((row) => row.status !== 'completed' || row.result !== row.title)).toEqual([]);
    },
    full ? 3_600_000 : 480_000,
  );
});
