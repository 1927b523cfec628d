// The worker's ear at the broker: a message that names one of its routes is a reason to ask for tasks at once.
// core-6.3, choices-5. Without a broker nothing is lost but time: the push channel and polling go on.
import { routeKeysIn, wakeChannel } from '../../contracts/wake.ts';
import { RedisConnection, redactRedisUrl } from '../../adapters/redis/connection.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import type { WorkerRegistration } from './registration.ts';
import type { WorkerSettings } from '../settings/settings.ts';

export type BrokerSubscription = AsyncDisposable;

export interface BrokerSubscriptionOptions {
  settings: Pick<WorkerSettings, 'brokerUrl' | 'brokerNamed'>;
  registration: Pick<WorkerRegistration, 'current'>;
  /** A task may wait for this worker. */
  onHint: () => void;
  clock: Clock;
  random: () => number;
  log: WorkerLog;
}

/** A broker that is away is looked for ever more rarely, up to this. */
const longestPauseMs = 30_000;

/** Listens until it is disposed of. A service without a broker has named no routes: then nothing is connected to. */
export function subscribeToBroker(options: BrokerSubscriptionOptions): BrokerSubscription {
  const { clock, log, onHint, random, registration, settings } = options;
  if (registration.current().routeKeys.size === 0) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const broker = redactRedisUrl(settings.brokerUrl);
  // The default address stands for "if there is one": that nothing is there is no news.
  const level = settings.brokerNamed ? 'warn' : 'debug';
  let shouldLog = true;
  return new RedisConnection({
    url: settings.brokerUrl,
    random,
    elapsedMs: () => clock.monotonicMs(),
    maxPauseMs: longestPauseMs,
    onUp: async (client) => {
      await client.subscribe(wakeChannel, (message) => {
        const { routeKeys } = registration.current();
        if (routeKeysIn(message).some((key) => routeKeys.has(key))) onHint();
      });
      if (shouldLog) log.info({ broker }, 'listens to the broker');
      shouldLog = false;
      // What was said while nobody listened.
      onHint();
    },
    onDown(why) {
      shouldLog = true;
      log[level]({ broker, error: why }, 'the broker is away; the push channel and polling go on without it');
    },
  });
}
