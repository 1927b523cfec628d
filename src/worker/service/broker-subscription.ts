// Subscribes to the broker: a message that names one of the worker's routes makes it claim at once. core-6.3,
// choices-5. Without a broker only latency is lost: the push channel and polling go on.
import { routeKeysIn, wakeChannel } from '../../contracts/wake.ts';
import { RedisConnection, redactRedisUrl } from '../../adapters/redis/connection.ts';
import type { Clock } from '../base/clock.ts';
import type { WorkerLog } from '../base/log.ts';
import type { WorkerRegistration } from './registration.ts';
import type { WorkerSettings } from '../settings/settings.ts';

export type BrokerSubscription = AsyncDisposable;

export interface BrokerSubscriptionOptions {
  readonly settings: Pick<WorkerSettings, 'brokerUrl' | 'brokerNamed'>;
  readonly registration: Pick<WorkerRegistration, 'current'>;
  /** Called when a task may wait for this worker. */
  readonly onHint: () => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: WorkerLog;
}

/** The longest pause between two tries to reach a broker. */
const longestPauseMs = 30_000;

/** Subscribes until it is disposed of. A service without a broker returns no routes, and nothing is connected then. */
export function subscribeToBroker(options: BrokerSubscriptionOptions): BrokerSubscription {
  const { clock, log, onHint, random, registration, settings } = options;
  if (registration.current().routeKeys.size === 0) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const broker = redactRedisUrl(settings.brokerUrl);
  // The default address means "if there is a broker", so its absence is not worth a warning.
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
      if (shouldLog) log.info({ broker }, 'subscribed to the broker');
      shouldLog = false;
      // Catches up on messages from before the subscription.
      onHint();
    },
    onDown(why) {
      shouldLog = true;
      log[level](
        { broker, error: why },
        'broker unreachable; will retry, using the push channel and polling meanwhile',
      );
    },
  });
}
