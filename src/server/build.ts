// The wiring: adapters into verbs, verbs into doors, loops around them. Nothing here decides anything.
import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { accessTokens } from '../adapters/oidc/access-tokens.ts';
import { discoveryUrl } from '../adapters/oidc/discovery.ts';
import { openPolicySidecar } from '../adapters/policy-sidecar/sidecar.ts';
import { guardedEgress } from '../adapters/egress/http.ts';
import { resolveAsSystem, resolveByServers } from '../adapters/egress/resolve.ts';
import type { Address } from '../adapters/postgres/connections.ts';
import { postgresAuditLedger } from '../adapters/postgres/audit-ledger.ts';
import { openLanesPool, openPool } from '../adapters/postgres/connections.ts';
import { postgresCredentials, postgresTenantRegister } from '../adapters/postgres/credential-crossings.ts';
import { postgresCrossings } from '../adapters/postgres/crossings.ts';
import { deliveryClaims } from '../adapters/postgres/delivery-claims.ts';
import { routeSecret } from '../adapters/postgres/installation.ts';
import { postgresLoopLeaders } from '../adapters/postgres/loop-leaders.ts';
import { postgresQueue } from '../adapters/postgres/queue.ts';
import { postgresStore } from '../adapters/postgres/store.ts';
import { PostgresWindowLedger } from '../adapters/postgres/window-ledger.ts';
import { WakeChannel } from '../adapters/postgres/wake-channel.ts';
import { localPolicy } from '../domain/access/evaluate.ts';
import { knownTenants } from '../domain/access/known-tenants.ts';
import { retainCredentials } from '../domain/access/retain-credentials.ts';
import { retainAgents } from '../domain/agents/retain-agents.ts';
import { TaskSignals } from '../domain/events/task-signals.ts';
import { TenantLog } from '../domain/events/tenant-log.ts';
import { systemTenantId } from '../domain/model/audit-entry.ts';
import type { Policy } from '../domain/ports/policy.ts';
import { CallLimit } from '../domain/limits/call-limit.ts';
import { CallsInFlight } from '../domain/limits/calls-in-flight.ts';
import { reap } from '../domain/tasks/reap.ts';
import { retain } from '../domain/tasks/retain.ts';
import { Roster } from '../domain/tasks/roster.ts';
import { DeliverySender } from '../domain/webhooks/sender.ts';
import { Dispatcher } from '../domain/workers/dispatcher.ts';
import { cardSigner } from '../http/a2a/card-signature.ts';
import { buildA2a, mountA2aMethods } from '../http/a2a/mount.ts';
import { notificationForm } from '../http/a2a/push.ts';
import { openHallway } from '../http/admit.ts';
import { createApp } from '../http/app.ts';
import { automationOperations } from '../http/families/automation.ts';
import { authOperations } from '../http/families/auth.ts';
import { auditOperations } from '../http/families/audit.ts';
import { cognitionOperations } from '../http/families/cognition.ts';
import { codebaseOperations } from '../http/families/codebases.ts';
import { deliveryOperations } from '../http/families/deliveries.ts';
import { interventionOperations } from '../http/families/interventions.ts';
import { metricsOperations } from '../http/families/metrics.ts';
import { conversationOperations } from '../http/families/monitor-conversations.ts';
import { monitorOperations } from '../http/families/monitor.ts';
import { taskOperations } from '../http/families/tasks.ts';
import { toolOperations } from '../http/families/tools.ts';
import { workerOperations } from '../http/families/workers.ts';
import { mountHealth } from '../http/health.ts';
import { buildMcp, type Mcp } from '../http/mcp/build.ts';
import { openGuard } from '../http/mcp/guard.ts';
import { mountMcp } from '../http/mcp/mount.ts';
import { documentOperations, mountReference } from '../http/openapi/mount.ts';
import type { Operation, RpcOperation } from '../http/operation.ts';
import { mountRest, type RestOptions } from '../http/rest.ts';
import { Schemas } from '../http/schema.ts';
import { openTracer } from '../telemetry/open-tracer.ts';
import { uuid7Maker } from '../lib/uuid7.ts';
import { wireAccess } from './access.ts';
import { openBroker, openSharing } from './broker.ts';
import { openAudit, type AuditOptions } from './audit.ts';
import { LoopLead } from './loop-lead.ts';
import type { PolicyMode } from './policy-mode.ts';
import { measuredQueue } from './measured-queue.ts';
import { Metrics } from './metrics.ts';
import type { ServiceConfig } from './service-config.ts';
import { tracedEgress } from './traced-egress.ts';
import { openSandbox, toolSettings, toolsWork } from './tools.ts';

