// Events of analytics over HTTP: how they are recorded, once for each message, and what is refused.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let here: TestService;
beforeAll(async () => {
  here = await openService();
});
afterAll(() => here[Symbol.asyncDispose]());

const send = (call: string, body: unknown, as: TestUser = 'editor'): Promise<ApiReply> =>
  here.call('POST', `/v1/analytics/${call}`, { as, body });
const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const rowsOf = (condition: string, value: string) =>
  here.db.query(`select * from analytics_events where ${condition} = $1 order by at, event_id`, [value]);

describe('an event', () => {
  it('is stored with all that was sent, and answered with its id [platform-5.2.1, platform-5.1.1, choices-10.9]', async () => {
    const visitor = randomUUID();
    const { status, body } = await send('track', {
      event: 'paid',
      anonymous_id: visitor,
      user_id: 'ada@example.com',
      session_id: 'session 1',
      message_id: randomUUID(),
      timestamp: '2026-01-02T03:04:05.678+01:00',
      page: { url: 'https://shop.example/pay', path: '/pay', title: 'Pay', referrer: 'https://news.example/' },
      campaign: { source: 'newsletter', medium: 'email', name: 'spring', term: 't', content: 'c', click_id: '' },
      properties: { plan: 'pro', places: 3 },
      value: 12.3456,
      currency: 'EUR',
    });
    if (status === 400) throw new Error(JSON.stringify(body));
    expect([status, body]).toEqual([201, { event_id: expect.any(String), duplicate: false }]);
    const [row] = await rowsOf('anonymous_id', visitor);
    expect(row).toMatchObject({
      tenant_id: 'default',
      event_id: body.event_id,
      received_at: expect.any(Date),
      at: new Date('2026-01-02T02:04:05.678Z'),
      kind: 'track',
      event: 'paid',
      user_id: 'ada@example.com',
      session_id: 'session 1',
      page: { url: 'https://shop.example/pay', path: '/pay', title: 'Pay', referrer: 'https://news.example/' },
      campaign: { source: 'newsletter', medium: 'email', name: 'spring', term: 't', content: 'c', click_id: '' },
      channel: 'email',
      properties: { plan: 'pro', places: 3 },
      value: '12.3456',
      currency: 'EUR',
    });
  });

  it('of a page is page_view, with its name among the properties [platform-5.2.4]', async () => {
    const visitor = randomUUID();
    const { status } = await send('page', { anonymous_id: visitor, name: 'Pricing', properties: { theme: 'dark' } });
    expect(status).toBe(201);
    expect(await rowsOf('anonymous_id', visitor)).toMatchObject([
      { kind: 'page', event: 'page_view', properties: { name: 'Pricing', theme: 'dark' }, channel: null },
    ]);
  });

  it('that identifies answers whom, and links a visitor if it names one [platform-5.2.5]', async () => {
    const visitor = randomUUID();
    const linked = await send('identify', { user_id: 'ada', anonymous_id: visitor, traits: { plan: 'pro' } });
    expect([linked.status, linked.body]).toEqual([
      201,
      { event_id: expect.any(String), user_id: 'ada', anonymous_id: visitor, linked: true, duplicate: false },
    ]);
    expect(await rowsOf('anonymous_id', visitor)).toMatchObject([{ kind: 'identify', properties: { plan: 'pro' } }]);
    const alone = await send('identify', { user_id: 'ada' });
    expect(alone.body).toMatchObject({ anonymous_id: null, linked: false });
  });

  it('of the future counts as now when it is more than an hour ahead [platform-5.2.7]', async () => {
    const visitor = randomUUID();
    const [near, far] = [hoursFromNow(0.9), hoursFromNow(1.1)];
    await send('track', { event: 'near', anonymous_id: visitor, timestamp: near });
    await send('track', { event: 'far', anonymous_id: visitor, timestamp: far });
    const rows = await rowsOf('anonymous_id', visitor);
    expect(rows.map((row) => row['event'])).toEqual(['far', 'near']);
    expect(rows[1]?.['at']).toEqual(new Date(near));
    expect(Number(rows[0]?.['at'])).toBeLessThan(Date.now() + 60_000);
  });

  it('older than the retention is too_old, and nothing is stored [platform-5.2.8, platform-5.1.4]', async () => {
    const visitor = randomUUID();
    const young = await send('track', { event: 'e', anonymous_id: visitor, timestamp: hoursFromNow(-399 * 24) });
    expect(young.status).toBe(201);
    const old = await send('track', { event: 'e', anonymous_id: visitor, timestamp: hoursFromNow(-401 * 24) });
    expect([old.status, old.body.code]).toEqual([400, 'too_old']);
    expect(await rowsOf('anonymous_id', visitor)).toHaveLength(1);
  });

  it.each([
    ['nobody', { event: 'e' }, '/user_id'],
    ['an empty visitor', { event: 'e', anonymous_id: '' }, '/anonymous_id'],
    ['a long user', { event: 'e', user_id: 'u'.repeat(201) }, '/user_id'],
    ['no name', { user_id: 'u' }, '/event'],
    ['a long name', { event: 'e'.repeat(201), user_id: 'u' }, '/event'],
    ['a currency without a value', { event: 'e', user_id: 'u', currency: 'EUR' }, '/currency'],
    ['a currency that is none', { event: 'e', user_id: 'u', value: 1, currency: 'EUX' }, '/currency'],
    ['a currency in lower case', { event: 'e', user_id: 'u', value: 1, currency: 'eur' }, '/currency'],
    ['a value beyond all money', { event: 'e', user_id: 'u', value: 1e12 }, '/value'],
    ['large properties', { event: 'e', user_id: 'u', properties: { x: 'y'.repeat(16_384) } }, '/properties'],
    ['properties that are a list', { event: 'e', user_id: 'u', properties: [] }, '/properties'],
    ['a time that is none', { event: 'e', user_id: 'u', timestamp: 'yesterday' }, '/timestamp'],
    ['a field that is none', { event: 'e', user_id: 'u', plan: 'pro' }, '/plan'],
  ])('with %s is refused by name [platform-5.2.9]', async (_, body, path) => {
    const reply = await send('track', body);
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.path]).toEqual([400, 'invalid_request', path]);
  });
});

