// The doors: every family of operations and both protocols, mounted behind the hallway.
import type { TenantLog } from '../domain/events/tenant-log.ts';
import type { DeliverySender } from '../domain/webhooks/sender.ts';
import { mountA2aMethods } from '../http/a2a/mount.ts';
import type { Hallway } from '../http/admit.ts';
import { auditOperations } from '../http/families/audit.ts';
import { authOperations } from '../http/families/auth.ts';
import { automationOperations } from '../http/families/automation.ts';
import { codebaseOperations } from '../http/families/codebases.ts';
import { cognitionOperations } from '../http/families/cognition.ts';
import { deliveryOperations } from '../http/families/deliveries.ts';
import { interventionOperations } from '../http/families/interventions.ts';
import { metricsOperations } from '../http/families/metrics.ts';
import { conversationOperations } from '../http/families/monitor-conversations.ts';
import { monitorOperations } from '../http/families/monitor.ts';
import { taskOperations } from '../http/families/tasks.ts';
import { toolOperations } from '../http/families/tools.ts';
import { workerOperations } from '../http/families/workers.ts';
import { mountHealth } from '../http/health.ts';
import type { Mcp } from '../http/mcp/build.ts';
import { openGuard } from '../http/mcp/guard.ts';
import { mountMcp } from '../http/mcp/mount.ts';
import { documentOperations, mountReference } from '../http/openapi/mount.ts';
import type { Operation, RpcOperation } from '../http/operation.ts';
import { mountRest } from '../http/rest.ts';
import { Schemas } from '../http/schema.ts';
import type { Sandbox } from '../domain/ports/sandbox.ts';
import type { Access } from './access.ts';
import type { Apps } from './apps.ts';
import type { BuildOptions } from './build-options.ts';
import type { Ground } from './ground.ts';
import type { LoopLead } from './loop-lead.ts';
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
