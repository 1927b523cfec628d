// A sender by itself on a test's database, without the loop that looks from time to time.
import type pg from 'pg';
import { guardedEgress } from '../../src/adapters/egress/http.ts';
import { dueDeliveries } from '../../src/adapters/postgres/store/due-deliveries.ts';
import { DeliverySender, type SenderDeps } from '../../src/domain/webhooks/sender.ts';
import type { Verbs } from '../support/verbs.ts';

export interface LoneSender extends AsyncDisposable {
  readonly sender: DeliverySender;
}

/** @param deps in place of what it has otherwise; it logs into `verbs.logged` */
export function openLoneSender(verbs: Verbs, pool: pg.Pool, deps: Partial<SenderDeps> = {}): LoneSender {
  const nowhere = (): Promise<never> => Promise.reject(new Error('nothing is looked up'));
  const egress = guardedEgress({ allow: ['127.0.0.1'], resolve: nowhere, resolveAllowed: nowhere });
  const sender = new DeliverySender({
    store: verbs.store,
    queue: verbs.queue,
    outbox: dueDeliveries(pool),
    wake: verbs.wake,
    egress,
    notification: () => ({ body: '{}', contentType: 'application/json' }),
    signingSecrets: [],
    backoffSeconds: 0.01,
    userAgent: 'test',
    now: Date.now,
    random: () => 0.5,
    tally: { attempted: () => {} },
    log: (line) => void verbs.logged.push(line),
    ...deps,
  });
  const close = async (): Promise<void> => {
    await sender[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
  };
  return { sender, [Symbol.asyncDispose]: close };
}