describe('a message id', () => {
  it('that comes again is answered with its first event, whatever is sent with it [platform-5.2.2]', async () => {
    const [visitor, message_id] = [randomUUID(), randomUUID()];
    const first = await send('track', { event: 'first', anonymous_id: visitor, message_id });
    const again = await send('track', { event: 'other', anonymous_id: visitor, message_id });
    expect([again.status, again.body]).toEqual([200, { event_id: first.body.event_id, duplicate: true }]);
    const page = await send('page', { anonymous_id: visitor, message_id });
    expect([page.status, page.body.duplicate]).toEqual([200, true]);
    const user = await send('identify', { user_id: `of ${visitor}`, anonymous_id: visitor, message_id });
    expect([user.status, user.body.event_id]).toEqual([200, first.body.event_id]);
    expect(await rowsOf('anonymous_id', visitor)).toMatchObject([{ event: 'first' }]);
    // A repeated identification links nobody.
    expect(await here.db.query('select from analytics_identity_map where anonymous_id = $1', [visitor])).toEqual([]);
  });

  it('is another tenant’s own', async () => {
    const message_id = randomUUID();
    const ours = await send('track', { event: 'e', user_id: 'u', message_id });
    const theirs = await send('track', { event: 'e', user_id: 'u', message_id }, 'other');
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.event_id).not.toBe(ours.body.event_id);
  });

  it('that twenty calls bring at once makes one event [platform-5.2.3]', async () => {
    const [visitor, message_id] = [randomUUID(), randomUUID()];
    const calls = Array.from({ length: 20 }, () => send('track', { event: 'e', anonymous_id: visitor, message_id }));
    const replies = await Promise.all(calls);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.event_id)).size).toBe(1);
    expect(await rowsOf('anonymous_id', visitor)).toHaveLength(1);
  });

  it('is the same in batches that come at once, in any order [platform-5.2.3]', async () => {
    const visitor = randomUUID();
    const items = Array.from({ length: 30 }, () => ({
      type: 'track',
      event: 'e',
      anonymous_id: visitor,
      message_id: randomUUID(),
    }));
    const orders = [items, items.toReversed(), items.toSorted(() => 0.5 - Math.random()), items];
    const replies = await Promise.all(orders.map((batch) => send('batch', { batch })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const fresh = replies.flatMap(({ body }) =>
      body.results.filter((result: { duplicate: boolean }) => !result.duplicate),
    );
    expect(fresh).toHaveLength(30);
    expect(await rowsOf('anonymous_id', visitor)).toHaveLength(30);
  });

  it('is forgotten after 48 hours [platform-5.1.2, platform-5.2.2]', async () => {
    const [visitor, message_id] = [randomUUID(), randomUUID()];
    const at = (hours: number) =>
      here.db.query(
        `update analytics_messages set received_at = clock_timestamp() - make_interval(secs => $2::float8 * 3600) where message_id = $1`,
        [message_id, hours],
      );
    await send('track', { event: 'e', anonymous_id: visitor, message_id });
    await at(47.9);
    expect((await send('track', { event: 'e', anonymous_id: visitor, message_id })).body.duplicate).toBe(true);
    await at(48.1);
    const late = await send('track', { event: 'e', anonymous_id: visitor, message_id });
    expect([late.status, late.body.duplicate]).toEqual([201, false]);
    expect((await send('track', { event: 'e', anonymous_id: visitor, message_id })).body.event_id).toBe(
      late.body.event_id,
    );
    expect(await rowsOf('anonymous_id', visitor)).toHaveLength(2);
  });
});

