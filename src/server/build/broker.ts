// Opens the broker, if A2A_BROKER_URL names one.
import { RedisSharedRecordStore } from '../../adapters/redis/shared-record-store.ts';
import { RouteHints } from '../../adapters/redis/route-hints.ts';
import { KnownRoutes } from '../../adapters/redis/route-keys.ts';
import type { WakeBus } from '../../domain/ports/wake.ts';
import { RecordReplicator, type RecordReplicatorDeps } from '../../domain/sharing/record-replicator.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface ServiceBrokerOptions {
  readonly config: Pick<ServiceConfig, 'brokerUrl'>;
  /** Key from which route keys are derived. */
  readonly routeSecret: () => Promise<Uint8Array>;
  /** Carries the hints that do not depend on the broker. */
  readonly others: WakeBus;
  readonly random: () => number;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** @returns undefined if no broker is configured. A broker that cannot be reached does not stop the start. */
export async function openBroker(
  options: ServiceBrokerOptions,
): Promise<{ hints: RouteHints; routes: KnownRoutes } | undefined> {
  const { config, routeSecret, ...rest } = options;
  if (config.brokerUrl === undefined) return undefined;
  const routes = new KnownRoutes(await routeSecret());
  return { routes, hints: new RouteHints({ url: config.brokerUrl, routes, ...rest }) };
}

export interface SharingOptions extends Omit<RecordReplicatorDeps, 'sharedStore' | 'renewMs'> {
  readonly config: Pick<ServiceConfig, 'databaseUrl' | 'brokerUrl' | 'brokerSecret' | 'retentionDays'>;
  readonly random: () => number;
  readonly elapsedMs: () => number;
}

const dayMs = 86_400_000;

/**
 * Shares records with other instances, if there is a broker and a secret but no shared database. Existing records are
 * read before the first call is served. @returns undefined otherwise
 */
export async function openSharing(
  options: SharingOptions,
): Promise<({ tick(): Promise<void> } & AsyncDisposable) | undefined> {
  const { databaseUrl, brokerUrl: url, brokerSecret: secret, retentionDays } = options.config;
  if (databaseUrl !== undefined || url === undefined || secret === undefined) return undefined;
  const sharedStore = new RedisSharedRecordStore({ ...options, url, secret, ttlMs: retentionDays * dayMs });
  const replicator = new RecordReplicator({ ...options, sharedStore, renewMs: (retentionDays * dayMs) / 4 });
  await sharedStore.open();
  await replicator.tick().catch((error: unknown) => options.log('could not read shared records; will retry', error));
  return { tick: () => replicator.tick(), [Symbol.asyncDispose]: () => sharedStore[Symbol.asyncDispose]() };
}
