// Webhooks that join the queue's commits: claimed in the commit that ends their task, recorded in a later one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dueDeliveries } from '../../../src/adapters/postgres/store/due-deliveries.ts';
import { openPool } from '../../../src/adapters/postgres/connection/connections.ts';
import type {
  DeliveryOutcome,
  DeliveryCapacity,
  DeliveryCommitResult,
} from '../../../src/domain/ports/store/deliveries.ts';
import type { CommitParticipant } from '../../../src/domain/ports/store/commit-participant.ts';
import type { SenderDeps } from '../../../src/domain/webhooks/delivery-sender.ts';
import { openService } from '../../support/service.ts';
import { createQueueDriver, type QueueDriver } from '../../support/queue/queue-driver.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { openStandaloneSender, type StandaloneSender } from '../../support/queue/standalone-sender.ts';
import { openReceiver, type Receiver } from '../../support/peers/webhook-receiver.ts';

let db: TestDatabase;
let verbs: Verbs;
let driver: QueueDriver;
let receiver: Receiver;
beforeAll(async () => {
  db = await cloneDatabase();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
beforeEach(async () => {
  verbs = await openVerbs(db);
  driver = createQueueDriver(verbs, db);
});
afterEach(async () => {
  await db.query('truncate deliveries');
  await verbs[Symbol.asyncDispose]();
});

const roomy: DeliveryCapacity = { leaseSeconds: 15, limit: 64, perHost: 64, hosts: {} };

/** A participant that sends nothing, like a sender that was killed after the commit; it keeps the results. */
function useKilledSender(capacity: DeliveryCapacity | undefined, outcomes: DeliveryOutcome[] = []) {
  const arrivals: (DeliveryCommitResult | undefined)[] = [];
  const participant: CommitParticipant = {
    prepare({ endsTasks }) {
      const own = outcomes.splice(0);
      if (!endsTasks && own.length === 0) return undefined;
      return {
        deliveries: { outcomes: own, maxTries: 3, capacity },
        committed: ({ deliveries }) => void arrivals.push(deliveries),
        failed: () => void arrivals.push(undefined),
      };
    },
  };
  verbs.participants.deliveries = participant;
  return arrivals;
}

async function finished(path: string, origin = receiver.url): Promise<string> {
  const { held, task } = await driver.heldTask({ webhookUrl: `${origin}${path}` });
  await driver.release(held, { result: 'done' });
  return task.id;
}

async function row(taskId: string) {
  const [found] = await db.query<{ status: string; tries: number; attempts: { error: string | null }[] }>(
    'select status, tries, attempts from deliveries where task_id = $1',
    [taskId],
  );
  return found;
}

async function whatIsFound(): Promise<string[]> {
  const pool = openPool({ address: db.service, role: 'a2a_app', max: 1, log: () => {} });
  try {
    const findRequest = { limit: 100, perHost: 100, perTenant: 100, busy: [], after: undefined };
    return (await dueDeliveries(pool).findDue(findRequest)).found.map(({ taskId }) => taskId);
  } finally {
    await pool.end();
  }
}

const cutOff = 'the service stopped during this attempt';

describe('the commit that ends a task', () => {
  it('claims its webhook for the sender of this replica: the first attempt counts, and no poll finds it', async () => {
    const arrivals = useKilledSender(roomy);
    const id = await finished('/ours');
    const body = expect.stringContaining(`"task_id":"${id}"`);
    const due = [
      { taskId: id, tries: 1, epoch: 1, url: `${receiver.url}/ours`, host: new URL(receiver.url).host, body },
    ];
    expect(arrivals).toMatchObject([{ due, unclaimed: 0, recorded: [], secrets: [] }]);
    expect(await row(id)).toMatchObject({ status: 'pending', tries: 1, attempts: [{ error: cutOff }] });
    expect(await whatIsFound()).toEqual([]);
  });

  it('leaves webhooks beyond the capacity, total or per receiver, to the polls', async () => {
    const host = new URL(receiver.url).host;
    for (const capacity of [
      undefined,
      { ...roomy, limit: 0 },
      { ...roomy, perHost: 0 },
      { ...roomy, hosts: { [host]: 0 } },
    ]) {
      const arrivals = useKilledSender(capacity);
      const id = await finished('/waits');
      expect(arrivals).toMatchObject([{ due: [], unclaimed: 1 }]);
      expect(await row(id)).toMatchObject({ status: 'pending', tries: 0, attempts: [] });
      expect(await whatIsFound()).toContain(id);
    }
  });

  it('is enough for a webhook to be sent and recorded: nothing polls the outbox', async () => {
    let polls = 0;
    await using _ = openSender({
      wake: { ...verbs.wake, listen: () => () => {} },
      outbox: {
        findDue: () => {
          polls += 1;
          return Promise.resolve({ found: [], next: undefined });
        },
      },
    });
    const ids = [await finished('/by-commit-1'), await finished('/by-commit-2')];
    for (const id of ids) await until('it is recorded', async () => (await row(id))?.status === 'delivered');
    expect(polls).toBe(0);
  });

  it('on a replica that is killed before it sends: another replica sends the webhook under the same id', async () => {
    const arrivals = useKilledSender(roomy);
    const id = await finished('/orphan');
    await db.query(`update deliveries set claimed_until = now() - interval '1 second'`);
    await using sending = openSender();
    await sending.sender.poll();
    const [sent] = await receiver.arrived('/orphan');
    expect(sent?.headers['webhook-id']).toBe(arrivals[0]?.due[0]?.deliveryId);
    await until('it is recorded', async () => (await row(id))?.status === 'delivered');
    expect(await row(id)).toMatchObject({ tries: 2, attempts: [{ error: cutOff }, { error: null }] });
    // An outcome of the killed replica changes nothing: it has an older epoch.
    const lateDelivery = { taskId: id, deliveryId: arrivals[0]?.due[0]?.deliveryId ?? '', epoch: 1, waitSeconds: 0 };
    const after = useKilledSender(undefined, [
      { ...lateDelivery, delivered: false, statusCode: 500, error: 'answered 500' },
    ]);
    await finished('/after');
    expect(after.flatMap((arrival) => arrival?.recorded)).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'delivered' });
  });

  it('records the outcome of each earlier attempt: delivered, pending a retry, or dead', async () => {
    const arrivals = useKilledSender(roomy);
    const ids = [await finished('/a'), await finished('/b'), await finished('/c')];
    await db.query('update deliveries set tries = 3 where task_id = $1', [ids[2]]);
    const outcomes = arrivals.map((arrival, i): DeliveryOutcome => {
      const { taskId = '', deliveryId = '', epoch = 0 } = arrival?.due[0] ?? {};
      const outcome = i === 0 ? { statusCode: 204, error: null } : { statusCode: 500, error: 'answered 500' };
      return { taskId, deliveryId, epoch, delivered: i === 0, ...outcome, waitSeconds: 3600 };
    });
    const after = useKilledSender(undefined, [...outcomes]);
    await finished('/d');
    const statuses = ['delivered', 'pending', 'dead'];
    expect(
      new Map(
        after.flatMap((arrival) => arrival?.recorded.map(({ deliveryId, status }) => [deliveryId, status]) ?? []),
      ),
    ).toEqual(new Map(outcomes.map(({ deliveryId }, i) => [deliveryId, statuses[i]])));
    for (const [i, id] of ids.entries()) {
      const error = i === 0 ? null : 'answered 500';
      expect(await row(id)).toMatchObject({ status: statuses[i], attempts: [{ error }] });
    }
    // The retry is not due yet.
    expect(await whatIsFound()).not.toContain(ids[1]);
  });

  it('ends the task even if an outcome cannot be recorded, and returns the outcome', async () => {
    const bad = { taskId: 'no id', deliveryId: 'no id', epoch: 1, delivered: true, statusCode: 200, error: null };
    const arrivals = useKilledSender(roomy, [{ ...bad, waitSeconds: 0 }]);
    const id = await finished('/harmless');
    // The commit of the submit failed with the outcome, and was repeated without it.
    expect(arrivals).toEqual([undefined, expect.anything()]);
    expect((await driver.currentTask(id)).status).toBe('completed');
  });
});

