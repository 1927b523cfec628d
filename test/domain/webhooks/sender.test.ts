// The sender without the loop that polls at intervals: what wakes it, and how it stops.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../../src/adapters/postgres/connection/connections.ts';
import { cancelTask } from '../../../src/domain/tasks/cancel.ts';
import { submitTask } from '../../../src/domain/tasks/submit.ts';
import type { DeliveryStatus } from '../../../src/domain/model/delivery.ts';
import type { SenderDeps } from '../../../src/domain/webhooks/delivery-sender.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { callerOf, draft, openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { openStandaloneSender, type StandaloneSender } from '../../support/queue/standalone-sender.ts';
import { openReceiver, type Receiver } from '../../support/peers/webhook-receiver.ts';

let db: TestDatabase;
let pool: pg.Pool;
let verbs: Verbs;
let receiver: Receiver;
let counted: string[] = [];
let details: { line: string; details: unknown }[] = [];
beforeAll(async () => {
  db = await cloneDatabase();
  verbs = await openVerbs(db);
  pool = openPool({ address: db.service, role: 'a2a_app', max: 4, log: () => {} });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await pool.end();
  await verbs[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await db.query('truncate deliveries');
  verbs.logged.length = 0;
  counted = [];
  details = [];
});

function open(deps: Partial<SenderDeps> = {}): StandaloneSender {
  return openStandaloneSender(verbs, pool, {
    metrics: { attempted: (kind, outcome) => void counted.push(`${kind} ${outcome}`) },
    log: (line, more) => {
      verbs.logged.push(line);
      details.push({ line, details: more });
    },
    ...deps,
  });
}

const caller = callerOf('editor');

async function cancelled(path: string, push?: string): Promise<string> {
  const target = { configId: 'c', token: null, scheme: null, credentials: null, wire: '0.3' };
  const { task } = await submitTask(verbs, caller, {
    ...draft({ webhookUrl: `${receiver.url}${path}` }),
    ...(push === undefined ? {} : { push: { ...target, url: `${receiver.url}${push}` } }),
  });
  await cancelTask(verbs, caller, task.id);
  return task.id;
}

async function row(taskId: string, kind = 'webhook') {
  const [found] = await db.query<{ status: DeliveryStatus; tries: number; attempts: { error: string | null }[] }>(
    'select status, tries, attempts from deliveries where task_id = $1 and kind = $2',
    [taskId, kind],
  );
  return found;
}

describe('the sender', () => {
  it('is woken by the hint of the ended task, and by its own timer for the next attempt', async () => {
    await using _ = open();
    const id = await cancelled('/answer-500-once/hint');
    await receiver.arrived('/answer-500-once/hint', 2);
    await until('it is recorded', async () => (await row(id))?.status === 'delivered');
    expect(receiver.on('/answer-500-once/hint')).toHaveLength(2);
    expect(counted).toEqual(['webhook failed', 'webhook delivered']);
  });

  it('logs each failed attempt and the dead delivery, by task and delivery id, without the address', async () => {
    await using _ = open();
    const path = '/answer-500/logged?key=of-the-receiver';
    const id = await cancelled(path);
    await until('it is dead', async () => (await row(id))?.status === 'dead');
    const [sent] = receiver.on(path);
    const ids = { tenant_id: 'default', task_id: id, delivery_id: sent?.headers['webhook-id'] };
    const expectedAttempt = { status_code: 500, reason: 'answered 500' };
    expect(details).toEqual([
      {
        line: 'delivery attempt failed; will retry',
        details: { ...ids, attempt: 1, ...expectedAttempt },
      },
      {
        line: 'delivery attempt failed; will retry',
        details: { ...ids, attempt: 2, ...expectedAttempt },
      },
      { line: 'delivery is dead: all attempts failed', details: { ...ids, attempt: 3, ...expectedAttempt } },
    ]);
    expect(JSON.stringify(details)).not.toContain('of-the-receiver');
  });

  it('when it stops, releases requests that take too long, without counting an attempt', async () => {
    const opened = open();
    const id = await cancelled('/hang/stop');
    await receiver.arrived('/hang/stop');
    await opened[Symbol.asyncDispose]();
    expect(await row(id)).toEqual({ status: 'pending', tries: 0, attempts: [] });
  });

  it('when it stops, records the requests that were answered', async () => {
    const opened = open();
    const id = await cancelled('/in-time');
    await receiver.arrived('/in-time');
    await opened[Symbol.asyncDispose]();
    expect(await row(id)).toMatchObject({ status: 'delivered', attempts: [{ error: null }] });
    expect(counted).toEqual(['webhook delivered']);
  });

  it('sends other deliveries when a notification cannot be rendered; that one is dead after its attempts', async () => {
    await using _ = open({
      renderNotification: () => {
        throw new Error('no words for it');
      },
    });
    const id = await cancelled('/beside-unwritten', '/unwritten');
    await receiver.arrived('/beside-unwritten');
    await until('it is dead', async () => (await row(id, 'push'))?.status === 'dead');
    expect(receiver.on('/unwritten')).toEqual([]);
    expect(verbs.logged).toContain('failed to render a notification; will retry');
    expect(verbs.logged).toContain('delivery is dead: all attempts failed');
    expect(counted.filter((one) => one.startsWith('push'))).toEqual(['push failed', 'push failed', 'push dead']);
  });

  it('logs a failed poll, and the next one records the outcomes', async () => {
    let broken = false;
    const store: SenderDeps['store'] = {
      ...verbs.store,
      within: (tenant, work) =>
        broken ? Promise.reject(new Error('the database is away')) : verbs.store.within(tenant, work),
    };
    await using opened = open({ store });
    const id = await cancelled('/answer-500/broken');
    await receiver.arrived('/answer-500/broken');
    broken = true;
    await until('the failure is logged', () => verbs.logged.includes('failed to poll the outbox; will retry'));
    broken = false;
    const looked = async (): Promise<boolean> => {
      await opened.sender.poll();
      return (await row(id))?.status === 'dead';
    };
    await until('it is dead', looked);
    expect(receiver.on('/answer-500/broken')).toHaveLength(3);
  });
});
