// Builds the services that every domain function uses: database, audit, queue, hints, policy. No route is mounted yet.
import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { guardedEgress } from '../../adapters/egress/http.ts';
import { resolveAsSystem, resolveByServers } from '../../adapters/egress/resolve.ts';
import { postgresAuditLedger } from '../../adapters/postgres/store/audit-ledger.ts';
import { openCommitPool, openPool } from '../../adapters/postgres/connection/connections.ts';
import { postgresCrossTenantQueries } from '../../adapters/postgres/store/cross-tenant-queries.ts';
import { DatabaseClock } from '../../adapters/postgres/connection/database-clock.ts';
import { routeSecret } from '../../adapters/postgres/store/database-facts.ts';
import { postgresQueue } from '../../adapters/postgres/queue/queue.ts';
import { postgresRestores } from '../../adapters/postgres/store/restores.ts';
import { postgresStore } from '../../adapters/postgres/store/store.ts';
import { WakeChannel } from '../../adapters/postgres/connection/wake-channel.ts';
import { openPolicySidecar } from '../../adapters/policy-sidecar/sidecar.ts';
import { localPolicy } from '../../domain/access/evaluate.ts';
import type { RouteKeys } from '../../domain/ports/route-keys.ts';
import type { Egress } from '../../domain/ports/egress.ts';
import { HeldSendsMemory } from '../../domain/backup/held-sends.ts';
import { TaskSignals } from '../../domain/events/task-signals.ts';
import { systemTenantId } from '../../domain/model/audit-entry.ts';
import type { CommitParticipant } from '../../domain/ports/store/commit-participant.ts';
import type { CrossTenantQueries } from '../../domain/ports/store/cross-tenant-queries.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import { WorkerDirectory } from '../../domain/tasks/routing/worker-directory.ts';
import { Dispatcher } from '../../domain/workers/dispatcher.ts';
import { uuid7Maker } from '../../lib/uuid7.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';
import { openAudit, type Audit } from './audit.ts';
import { openBroker } from './broker.ts';
import { elapsedMs, databaseRole, type BuildOptions } from './build-options.ts';
import { instrumentedQueue } from './instrumented-queue.ts';
import { Metrics } from './metrics.ts';
import type { Restore, Restores } from '../../domain/ports/recovery/restores.ts';
import type { PolicyMode } from '../config/policy-mode.ts';
import { StartError } from '../config/errors/start-error.ts';

/** The dependencies of domain functions and routes. */
export interface Services extends TaskDeps {
  readonly pool: ReturnType<typeof openPool>;
  readonly crossTenant: CrossTenantQueries;
  readonly restores: Restores;
  /** Asked before each send that cannot be taken back. */
  readonly sends: HeldSendsMemory;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly tracer: (Tracer & AsyncDisposable) | undefined;
  readonly signals: TaskSignals;
  readonly dispatcher: Dispatcher;
  /** Lets the queue commit, with the dispatcher and this sender as participants; until then its calls are rejected. */
  readonly startQueue: (sender: CommitParticipant) => void;
  readonly egress: Egress;
  /** Undefined without a broker. */
  readonly routeKeys: RouteKeys | undefined;
  /** Undefined without a broker. */
  readonly brokerIsUp: (() => boolean) | undefined;
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  readonly clock: DatabaseClock;
  /** By `clock`. */
  readonly now: () => number;
}

/** Connections that flush group commits, separate from the pool for everything else. */
const commitConnections = 2;
const poolSize = 10;