function openSender(deps: Partial<SenderDeps> = {}): StandaloneSender {
  const pool = openPool({ address: db.service, role: 'a2a_app', max: 2, log: () => {} });
  const lone = openStandaloneSender(verbs, pool, deps);
  const close = async (): Promise<void> => {
    await lone[Symbol.asyncDispose]();
    await pool.end();
  };
  return { sender: lone.sender, [Symbol.asyncDispose]: close };
}

describe('the sender', () => {
  it('sends a burst that was claimed by commits, at most sixteen requests at once per receiver', async () => {
    const { workerId, codebaseId } = await driver.worker();
    const webhookUrl = `${receiver.url}/burst`;
    for (let i = 0; i < 60; i += 1) await driver.submit(codebaseId, { webhookUrl });
    const held = await driver.claim(workerId, 60);
    receiver.open.most = 0;
    await using _ = openSender();
    await Promise.all(held.map((one) => driver.release(one)));
    await receiver.arrived('/burst', 60);
    expect(receiver.open.most).toBeLessThanOrEqual(16);
    await until('all are recorded', async () => {
      const [left] = await db.query<{ n: number }>(
        `select count(*)::integer as n from deliveries where status = 'pending'`,
      );
      return left?.n === 0;
    });
    const tries = await db.query('select distinct tries, status from deliveries');
    expect(tries).toEqual([{ tries: 1, status: 'delivered' }]);
    expect(new Set(receiver.on('/burst').map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  it('releases deliveries that wait for an unresponsive receiver, without counting an attempt', async () => {
    const { workerId, codebaseId } = await driver.worker();
    for (let i = 0; i < 30; i += 1) await driver.submit(codebaseId, { webhookUrl: `${receiver.url}/hang/burst` });
    const held = await driver.claim(workerId, 30);
    await using _ = openSender();
    await Promise.all(held.map((one) => driver.release(one)));
    await receiver.arrived('/hang/burst', 16);
    await until('the others are free', async () => {
      const [free] = await db.query<{ n: number }>(
        `select count(*)::integer as n from deliveries where tries = 0 and claimed_until is null and attempts = '[]'`,
      );
      return free?.n === 14;
    });
    expect(receiver.on('/hang/burst')).toHaveLength(16);
  });

  it('on two replicas sends each webhook exactly once', async () => {
    const config = { egressAllow: ['127.0.0.1'], webhookBackoffSeconds: 0.05 };
    await using one = await openService({ db, config });
    await using two = await openService({ db, config });
    const worker = await one.worker();
    const elsewhere = await two.worker();
    const fields = { webhook_url: `${receiver.url}/pair` };
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : two).task(fields)));
    const [first, second] = [await worker.claim(10), await elsewhere.claim(10)];
    await Promise.all([
      ...first.map((own) => worker.release(own, { status: 'completed', result: 'a' })),
      ...second.map((own) => elsewhere.release(own, { status: 'completed', result: 'b' })),
    ]);
    await until('all are recorded', async () => {
      const rows = await db.query(`select 1 from deliveries where status = 'delivered' and tries = 1`);
      return rows.length === 20;
    });
    expect(receiver.on('/pair')).toHaveLength(20);
    expect(new Set(receiver.on('/pair').map(({ headers }) => headers['webhook-id'])).size).toBe(20);
  });
});