describe('a batch', () => {
  it('of 500 with bad ones stores the good ones, in order, and leaves one audit entry [platform-5.2.6, platform-10.31]', async () => {
    const [visitor, twice] = [randomUUID(), randomUUID()];
    const bad: Record<number, [item: unknown, code: string]> = {
      0: [{ type: 'track', anonymous_id: visitor }, 'invalid_request'],
      7: ['no object', 'invalid_request'],
      8: [null, 'invalid_request'],
      9: [{ type: 'other', event: 'e', anonymous_id: visitor }, 'invalid_request'],
      100: [{ type: 'track', event: 'e', anonymous_id: visitor, timestamp: '2001-01-01T00:00:00Z' }, 'too_old'],
      499: [{ type: 'identify', anonymous_id: visitor }, 'invalid_request'],
    };
    const batch = Array.from({ length: 500 }, (_, i) => {
      if (bad[i] !== undefined) return bad[i][0];
      if (i === 20) return { type: 'identify', anonymous_id: visitor, user_id: 'u500' };
      if (i === 30 || i === 31) return { type: 'page', anonymous_id: visitor, message_id: twice };
      return { type: 'track', event: `event ${i}`, anonymous_id: visitor };
    });
    const { status, body } = await send('batch', { batch }, 'editor2');
    expect(status).toBe(200);
    expect(body.results).toHaveLength(500);
    for (const [i, result] of body.results.entries()) {
      const expected =
        bad[i] === undefined
          ? { event_id: expect.any(String), duplicate: i === 31 }
          : { error: { code: bad[i][1], message: expect.any(String) } };
      expect([i, result]).toEqual([i, expected]);
    }
    expect(body.results[31].event_id).toBe(body.results[30].event_id);
    const rows = await rowsOf('anonymous_id', visitor);
    expect(rows).toHaveLength(500 - 6 - 1);
    expect(rows.find((row) => row['event_id'] === body.results[1].event_id)).toMatchObject({ event: 'event 1' });
    // The only thing that this credential has done here.
    const entries = await until('the audit entry', async () => {
      const query = { actor: 'token:editor2', limit: 200 };
      const { events } = (await here.call('POST', '/v1/audit/query', { as: 'admin', body: query })).body;
      return events.length > 0 && events;
    });
    expect(entries).toMatchObject([{ action: 'analytics.batch', outcome: 'success' }]);
  });

  it('of none or more than 500 is refused [platform-10.32]', async () => {
    const item = { type: 'track', event: 'e', user_id: 'u' };
    expect((await send('batch', { batch: [] })).status).toBe(400);
    expect((await send('batch', { batch: Array.from({ length: 501 }, () => item) })).status).toBe(400);
    expect((await send('batch', { batch: Array.from({ length: 500 }, () => item) })).status).toBe(200);
  });

  it('may be larger than other bodies: 500 events with properties of 10 KiB', async () => {
    const properties = { text: 'x'.repeat(10_000) };
    const batch = Array.from({ length: 500 }, () => ({ type: 'track', event: 'large', user_id: 'u', properties }));
    const { status, body } = await send('batch', { batch });
    expect([status, body.results?.length]).toEqual([200, 500]);
  });
});

it('events are counted by kind and outcome', async () => {
  const text = String((await here.call('GET', '/metrics')).body);
  for (const line of [
    'kind="track",outcome="stored"',
    'kind="track",outcome="duplicate"',
    'kind="track",outcome="refused"',
  ]) {
    expect(text).toMatch(new RegExp(`switchyard_analytics_events_total\\{${line}\\} [1-9]`));
  }
});