export interface BuildOptions {
  readonly config: ServiceConfig;
  readonly address: Address;
  readonly version: string;
  readonly log: (line: string, details?: unknown) => void;
  readonly now: () => number;
  /** In tests: an audit file that is full sooner, on a disk that fails. */
  readonly auditFaults?: Pick<AuditOptions, 'maxBytes' | 'openFile'>;
  /** In tests: connections of the pool for everything but the queue's commits. */
  readonly poolSize?: number;
  /** In tests: looks at every answer's body. */
  readonly checkAnswer?: RestOptions['checkAnswer'];
}

export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** The tool protocol alone, for its own port. */
  readonly toolApp: FastifyInstance;
  /** Every operation of the REST families, as mounted. */
  readonly operations: readonly Operation[];
  /** Every method of the RPC doors, as mounted. */
  readonly rpcOperations: readonly RpcOperation[];
  /** The tool protocol: its methods and tools. */
  readonly mcp: Mcp;
  /** From now on the service says that it is not ready, and answers all the same. */
  turnAway(): void;
}

/** Where files travel a body may have this many bytes. choices §1. */
const largeBodyBytes = 16 * 1024 * 1024;
/** Connections that flush group commits, beside the pool for everything else. */
const commitLanes = 2;
const poolSize = 10;
const sweepMs = 1_000;
const beatMs = 15_000;
/** Deliveries are looked for on a hint; this finds what a lost hint or a dead replica left. */
const outboxMs = 5_000;
/** How often the last uses of keys and sessions are written. */
const usesMs = 2_000;
const auditMs = 1_000;
const mirrorMs = 2_000;
const hourMs = 3_600_000;
/** A clock that is never set back. */
const elapsedMs = (): number => performance.now();
const minuteMs = 60_000;
/** Credentials that may all have as many calls under way as one may. */
const credentialsAtOnce = 8;

