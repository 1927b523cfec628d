// Mounts every route: REST operations and both protocols, behind the request pipeline.
import type { TenantLog } from '../../domain/events/tenant-log.ts';
import type { AnalyticsDeps } from '../../domain/analytics/analytics-deps.ts';
import type { BaseBackupLoop } from '../../domain/backup/base-backup-loop.ts';
import type { HealthDeps } from '../../domain/insight/service-health.ts';
import type { RunDeps } from '../../domain/runs/change/run-deps.ts';
import type { OkrDeps } from '../../domain/okr/base/okr-deps.ts';
import type { CronDeps } from '../../domain/schedules/cron-deps.ts';
import type { DeliverySender } from '../../domain/webhooks/delivery-sender.ts';
import type { PrdChatDeps } from '../../domain/prd/chat/chat-deps.ts';
import { mountA2aMethods } from '../../http/a2a/mount.ts';
import type { RequestPipeline } from '../../http/pipeline/request-pipeline.ts';
import { analyticsOperations } from '../../http/routes/analytics/analytics.ts';
import { auditOperations } from '../../http/routes/audit.ts';
import { authOperations } from '../../http/routes/auth/auth.ts';
import { automationOperations } from '../../http/routes/tasks/automation.ts';
import { cronjobOperations } from '../../http/routes/schedules/cronjobs.ts';
import { k8sOperations } from '../../http/routes/k8s.ts';
import { okrOperations } from '../../http/routes/okr/okrs.ts';
import { codebaseOperations } from '../../http/routes/codebases.ts';
import { cognitionOperations } from '../../http/routes/monitor/cognition.ts';
import { deliveryOperations } from '../../http/routes/tasks/deliveries.ts';
import { attentionOperations } from '../../http/routes/monitor/attention.ts';
import { interventionOperations } from '../../http/routes/monitor/interventions.ts';
import { metricsOperations } from '../../http/routes/monitor/metrics.ts';
import { prdChatOperations } from '../../http/routes/ralph/prd-chat.ts';
import { ralphOperations } from '../../http/routes/ralph/ralph.ts';
import { conversationOperations } from '../../http/routes/monitor/monitor-conversations.ts';
import { monitorTaskOperations } from '../../http/routes/monitor/monitor-tasks.ts';
import { monitorOperations } from '../../http/routes/monitor/monitor.ts';
import { restoreOperations } from '../../http/routes/monitor/restore.ts';
import { serviceHealthOperations } from '../../http/routes/monitor/service-health.ts';
import { usageOperations } from '../../http/routes/monitor/usage.ts';
import { taskChangeOperations } from '../../http/routes/tasks/task-changes.ts';
import { resultOperations } from '../../http/routes/tasks/results.ts';
import { reviewOperations } from '../../http/routes/tasks/reviews.ts';
import { taskOperations } from '../../http/routes/tasks/tasks.ts';
import { toolOperations } from '../../http/routes/tools.ts';
import { workerOperations } from '../../http/routes/workers.ts';
import { mountHealth } from '../../http/routes/health.ts';
import type { Mcp } from '../../http/mcp/build.ts';
import { createOriginGuard } from '../../http/mcp/transport/origin-guard.ts';
import { mountMcp } from '../../http/mcp/mount.ts';
import { documentOperations, mountReference } from '../../http/openapi/mount.ts';
import { builtPagesFolder, mountPages } from '../../http/pages/page-files.ts';
import type { Operation, RpcOperation } from '../../http/pipeline/operation.ts';
import { mountRest } from '../../http/bindings/rest.ts';
import { SchemaCompiler } from '../../http/pipeline/schema.ts';
import type { Sandbox } from '../../domain/ports/sandbox.ts';
import type { Access } from './access.ts';
import type { Apps } from './apps.ts';
import { elapsedMs, type BuildOptions } from './build-options.ts';
import type { WiredCluster } from './cluster/wire-cluster.ts';
import type { Services } from './services.ts';
import type { LoopScheduler } from '../loops/loop-scheduler.ts';
import { wireProtocols, type Protocols } from './protocols.ts';
import { toolSettings, areToolsHealthy } from './tools.ts';

export interface RouteDeps extends Apps {
  readonly pipeline: RequestPipeline;
  readonly access: Access;
  readonly loops: LoopScheduler;
  readonly tenantLog: TenantLog;
  readonly sender: DeliverySender;
  readonly cron: CronDeps;
  readonly analytics: AnalyticsDeps;
  readonly cluster: WiredCluster;
  readonly okr: OkrDeps;
  readonly runs: RunDeps;
  readonly chat: PrdChatDeps;
  readonly draining: () => boolean;
  readonly sandbox: Sandbox;
  /** Undefined where no base backups are taken. */
  readonly backups: BaseBackupLoop | undefined;
  readonly health: HealthDeps;
}

