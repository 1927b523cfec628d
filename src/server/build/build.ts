// Builds a service: adapters, domain functions, routes, loops. It only wires; it decides nothing.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { dueDeliveries } from '../../adapters/postgres/store/due-deliveries.ts';
import { postgresLoopLeaders } from '../../adapters/postgres/store/loop-leaders.ts';
import { TenantLog } from '../../domain/events/tenant-log.ts';
import { DeliverySender } from '../../domain/webhooks/delivery-sender.ts';
import { renderNotification } from '../../http/a2a/call/push-configs.ts';
import type { Mcp } from '../../http/mcp/build.ts';
import type { Operation, RpcOperation } from '../../http/pipeline/operation.ts';
import { openSandbox } from './tools.ts';
import { parseOkrReport } from './insight/parse-okr-report.ts';
import { wireHealth } from './insight/wire-health.ts';
import { wireAnalytics } from './analytics/wire-analytics.ts';
import { openApps } from './apps.ts';
import { startBackground } from './background.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import { wireCluster } from './cluster/wire-cluster.ts';
import { wireRuns } from './runs/wire-runs.ts';
import { registerBackupMetrics, wireBackups } from './recovery/wire-backups.ts';
import { mountRoutes } from './routes.ts';
import { buildServices, type Services } from './services.ts';
import { wireRequestPipeline } from './request-pipeline.ts';
import { LoopScheduler } from '../loops/loop-scheduler.ts';
import type { Egress } from '../../domain/ports/egress.ts';
import type { Tracer } from '../../lib/trace/tracer.ts';

export interface Service extends AsyncDisposable {
  readonly app: FastifyInstance;
  /** The server of the tool protocol, for its own port. */
  readonly toolApp: FastifyInstance;
  /** Every mounted REST operation. */
  readonly operations: readonly Operation[];
  /** Every mounted JSON-RPC method. */
  readonly rpcOperations: readonly RpcOperation[];
  /** The tool protocol: its methods and tools. */
  readonly mcp: Mcp;
  /** The state of the cluster manager, for people; undefined: no setting names a cluster. */
  readonly cluster: string | undefined;
  /** Reports not ready from now on; calls are still answered. */
  startDraining(): void;
}

/** Wires a service on a running, migrated database. The caller makes its apps listen. */
export async function buildService(baseOptions: BuildOptions): Promise<Service> {
  const { config, log } = baseOptions;
  await using opening = new AsyncDisposableStack();
  const services = await buildServices(baseOptions, opening);
  const { now } = services;
  const options = { ...baseOptions, now };
  const tenantLog = opening.use(new TenantLog({ ...services, retentionDays: config.retentionDays, log }));
  const sender = opening.use(openSender(options, services));
  services.startQueue(sender);
  const replica = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const clusterServices = { ...services, audit: services.audit.loops, metrics: services.metrics.cluster };
  // Before the apps and the loops, which use it until they have ended.
  const cluster = await wireCluster({ ...clusterServices, config, replica, elapsedMs, log }, opening);
  const { pipeline, access } = wireRequestPipeline(options, services, opening);
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const apps = openApps(options, services, { pipeline, draining }, opening);
  const leaders = postgresLoopLeaders(services.pool);
  const loops = opening.use(new LoopScheduler({ leaders, replica, now, elapsedMs, log }));
  const loopServices = { audit: services.audit.loops, metrics: services.metrics.runs };
  const {
    director,
    verbs: runs,
    chat,
  } = wireRuns({
    ...services,
    ...loopServices,
    principals: access.deps.principals,
    config,
    elapsedMs,
    log,
    prdAnswerWaitMs: options.prdAnswerWaitMs,
  });
  opening.use(director);
  const sandbox = openSandbox(config, log);
  const backups = wireBackups(options);
  if (backups !== undefined) registerBackupMetrics(services.metrics.registry, opening.use(backups), now);
  const health = wireHealth(options, services, {
    replica,
    loops,
    sandbox,
    backups,
    cluster: cluster.health,
    draining,
  });
  const acting = { ...services, principals: access.deps.principals };
  const cron = { ...acting, metrics: services.metrics.cron };
  const okr = { ...acting, metrics: services.metrics.okr, parseReport: parseOkrReport };
  const routeDeps = {
    cron,
    okr,
    analytics: wireAnalytics(services, config.analytics),
    cluster,
    ...apps,
    sandbox,
    health: health.deps,
    backups,
    pipeline,
    access,
    loops,
    tenantLog,
    sender,
    runs,
    chat,
    draining,
  };
  const routes = mountRoutes(options, services, routeDeps);
  const parts = { loops, access, sender, director, chat, cron, okr, backups, cluster, health };
  await startBackground(options, services, parts, opening);

  const startDraining = (): void => {
    isDraining = true;
  };
  const closing = opening.move();
  return {
    ...apps,
    ...routes,
    cluster: cluster.description,
    startDraining,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function openSender({ config, version, log }: BuildOptions, services: Services): DeliverySender {
  const { pool, store, wake, egress, tracer, metrics, now } = services;
  return new DeliverySender({
    store,
    outbox: dueDeliveries(pool),
    wake,
    egress: tracer === undefined ? egress : tracedEgress(egress, tracer),
    renderNotification,
    signingSecrets: config.webhookSecrets,
    backoffSeconds: config.webhookBackoffSeconds,
    userAgent: `switchyard/${version}`,
    now,
    random: Math.random,
    metrics,
    log,
  });
}

/** A request without a trace is sent unchanged. */
function tracedEgress(egress: Egress, tracer: Tracer): Pick<Egress, 'send'> {
  return {
    async send(request) {
      const { traceparent: parent } = request.headers;
      if (parent === undefined) return egress.send(request);
      const span = tracer.start({
        name: 'deliver',
        kind: 'client',
        parent,
        attributes: {
          'http.request.method': request.method,
          // The host alone: path and query may hold secrets of the receiver.
          'server.address': URL.parse(request.url)?.hostname ?? '',
          'switchyard.delivery_id': request.headers['webhook-id'] ?? '',
        },
      });
      const headers = { ...request.headers, traceparent: span.traceparent };
      const answer = await egress.send({ ...request, headers });
      if (answer.outcome === 'answered') {
        const attributes = { 'http.response.status_code': answer.statusCode };
        span.end({ attributes, ...(answer.statusCode >= 400 ? { failed: String(answer.statusCode) } : {}) });
      } else span.end({ failed: answer.outcome });
      return answer;
    },
  };
}
