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
import { wireHealth } from './insight/wire-health.ts';
import { openApps } from './apps.ts';
import { startBackground } from './background.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import { wireRuns } from './runs/wire-runs.ts';
import { mountRoutes } from './routes.ts';
import { buildServices, type Services } from './services.ts';
import { wireRequestPipeline } from './request-pipeline.ts';
import { LoopScheduler } from '../loops/loop-scheduler.ts';
import { tracedEgress } from './traced-egress.ts';

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
  const { pipeline, access } = wireRequestPipeline(options, services, opening);
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const apps = openApps(options, services, { pipeline, draining }, opening);
  const replica = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
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
  const health = wireHealth(options, services, { replica, loops, sandbox, draining });
  const cron = { ...services, principals: access.deps.principals };
  const routeDeps = {
    cron,
    ...apps,
    sandbox,
    health: health.deps,
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
  await startBackground(options, services, { loops, access, sender, director, chat, cron, health }, opening);

  const startDraining = (): void => {
    isDraining = true;
  };
  const closing = opening.move();
  return { ...apps, ...routes, startDraining, [Symbol.asyncDispose]: () => closing.disposeAsync() };
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
