// The broker as the service uses it, where A2A_BROKER_URL names one.
import { RouteHints } from '../adapters/redis/route-hints.ts';
import { KnownRoutes } from '../adapters/redis/route-keys.ts';
import type { WakeBus } from '../domain/ports/wake.ts';
import type { ServiceConfig } from './service-config.ts';

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
