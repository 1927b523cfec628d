// npm run bench:analytics [-- --events 500000]: how long a funnel takes over many events, an attribution, and recording them.
// It starts its own PostgreSQL, with fsync, and prints medians of five.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openPool } from '../src/adapters/postgres/connection/connections.ts';
import { postgresStore } from '../src/adapters/postgres/store/store.ts';
import { recordEvents } from '../src/domain/analytics/events/record-events.ts';
import type { EventDraft } from '../src/domain/model/analytics/event.ts';
import type { FunnelStep } from '../src/domain/model/analytics/funnel.ts';
import { uuid7Maker } from '../src/lib/uuid7.ts';
import { testAnalyticsConfig } from '../test/support/builders/part-configs.ts';
import { callerOf } from '../test/support/verbs.ts';
import { openBenchDatabase } from './database.ts';

const rounds = 5;
const { values } = parseArgs({ options: { events: { type: 'string', default: '500000' } } });
const events = Number(values.events);
const tenantId = 'bench';

/** Seven days of events: visitors of ten events each, a third of whom were identified. */
async function fill(client: pg.Client): Promise<void> {
  const visitors = Math.ceil(events / 10);
  await client.query(
    `insert into analytics_identity_map (tenant_id, anonymous_id, identified_at, user_id)
     select $1, 'visitor-' || v, now() - interval '3 days', 'user-' || v from generate_series(1, $2::integer, 3) v`,
    [tenantId, visitors],
  );
  await client.query(
    `insert into analytics_events (tenant_id, event_id, at, kind, event, anonymous_id, channel, properties)
     select $1, make_uuid7(), now() - random() * interval '7 days', 'track', 'step-' || (n % 10), 'visitor-' || (n / 10),
       case when n % 5 = 0 then 'paid' end, jsonb_build_object('plan', 'pro', 'n', n)
     from generate_series(1, $2::integer) n`,
    [tenantId, events],
  );
  await client.query('vacuum analyze analytics_events, analytics_identity_map');
}

async function median(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function tell(what: string, ms: number): void {
  process.stdout.write(`${what.padEnd(44)} ${ms.toFixed(0).padStart(7)} ms\n`);
}

await using database = await openBenchDatabase();
const owner = new pg.Client(database.superuser);
await owner.connect();
const pool = openPool({ address: database.service, role: 'a2a_app', max: 2, log: () => {} });
try {
  await fill(owner);
  const store = postgresStore({ pool, offlineAfterSeconds: 60, idempotencyHours: 48 });
  const step = (n: number, where: FunnelStep['where'] = {}): FunnelStep => ({ name: null, event: `step-${n}`, where });
  const measure = (steps: readonly FunnelStep[]): Promise<unknown> => {
    const [from, to] = [Date.now() - 7 * 86_400_000, Date.now()].map((time) => new Date(time).toISOString());
    return store.within({ tenantId }, (rows) =>
      rows.funnels.measure({ steps, windowHours: 168, from: from ?? '', to: to ?? '' }),
    );
  };
  process.stdout.write(`${events} events, ${Math.ceil(events / 10)} visitors\n`);
  tell('a funnel of 3 steps', await median(() => measure([step(0), step(1), step(2)])));
  tell(
    'a funnel of 3 steps with a property each',
    await median(() => measure([0, 1, 2].map((n) => step(n, { plan: 'pro' })))),
  );
  tell('a funnel of 10 steps', await median(() => measure(Array.from({ length: 10 }, (_, n) => step(n)))));
  const since = new Date(Date.now() - 400 * 86_400_000).toISOString();
  const journey = { userId: 'user-1', since, touches: 2_001, conversions: 51 };
  tell('the journey of a user', await median(() => store.within({ tenantId }, (rows) => rows.people.journey(journey))));
  const deps = {
    store,
    makeId: uuid7Maker(() => Date.now(), randomBytes),
    now: () => Date.now(),
    ...testAnalyticsConfig,
    metrics: { eventReceived: () => {} },
  };
  const draft = (i: number): EventDraft => ({
    kind: 'track',
    event: 'recorded',
    anonymousId: `visitor-${i}`,
    userId: null,
    sessionId: 'session',
    messageId: randomBytes(12).toString('hex'),
    timestamp: null,
    page: { url: 'https://shop.example/', referrer: 'https://www.google.com/' },
    campaign: null,
    properties: { plan: 'pro' },
    value: null,
    currency: null,
  });
  const batch = (): Promise<unknown> =>
    recordEvents(
      deps,
      callerOf('editor', tenantId),
      Array.from({ length: 500 }, (_, i) => draft(i)),
    );
  tell('a batch of 500 with message ids', await median(batch));
} finally {
  await pool.end();
  await owner.end();
}