export interface Routes {
  readonly operations: readonly Operation[];
  readonly rpcOperations: readonly RpcOperation[];
  readonly mcp: Mcp;
}

/** Body limit of operations that accept files. choices-1. */
const largeBodyBytes = 16 * 1024 * 1024;

/** Mounts everything that can be called. */
export function mountRoutes(options: BuildOptions, services: Services, deps: RouteDeps): Routes {
  const { config, version, log } = options;
  const { app, toolApp, pipeline } = deps;
  const schemas = new SchemaCompiler();
  const protocols = wireProtocols(options, services, { app, toolApp, schemas, runs: deps.runs, chat: deps.chat });
  const { a2a, mcp, base } = protocols;
  const reference = { operations: () => operations, version, base };
  const operations = [
    ...restOperations(options, services, { ...deps, base }),
    ...ralphOperations({ ...deps.runs, signals: services.signals, sender: deps.sender }),
    ...cronjobOperations(deps.cron),
    ...analyticsOperations(deps.analytics),
    ...k8sOperations(deps.cluster.deps, deps.cluster.status),
    ...okrOperations(deps.okr),
    ...prdChatOperations({ ...deps.chat, ...deps.runs, signals: services.signals }),
    ...protocolOperations(protocols),
    ...documentOperations(reference),
  ];
  mountReference(app, pipeline, reference);
  mountPages(app, pipeline, { folder: options.pagesFolder ?? builtPagesFolder, elapsedMs });
  const { maxBodyBytes } = config;
  const bodyLimit = Math.max(largeBodyBytes, maxBodyBytes);
  const check = options.checkResponse === undefined ? {} : { checkResponse: options.checkResponse };
  const rest = { pipeline, schemas, maxBodyBytes, largeBodyBytes: bodyLimit, log, ...check };
  mountRest(app, operations, rest);
  mountRest(toolApp, mcp.operations, rest);
  mountOnBothApps(options, services, deps, mcp);
  return { operations, mcp, rpcOperations: mountA2aMethods(app, a2a, { pipeline, schemas, bodyLimit, log }) };
}

function restOperations(
  { config }: BuildOptions,
  services: Services,
  deps: RouteDeps & Pick<Protocols, 'base'>,
): Operation[] {
  const { store, workerDirectory, audit, policy, makeId, now, metrics } = services;
  const { access, loops, tenantLog, sender, draining, sandbox, health, base } = deps;
  return [
    ...taskOperations(services),
    ...taskChangeOperations({ ...services, trail: audit.trail }),
    ...resultOperations(services),
    ...reviewOperations(services),
    ...codebaseOperations(services),
    ...workerOperations(services),
    ...monitorOperations(services),
    ...usageOperations({ store, now }),
    ...serviceHealthOperations(health),
    ...restoreOperations(services),
    ...monitorTaskOperations(services),
    ...interventionOperations(services),
    ...attentionOperations(services),
    ...cognitionOperations({ loops, isRunning: () => !draining() }),
    ...conversationOperations({ store, workerDirectory, tenantLog, now }),
    ...metricsOperations(services, metrics),
    ...auditOperations({ store, settled: () => audit.settled(), verify: () => audit.verify() }),
    ...authOperations(access.deps, { ...access.routeOptions, base }),
    ...automationOperations(services, config.models),
    ...toolOperations({ store, sandbox, trail: audit.trail, makeId, now, ...toolSettings(config) }),
    ...deliveryOperations({ store, policy, sender }),
  ];
}

function protocolOperations({ a2a, mcp }: Protocols): Operation[] {
  return [...a2a.operations, ...mcp.operations];
}

/** Mounts what both ports serve: health and the tool protocol. */
function mountOnBothApps(
  { config, version, log }: BuildOptions,
  { store, audit, sends }: Services,
  { app, toolApp, pipeline, draining, sandbox, backups }: RouteDeps,
  mcp: Mcp,
): void {
  const { allowedHosts, allowedOrigins, publicUrl } = config.mcp;
  const publicUrls = [publicUrl, config.baseUrl].filter((url) => url !== undefined);
  const guard = createOriginGuard({ allowedHosts, allowedOrigins, publicUrls });
  const health = {
    store,
    version,
    isAuditHealthy: () => audit.trail.writable,
    draining,
    areToolsHealthy: () => areToolsHealthy(config, sandbox),
    areSendsHeld: () => sends.areHeld().catch(() => sends.last),
    backup: () => backups && (backups.state.problem === undefined ? 'ok' : 'failing'),
  };
  for (const each of [app, toolApp]) {
    mountHealth(each, health);
    mountMcp(each, mcp, { pipeline, guard, version, bodyLimit: config.maxBodyBytes, log });
  }
}