/** Builds the services on a running, migrated database; they close with `closing`. */
export async function buildServices(options: BuildOptions, closing: AsyncDisposableStack): Promise<Services> {
  const { config, address, log } = options;
  const tracer = await openTracer(config.traces, { version: options.version, instanceId: randomUUID(), log });
  // Closed last: it still records what the others do while they close.
  if (tracer !== undefined) closing.use(tracer);
  const role = databaseRole(config);
  const pool = openPool({ address, role, max: options.poolSize ?? poolSize, log });
  closing.defer(() => pool.end());
  const commitPool = openCommitPool({ address, role, max: commitConnections, log });
  closing.defer(() => commitPool.end());
  const clock = new DatabaseClock({ pool, localNow: options.now, log });
  await clock.sync();
  const { now } = clock;

  const { leaseSeconds, idempotencyHours, maxTaskArtifactBytes, maxAttempts: defaultMaxAttempts } = config;
  const heartbeatSeconds = leaseSeconds / 3;
  const makeId = uuid7Maker(now, randomBytes);
  const ledger = postgresAuditLedger(pool);
  const restores = postgresRestores(pool);
  const restored = await findRestore(restores);
  const audit = closing.use(
    await openAudit({ config, ledger, restored, hostname: hostname(), makeId, now, log, ...options.auditFaults }),
  );
  const store = postgresStore({ pool, offlineAfterSeconds: heartbeatSeconds * 3, idempotencyHours });
  const metrics = closing.use(new Metrics({ pool, auditWritable: () => audit.trail.writable }));
  const queueOptions = {
    pool: commitPool,
    connections: commitConnections,
    elapsedMs,
    leaseSeconds,
    idempotencyHours,
    maxTaskArtifactBytes,
  };
  const startableQueue = postgresQueue(queueOptions);
  const queue = instrumentedQueue(startableQueue, metrics);
  const crossTenant = postgresCrossTenantQueries(pool);
  await crossTenant.ensureTenants([systemTenantId, ...config.tokens.map((token) => token.tenantId)]);
  const wakeServices = await openWakeServices({ ...options, pool, store, queue, metrics, crossTenant }, closing);
  const policy = closing.use(openPolicy(config.policy, log, metrics));
  const egress = closing.use(
    guardedEgress({ allow: config.egressAllow, resolve: resolveByServers, resolveAllowed: resolveAsSystem }),
  );
  const sends = new HeldSendsMemory(restores, elapsedMs);
  const stores = { pool, crossTenant, store, restores, sends };
  const coreServices = { ...stores, audit, metrics, tracer, queue, policy, egress, makeId, clock, now };
  // Claims first: a submit is answered when its task's worker is known.
  const startQueue = (sender: CommitParticipant): void => startableQueue.start([wakeServices.dispatcher, sender]);
  return { ...coreServices, ...wakeServices, startQueue, defaultMaxAttempts, leaseSeconds, heartbeatSeconds };
}

/**
 * The restore that no chain of the audit follows yet.
 * @throws StartError restore_unfinished
 */
async function findRestore(restores: Restores): Promise<Restore | undefined> {
  const restore = await restores.newest();
  if (restore === undefined) return undefined;
  if (restore.isSettled) return restore.isFollowed ? undefined : restore;
  throw new StartError(
    'restore_unfinished',
    `A restore into this database was interrupted: it holds the rows of backup ${restore.backupId}, and sends could go out twice.`,
    'Run the same `switchyard restore` again: it goes on where it was.',
  );
}

type WakeDeps = BuildOptions & Pick<Services, 'pool' | 'store' | 'queue' | 'metrics' | 'crossTenant'>;

/** The wake channel and the parts that depend on its hints: after a gap each of them polls. */
async function openWakeServices(
  { config, address, log, pool, store, queue, metrics, crossTenant }: WakeDeps,
  closing: AsyncDisposableStack,
): Promise<Pick<Services, 'wake' | 'signals' | 'workerDirectory' | 'dispatcher' | 'routeKeys' | 'brokerIsUp'>> {
  const gapHandler = { run: (): void => {} };
  const channel = { address, role: databaseRole(config), replicaId: randomUUID(), log, onGap: () => gapHandler.run() };
  const postgresWake = closing.use(new WakeChannel(channel));
  const broker = await openBroker({
    config,
    routeSecret: () => routeSecret(pool),
    others: postgresWake,
    random: Math.random,
    elapsedMs,
    log,
  });
  if (broker !== undefined) closing.use(broker.hints);
  const wake = broker?.hints ?? postgresWake;
  const routeKeys = broker?.routes;
  const signals = new TaskSignals(wake);
  const workerDirectory = new WorkerDirectory(store, wake, elapsedMs);
  const silentAfterMs = config.leaseSeconds * 1000;
  const dispatcher = closing.use(
    new Dispatcher({ store, queue, crossTenant, wake, routeKeys, metrics, elapsedMs, silentAfterMs, log }),
  );
  gapHandler.run = () => {
    signals.notifyAll();
    workerDirectory.forgetAll();
    dispatcher.onMissedHints();
  };
  await Promise.all([postgresWake.open(), broker?.hints.open()]);
  const brokerIsUp = broker === undefined ? undefined : (): boolean => broker.hints.isUp;
  return { wake, signals, workerDirectory, dispatcher, routeKeys, brokerIsUp };
}

function openPolicy(mode: PolicyMode, log: BuildOptions['log'], metrics: Metrics): Policy & Disposable {
  if (mode.mode === 'local') return { ...localPolicy, [Symbol.dispose]: () => {} };
  return openPolicySidecar({ url: mode.url, now: elapsedMs, log, failed: () => metrics.policyFailed() });
}
