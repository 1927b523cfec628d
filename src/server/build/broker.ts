// The broker as the service uses it, where A2A_BROKER_URL names one.
import { RedisShelf } from '../../adapters/redis/record-shelf.ts';
import { RouteHints } from '../../adapters/redis/route-hints.ts';
import { KnownRoutes } from '../../adapters/redis/route-keys.ts';
import type { WakeBus } from '../../domain/ports/wake.ts';
import { RecordMirror, type MirrorDeps } from '../../domain/sharing/mirror.ts';
import type { ServiceConfig } from '../config/service-config.ts';

export interface BrokerOptions {
  readonly config: Pick<ServiceConfig, 'brokerUrl'>;
  /** Names the routes. */
  readonly routeSecret: () => Promise<Uint8Array>;
  /** The hints that go through whatever becomes of the broker. */
  readonly others: WakeBus;
  readonly random: () => number;
  readonly elapsedMs: () => number;
  readonly log: (line: string, details?: unknown) => void;
}

/** @returns undefined where no broker is named; a broker that is away stops no start. */
export async function openBroker(
  options: BrokerOptions,
): Promise<{ hints: RouteHints; routes: KnownRoutes } | undefined> {
  const { config, routeSecret, ...rest } = options;
  if (config.brokerUrl === undefined) return undefined;
  const routes = new KnownRoutes(await routeSecret());
  return { routes, hints: new RouteHints({ url: config.brokerUrl, routes, ...rest }) };
}

export interface SharingOptions extends Omit<MirrorDeps, 'shelf' | 'renewMs'> {
  readonly config: Pick<ServiceConfig, 'databaseUrl' | 'brokerUrl' | 'brokerSecret' | 'retentionDays'>;
  readonly random: () => number;
  readonly elapsedMs: () => number;
}

const dayMs = 86_400_000;

/**
 * Shares records with other instances, where there is a broker and a secret but no database that they share: takes
 * over what there is before anybody asks. @returns undefined elsewhere
 */
export async function openSharing(
  options: SharingOptions,
): Promise<({ tick(): Promise<void> } & AsyncDisposable) | undefined> {
  const { databaseUrl, brokerUrl: url, brokerSecret: secret, retentionDays } = options.config;
  if (databaseUrl !== undefined || url === undefined || secret === undefined) return undefined;
  const shelf = new RedisShelf({ ...options, url, secret, keptMs: retentionDays * dayMs });
  const mirror = new RecordMirror({ ...options, shelf, renewMs: (retentionDays * dayMs) / 4 });
  await shelf.open();
  await mirror.tick().catch((error: unknown) => options.log('shared records could not be read yet', error));
  return { tick: () => mirror.tick(), [Symbol.asyncDispose]: () => shelf[Symbol.asyncDispose]() };
}
