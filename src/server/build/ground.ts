// The ground that every verb stands on: database, audit, queue, hints, policy. No door is open yet.
import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { guardedEgress } from '../../adapters/egress/http.ts';
import { resolveAsSystem, resolveByServers } from '../../adapters/egress/resolve.ts';
import { postgresAuditLedger } from '../../adapters/postgres/store/audit-ledger.ts';
import { openLanesPool, openPool } from '../../adapters/postgres/connection/connections.ts';
import { postgresCrossings } from '../../adapters/postgres/store/crossings.ts';
import { DatabaseClock } from '../../adapters/postgres/connection/database-clock.ts';
import { routeSecret } from '../../adapters/postgres/store/installation.ts';
import { postgresQueue } from '../../adapters/postgres/queue/queue.ts';
import { postgresStore } from '../../adapters/postgres/store/store.ts';
import { WakeChannel } from '../../adapters/postgres/connection/wake-channel.ts';
import { openPolicySidecar } from '../../adapters/policy-sidecar/sidecar.ts';
import { localPolicy } from '../../domain/access/evaluate.ts';
import type { RouteKeys } from '../../domain/ports/route-keys.ts';
import type { Egress } from '../../domain/ports/egress.ts';
import { TaskSignals } from '../../domain/events/task-signals.ts';
import { systemTenantId } from '../../domain/model/audit-entry.ts';
import type { Crossings } from '../../domain/ports/store/crossings.ts';
import type { Policy } from '../../domain/ports/policy.ts';
import type { TaskDeps } from '../../domain/tasks/deps.ts';
import { Roster } from '../../domain/tasks/routing/roster.ts';
import { Dispatcher } from '../../domain/workers/dispatcher.ts';
import { uuid7Maker } from '../../lib/uuid7.ts';
import { openTracer } from '../../telemetry/open-tracer.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';
import { openAudit, type Audit } from './audit.ts';
import { openBroker } from './broker.ts';
import { elapsedMs, roleOf, type BuildOptions } from './build-options.ts';
import { measuredQueue } from './measured-queue.ts';
import { Metrics } from './metrics.ts';
import type { PolicyMode } from '../config/policy-mode.ts';

/** What verbs and doors need of the world, and what keeps it going. */
export interface Ground extends TaskDeps {
  readonly pool: ReturnType<typeof openPool>;
  readonly crossings: Crossings;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly tracer: (Tracer & AsyncDisposable) | undefined;
  readonly signals: TaskSignals;
  readonly dispatcher: Dispatcher;
  readonly egress: Egress;
  /** Undefined without a broker. */
  readonly routeKeys: RouteKeys | undefined;
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  readonly clock: DatabaseClock;
  /** By `clock`. */
  readonly now: () => number;
}

/** Connections that flush group commits, beside the pool for everything else. */
const commitLanes = 2;
const poolSize = 10;

/** Opens the ground on a database that is up and migrated; it closes with `closing`. */
export async function openGround(options: BuildOptions, closing: AsyncDisposableStack): Promise<Ground> {
  const { config, address, log } = options;
  const tracer = await openTracer(config.traces, { version: options.version, instanceId: randomUUID(), log });
  // Last of all to close: what the others do at their end is told too.
  if (tracer !== undefined) closing.use(tracer);
  const role = roleOf(config);
  const pool = openPool({ address, role, max: options.poolSize ?? poolSize, log });
  closing.defer(() => pool.end());
  const lanesPool = openLanesPool({ address, role, max: commitLanes, log });
  closing.defer(() => lanesPool.end());
  const clock = new DatabaseClock({ pool, own: options.now, log });
  await clock.ask();
  const { now } = clock;

  const { leaseSeconds, idempotencyHours, maxTaskArtifactBytes, maxAttempts: defaultMaxAttempts } = config;
  const heartbeatSeconds = leaseSeconds / 3;
  const makeId = uuid7Maker(now, randomBytes);
  const ledger = postgresAuditLedger(pool);
  const audit = closing.use(
    await openAudit({ config, ledger, hostname: hostname(), makeId, now, log, ...options.auditFaults }),
  );
  const store = postgresStore({ pool, offlineAfterSeconds: heartbeatSeconds * 3, idempotencyHours });
  const metrics = closing.use(new Metrics({ pool, auditWritable: () => audit.trail.writable }));
  const lanes = {
    pool: lanesPool,
    lanes: commitLanes,
    elapsedMs,
    leaseSeconds,
    idempotencyHours,
    maxTaskArtifactBytes,
  };
  const queue = measuredQueue(postgresQueue(lanes), metrics);
  const crossings = postgresCrossings(pool);
  await crossings.ensureTenants([systemTenantId, ...config.tokens.map((token) => token.tenantId)]);
  const hints = await openHints({ ...options, pool, store, queue, crossings }, closing);
  const policy = closing.use(policyFor(config.policy, log, metrics));
  const egress = closing.use(
    guardedEgress({ allow: config.egressAllow, resolve: resolveByServers, resolveAllowed: resolveAsSystem }),
  );
  const world = { pool, crossings, audit, metrics, tracer, store, queue, policy, egress, makeId, clock, now };
  return { ...world, ...hints, defaultMaxAttempts, leaseSeconds, heartbeatSeconds };
}

type HintDeps = BuildOptions & Pick<Ground, 'pool' | 'store' | 'queue' | 'crossings'>;

/** Hints, and those who live by them: whatever was missed is looked for. */
async function openHints(
  { config, address, log, pool, store, queue, crossings }: HintDeps,
  closing: AsyncDisposableStack,
): Promise<Pick<Ground, 'wake' | 'signals' | 'roster' | 'dispatcher' | 'routeKeys'>> {
  const missed = { look: (): void => {} };
  const channel = { address, role: roleOf(config), replicaId: randomUUID(), log, onGap: () => missed.look() };
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
  const roster = new Roster(store, wake, elapsedMs);
  const silentAfterMs = config.leaseSeconds * 1000;
  const dispatcher = closing.use(
    new Dispatcher({ store, queue, crossings, wake, routeKeys, elapsedMs, silentAfterMs, log }),
  );
  missed.look = () => {
    signals.ringAll();
    roster.forgetAll();
    dispatcher.missedHints();
  };
  await Promise.all([postgresWake.open(), broker?.hints.open()]);
  return { wake, signals, roster, dispatcher, routeKeys };
}

function policyFor(mode: PolicyMode, log: BuildOptions['log'], metrics: Metrics): Policy & Disposable {
  if (mode.mode === 'local') return { ...localPolicy, [Symbol.dispose]: () => {} };
  return openPolicySidecar({ url: mode.url, now: elapsedMs, log, failed: () => metrics.policyFailed() });
}
