// The doors: every family of operations and both protocols, mounted behind the hallway.
import type { TenantLog } from '../../domain/events/tenant-log.ts';
import type { DeliverySender } from '../../domain/webhooks/sender.ts';
import { mountA2aMethods } from '../../http/a2a/mount.ts';
import type { Hallway } from '../../http/pipeline/admit.ts';
import { auditOperations } from '../../http/routes/audit.ts';
import { authOperations } from '../../http/routes/auth/auth.ts';
import { automationOperations } from '../../http/routes/tasks/automation.ts';
import { codebaseOperations } from '../../http/routes/codebases.ts';
import { cognitionOperations } from '../../http/routes/monitor/cognition.ts';
import { deliveryOperations } from '../../http/routes/tasks/deliveries.ts';
import { interventionOperations } from '../../http/routes/monitor/interventions.ts';
import { metricsOperations } from '../../http/routes/monitor/metrics.ts';
import { conversationOperations } from '../../http/routes/monitor/monitor-conversations.ts';
import { monitorOperations } from '../../http/routes/monitor/monitor.ts';
import { taskOperations } from '../../http/routes/tasks/tasks.ts';
import { toolOperations } from '../../http/routes/tools.ts';
import { workerOperations } from '../../http/routes/workers.ts';
import { mountHealth } from '../../http/routes/health.ts';
import type { Mcp } from '../../http/mcp/build.ts';
import { openGuard } from '../../http/mcp/transport/guard.ts';
import { mountMcp } from '../../http/mcp/mount.ts';
import { documentOperations, mountReference } from '../../http/openapi/mount.ts';
import type { Operation, RpcOperation } from '../../http/pipeline/operation.ts';
import { mountRest } from '../../http/bindings/rest.ts';
import { Schemas } from '../../http/pipeline/schema.ts';
import type { Sandbox } from '../../domain/ports/sandbox.ts';
import type { Access } from './access.ts';
import type { Apps } from './apps.ts';
import type { BuildOptions } from './build-options.ts';
import type { Ground } from './ground.ts';
import type { LoopLead } from '../loops/loop-lead.ts';
import { wireProtocols, type Protocols } from './protocols.ts';
import { openSandbox, toolSettings, toolsWork } from './tools.ts';

export interface DoorDeps extends Apps {
  readonly hallway: Hallway;
  readonly access: Access;
  readonly loops: LoopLead;
  readonly tenantLog: TenantLog;
  readonly sender: DeliverySender;
  readonly leaving: () => boolean;
}

export interface Doors {
  readonly operations: readonly Operation[];
  readonly rpcOperations: readonly RpcOperation[];
  readonly mcp: Mcp;
}

/** Where files travel a body may have this many bytes. choices §1. */
const largeBodyBytes = 16 * 1024 * 1024;

/** Mounts everything that can be called. */
export function mountDoors(options: BuildOptions, ground: Ground, deps: DoorDeps): Doors {
  const { config, version, log } = options;
  const { app, toolApp, hallway } = deps;
  const schemas = new Schemas();
  const protocols = wireProtocols(options, ground, { app, toolApp, schemas });
  const { a2a, mcp, base } = protocols;
  const sandbox = openSandbox(config, log);
  const reference = { operations: () => operations, version, base };
  const operations = [
    ...families(options, ground, deps, sandbox),
    ...ofProtocols(protocols),
    ...documentOperations(reference),
  ];
  mountReference(app, hallway, reference);
  const { maxBodyBytes } = config;
  const bodyLimit = Math.max(largeBodyBytes, maxBodyBytes);
  const check = options.checkAnswer === undefined ? {} : { checkAnswer: options.checkAnswer };
  const rest = { hallway, schemas, maxBodyBytes, largeBodyBytes: bodyLimit, log, ...check };
  mountRest(app, operations, rest);
  mountRest(toolApp, mcp.operations, rest);
  mountOnBoth(options, ground, deps, { mcp, sandbox });
  return { operations, mcp, rpcOperations: mountA2aMethods(app, a2a, { hallway, schemas, bodyLimit, log }) };
}

function families({ config }: BuildOptions, ground: Ground, deps: DoorDeps, sandbox: Sandbox): Operation[] {
  const { store, roster, audit, policy, makeId, now, metrics } = ground;
  const { access, loops, tenantLog, sender, leaving } = deps;
  return [
    ...taskOperations(ground),
    ...codebaseOperations(ground),
    ...workerOperations(ground),
    ...monitorOperations(ground),
    ...interventionOperations(ground),
    ...cognitionOperations({ loops, isRunning: () => !leaving() }),
    ...conversationOperations({ store, roster, tenantLog, now }),
    ...metricsOperations(ground, metrics),
    ...auditOperations({ store, settled: () => audit.settled(), verify: () => audit.verify() }),
    ...authOperations(access.deps, access.door),
    ...automationOperations(ground, config.models),
    ...toolOperations({ store, sandbox, trail: audit.trail, makeId, now, ...toolSettings(config) }),
    ...deliveryOperations({ store, policy, sender }),
  ];
}

function ofProtocols({ a2a, mcp }: Protocols): Operation[] {
  return [...a2a.operations, ...mcp.operations];
}

/** What the tool protocol's own port has too. */
function mountOnBoth(
  { config, version, log }: BuildOptions,
  { store, audit }: Ground,
  { app, toolApp, hallway, leaving }: DoorDeps,
  { mcp, sandbox }: { mcp: Mcp; sandbox: Sandbox },
): void {
  const { allowedHosts, allowedOrigins, publicUrl } = config.mcp;
  const publicUrls = [publicUrl, config.baseUrl].filter((url) => url !== undefined);
  const guard = openGuard({ allowedHosts, allowedOrigins, publicUrls });
  const health = {
    store,
    version,
    auditWorks: () => audit.trail.writable,
    leaving,
    toolsWork: () => toolsWork(config, sandbox),
  };
  for (const each of [app, toolApp]) {
    mountHealth(each, health);
    mountMcp(each, mcp, { hallway, guard, version, bodyLimit: config.maxBodyBytes, log });
  }
}
