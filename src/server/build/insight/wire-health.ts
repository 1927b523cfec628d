// Wires the service's health: a probe for each part, and the report that this replica gives of itself.
import { hostname } from 'node:os';
import { readDatabaseVersions } from '../../../adapters/postgres/store/database-facts.ts';
import { postgresReplicas } from '../../../adapters/postgres/store/replicas.ts';
import { isPermitted } from '../../../domain/access/permit.ts';
import { systemCaller } from '../../../domain/access/system-caller.ts';
import { systemTenantId } from '../../../domain/model/audit-entry.ts';
import {
  readOwnReasons,
  type HealthDeps,
  type HealthPart,
  type HealthProbes,
} from '../../../domain/insight/service-health.ts';
import type { BaseBackupLoop } from '../../../domain/backup/base-backup-loop.ts';
import type { Policy } from '../../../domain/ports/policy.ts';
import type { Sandbox } from '../../../domain/ports/sandbox.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { backupPart } from '../recovery/wire-backups.ts';
import type { LoopScheduler } from '../../loops/loop-scheduler.ts';

export interface WiredHealthOptions {
  readonly config: Pick<ServiceConfig, 'tools' | 'backup' | 'databaseUrl'>;
  readonly version: string;
}

export interface HealthServices {
  readonly pool: Parameters<typeof postgresReplicas>[0];
  readonly store: Store;
  readonly policy: Policy;
  readonly sends: { areHeld(): Promise<boolean> };
  readonly audit: { readonly trail: { readonly writable: boolean } };
  /** Undefined without a broker. */
  readonly brokerIsUp: (() => boolean) | undefined;
  readonly now: () => number;
}

export interface HealthParts {
  readonly replica: string;
  readonly loops: LoopScheduler;
  readonly sandbox: Sandbox;
  /** Undefined where no base backups are taken. */
  readonly backups: BaseBackupLoop | undefined;
  readonly cluster: () => Promise<HealthPart>;
  readonly draining: () => boolean;
}

export interface WiredHealth {
  readonly deps: HealthDeps;
  /** Reports this replica to the others. */
  report(): Promise<void>;
  /** Removes it from their list. */
  leave(): Promise<void>;
}

const ok: HealthPart = { status: 'ok', reason: null };
const off = (reason: string): HealthPart => ({ status: 'off', reason });

export function wireHealth(options: WiredHealthOptions, services: HealthServices, parts: HealthParts): WiredHealth {
  const { pool, store, now } = services;
  const replicas = postgresReplicas(pool);
  const self = {
    name: parts.replica,
    version: options.version,
    host: hostname(),
    startedAt: new Date(now()).toISOString(),
  };
  const deps: HealthDeps = {
    probes: openProbes(options, services, parts),
    self,
    isDraining: parts.draining,
    listReplicas: () => replicas.list(),
    listLoops: () => parts.loops.status(),
    databaseFacts: () => readDatabaseVersions(pool),
    workerVersions: (caller) => store.within(caller, (rows) => rows.workers.versions()),
    node: process.version,
    now,
  };
  let hasLeft = false;
  let reporting = Promise.resolve();
  return {
    deps,
    async report() {
      const reasons = await readOwnReasons(deps);
      if (hasLeft) return;
      reporting = replicas.report({ ...self, reasons });
      await reporting;
    },
    async leave() {
      hasLeft = true;
      // A report under way would put the replica back. Its failure is the loop's.
      await reporting.catch(() => undefined);
      await replicas.leave(self.name);
    },
  };
}

/** Any decision on its permission shows that the policy server decides. */
const prober = systemCaller(systemTenantId, 'health', ['monitor:read']);

function openProbes(
  { config }: WiredHealthOptions,
  services: HealthServices,
  { sandbox, backups, cluster }: Pick<HealthParts, 'sandbox' | 'backups' | 'cluster'>,
): HealthProbes {
  const { store, policy, audit, brokerIsUp, sends } = services;
  return {
    async store() {
      await store.ping();
      return ok;
    },
    broker: () =>
      Promise.resolve(brokerIsUp === undefined ? off('A2A_BROKER_URL is not set.') : brokerPart(brokerIsUp())),
    async policy() {
      await isPermitted(policy, prober, 'monitor:read');
      return ok;
    },
    async sandbox() {
      if (config.tools.trustedKeys.length === 0) return off('No key is trusted to sign tools, so none runs.');
      const state = await sandbox.state();
      return state.available ? ok : { status: 'degraded', reason: `Tools cannot run: ${state.reason} ${state.remedy}` };
    },
    backup: () => Promise.resolve(backupPart(backups, config)),
    sends: async () => ((await sends.areHeld()) ? heldSends : ok),
    audit: () => Promise.resolve(audit.trail.writable ? ok : unwritableAudit),
    cluster,
  };
}

function brokerPart(isUp: boolean): HealthPart {
  if (isUp) return ok;
  return { status: 'degraded', reason: 'The broker cannot be reached: hints go through PostgreSQL, and workers poll.' };
}

const heldSends: HealthPart = {
  status: 'degraded',
  reason:
    'Mails, conversions and publish steps of runs wait since a restore: `switchyard restore release` lets them go out.',
};

const unwritableAudit: HealthPart = {
  status: 'degraded',
  reason: 'The audit file cannot be written, so changes are refused. Make room on its disk.',
};