/** Wires a service on a database that is up and migrated; it listens only when its `app` is told to. */
export async function buildService(options: BuildOptions): Promise<Service> {
  const { config, address, now, log } = options;
  const closing = new AsyncDisposableStack();
  const instanceId = randomUUID();
  const tracer = await openTracer(config.traces, { version: options.version, instanceId, log });
  // Last of all to close: what the others do at their end is told too.
  if (tracer !== undefined) closing.use(tracer);
  const role = config.rlsEnabled ? 'a2a_app' : 'a2a_admin';
  const pool = openPool({ address, role, max: options.poolSize ?? poolSize, log });
  closing.defer(() => pool.end());
  const lanesPool = openLanesPool({ address, role, max: commitLanes, log });
  closing.defer(() => lanesPool.end());

  const { leaseSeconds, idempotencyHours } = config;
  const heartbeatSeconds = leaseSeconds / 3;
  const makeId = uuid7Maker(now, randomBytes);
  const auditLedger = postgresAuditLedger(pool);
  const audit = closing.use(
    await openAudit({ config, ledger: auditLedger, hostname: hostname(), makeId, now, log, ...options.auditFaults }),
  );
  const store = postgresStore({ pool, offlineAfterSeconds: heartbeatSeconds * 3 });
  const metrics = closing.use(new Metrics({ pool, auditWritable: () => audit.trail.writable }));
  const durableQueue = postgresQueue({
    pool: lanesPool,
    lanes: commitLanes,
    elapsedMs,
    leaseSeconds,
    idempotencyHours,
  });
  const queue = measuredQueue(durableQueue, metrics);
  const crossings = postgresCrossings(pool);
  await crossings.ensureTenants([systemTenantId, ...config.tokens.map((token) => token.tenantId)]);

  const missed = { look: (): void => {} };
  const postgresWake = closing.use(
    new WakeChannel({ address, role, replicaId: randomUUID(), log, onGap: () => missed.look() }),
  );
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
  const roster = new Roster(store, wake, now);
  const dispatcher = closing.use(new Dispatcher({ store, queue, crossings, wake, routeKeys, elapsedMs, log }));
  missed.look = () => {
    signals.ringAll();
    roster.forgetAll();
    dispatcher.missedHints();
  };
  await Promise.all([postgresWake.open(), broker?.hints.open()]);
  const { retentionDays } = config;
  const tenantLog = closing.use(new TenantLog({ store, signals, now, retentionDays, log }));

  const policy = closing.use(policyFor(config.policy, log, metrics));
  const egress = closing.use(
    guardedEgress({ allow: config.egressAllow, resolve: resolveByServers, resolveAllowed: resolveAsSystem }),
  );
  const sender = closing.use(
    new DeliverySender({
      store,
      claims: deliveryClaims(pool),
      wake,
      egress: tracer === undefined ? egress : tracedEgress(egress, tracer),
      notification: notificationForm,
      signingSecrets: config.webhookSecrets,
      backoffSeconds: config.webhookBackoffSeconds,
      userAgent: `switchyard/${options.version}`,
      now,
      random: Math.random,
      tally: metrics,
      log,
    }),
  );
  const deps = {
    store,
    queue,
    wake,
    signals,
    roster,
    policy,
    makeId,
    egress,
    now,
    dispatcher,
    routeKeys,
    defaultMaxAttempts: config.maxAttempts,
    leaseSeconds,
    heartbeatSeconds,
  };
  const windows = { limit: config.automationCallsPerMinute, windowMs: minuteMs };
  const ledger = closing.use(new PostgresWindowLedger({ address, role, ...windows, randomBytes }));
  const callLimit = closing.use(new CallLimit({ ledger, ...windows, monotonicNow: elapsedMs }));
  const { maxCallsInFlight: ofOne } = config;
  const inFlight = new CallsInFlight({ ofOne, ofAll: ofOne * credentialsAtOnce });
  const tenants = knownTenants(crossings, now);
  const provider =
    config.oidc === undefined
      ? undefined
      : accessTokens({ ...config.oidc, fetch, egress, isTenant: (id) => tenants.has(id), now, elapsedMs, log });
  const credentials = postgresCredentials(pool);
  const register = postgresTenantRegister(pool);
  const access = wireAccess({ config, credentials, register, store, policy, makeId, elapsedMs, provider });
  const hallway = openHallway({
    callLimit,
    inFlight,
    identities: access.identities,
    policy,
    tenants,
    trail: audit.trail,
    makeId,
    now,
  });
  const stopping = new AbortController();
  let leaving = false;
  const appOptions = {
    hallway,
    stopping: stopping.signal,
    leaving: () => leaving,
    trustedProxies: config.trustedProxies,
    maxBodyBytes: config.maxBodyBytes,
    tracer,
    answered: (operation: string, status: number) => metrics.answered(operation, status),
    log,
  };
  const [app, toolApp] = [createApp(appOptions), createApp(appOptions)];
  closing.defer(() => closeApps([app, toolApp], stopping));
  const replica = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const loops = closing.use(new LoopLead({ leaders: postgresLoopLeaders(pool), replica, now, elapsedMs, log }));
  const schemas = new Schemas();
  const base = (told?: string): string => config.baseUrl ?? told ?? listenedAt(app, config);
  const a2a = buildA2a(deps, {
    schemas,
    log,
    card: {
      base,
      version: options.version,
      pushNotifications: true,
      openIdConnectUrl: config.oidc === undefined ? undefined : discoveryUrl(config.oidc.issuer),
      signer:
        config.cardSigningKey === undefined
          ? undefined
          : cardSigner(config.cardSigningKey, () => `${base()}/.well-known/jwks.json`),
    },
  });
  const mcp = buildMcp(deps, {
    cards: a2a.cards,
    schemas,
    version: options.version,
    resource: {
      resource: () => config.mcp.publicUrl ?? `${config.baseUrl ?? listenedAt(toolApp, config, config.mcpPort)}/mcp`,
      authorizationServers: config.oidc === undefined ? [] : [config.oidc.issuer],
    },
  });
  const sandbox = openSandbox(config, log);
  const reference = { operations: () => operations, version: options.version, base };
  const operations: Operation[] = [
    ...taskOperations(deps),
    ...codebaseOperations(deps),
    ...workerOperations(deps),
    ...monitorOperations(deps),
    ...interventionOperations(deps),
    ...cognitionOperations({ loops, isRunning: () => !leaving }),
    ...conversationOperations({ store, tenantLog, now }),
    ...metricsOperations(deps, metrics),
    ...auditOperations({ store, settled: () => audit.settled(), verify: () => audit.verify() }),
    ...authOperations(access.deps, access.door),
    ...automationOperations(deps, config.models),
    ...toolOperations({ store, sandbox, trail: audit.trail, makeId, now, ...toolSettings(config) }),
    ...deliveryOperations({ store, policy, sender }),
    ...a2a.operations,
    ...mcp.operations,
    ...documentOperations(reference),
  ];
  mountReference(app, hallway, reference);
  const bodyLimit = Math.max(largeBodyBytes, config.maxBodyBytes);
  const rest = {
    hallway,
    schemas,
    maxBodyBytes: config.maxBodyBytes,
    largeBodyBytes: bodyLimit,
    ...(options.checkAnswer === undefined ? {} : { checkAnswer: options.checkAnswer }),
  };
  mountRest(app, operations, rest);
  mountRest(toolApp, mcp.operations, rest);
  const { allowedHosts, allowedOrigins, publicUrl } = config.mcp;
  const publicUrls = [publicUrl, config.baseUrl].filter((url) => url !== undefined);
  const guard = openGuard({ allowedHosts, allowedOrigins, publicUrls });
  for (const each of [app, toolApp]) {
    mountHealth(each, {
      store,
      version: options.version,
      auditWorks: () => audit.trail.writable,
      leaving: () => leaving,
      toolsWork: () => toolsWork(config, sandbox),
    });
    mountMcp(each, mcp, { hallway, guard, version: options.version, bodyLimit: config.maxBodyBytes, log });
  }

  const rpcOperations = mountA2aMethods(app, a2a, { hallway, schemas, bodyLimit, log });

  loops.own('audit', auditMs, () => audit.tick());
  loops.shared('reaper', Math.min(5_000, (leaseSeconds * 1000) / 4), () =>
    reap({ store, wake, crossings, audit: audit.loops }),
  );
  loops.own('dispatch_sweep', sweepMs, () => dispatcher.sweep());
  loops.own('worker_beat', beatMs, () => Promise.resolve(dispatcher.beat()));
  // Each replica claims a share of what is due.
  loops.own('webhook_sender', outboxMs, () => sender.look());
  loops.own('credential_uses', usesMs, () => access.uses.write());
  loops.shared('retention', hourMs, (signal) => retain({ store, crossings, audit: audit.loops }, config, signal));
  loops.shared('agent_retention', hourMs, (signal) =>
    retainAgents({ store, crossings, audit: audit.loops }, config.retentionDays, signal),
  );
  loops.shared('credential_retention', hourMs, (signal) =>
    retainCredentials({ store, crossings, audit: audit.loops }, config.retentionDays, signal),
  );
  const sharing = await openSharing({ config, store, crossings, wake, now, random: Math.random, elapsedMs, log });
  if (sharing !== undefined) {
    closing.use(sharing);
    loops.own('record_mirror', mirrorMs, () => sharing.tick());
  }
  await loops.start();

  const turnAway = (): void => {
    leaving = true;
  };
  const done = (): Promise<void> => closing.disposeAsync();
  return { app, toolApp, operations, rpcOperations, mcp, turnAway, [Symbol.asyncDispose]: done };
}

function policyFor(mode: PolicyMode, log: BuildOptions['log'], metrics: Metrics): Policy & Disposable {
  if (mode.mode === 'local') return { ...localPolicy, [Symbol.dispose]: () => {} };
  return openPolicySidecar({ url: mode.url, now: elapsedMs, log, failed: () => metrics.policyFailed() });
}

/** The address listened on, for who was given none to publish; a wildcard is no address to call. */
function listenedAt(app: FastifyInstance, config: ServiceConfig, otherwise = config.port): string {
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : otherwise;
  const wildcard = config.host === '0.0.0.0' || config.host === '::';
  const host = wildcard ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** Milliseconds that calls under way have to be answered when the service stops. */
const patienceMs = 5_000;

/** Takes no more calls, ends the streams, answers what is under way; then closes what is left. */
async function closeApps(apps: readonly FastifyInstance[], stopping: AbortController): Promise<void> {
  stopping.abort();
  const cut = setTimeout(() => apps.forEach(({ server }) => server.closeAllConnections()), patienceMs);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(cut);
}
