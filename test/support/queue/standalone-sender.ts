// A sender by itself on a test's database, without the loop that looks from time to time.
import type pg from 'pg';
import { guardedEgress } from '../../../src/adapters/egress/http.ts';
import { dueDeliveries } from '../../../src/adapters/postgres/store/due-deliveries.ts';
import { DeliverySender, type SenderDeps } from '../../../src/domain/webhooks/delivery-sender.ts';
import type { Verbs } from '../verbs.ts';

export interface StandaloneSender extends AsyncDisposable {
  readonly sender: DeliverySender;
}

/** @param deps in place of what it has otherwise; it logs into `verbs.logged` */
export function openStandaloneSender(verbs: Verbs, pool: pg.Pool, deps: Partial<SenderDeps> = {}): StandaloneSender {
  const nowhere = (): Promise<never> => Promise.reject(new Error('nothing is looked up'));
  const egress = guardedEgress({ allow: ['127.0.0.1'], resolve: nowhere, resolveAllowed: nowhere });
  const deliverySender = new DeliverySender({
    store: verbs.store,
    outbox: dueDeliveries(pool),
    wake: verbs.wake,
    egress,
    renderNotification: () => ({ body: '{}', contentType: 'application/json' }),
    signingSecrets: [],
    backoffSeconds: 0.01,
    userAgent: 'test',
    now: Date.now,
    random: () => 0.5,
    metrics: { attempted: () => {} },
    log: (line) => void verbs.logged.push(line),
    ...deps,
  });
  verbs.participants.deliveries = deliverySender;
  const close = async (): Promise<void> => {
    await deliverySender[Symbol.asyncDispose]();
    await egress[Symbol.asyncDispose]();
  };
  return { sender: deliverySender, [Symbol.asyncDispose]: close };
}
