// Funnels, attribution and erasing over HTTP: shapes, errors, who may, and what stays apart.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type ApiReply, type TestService, type TestUser } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

let here: TestService;
beforeAll(async () => {
  here = await openService();
});
afterAll(() => here[Symbol.asyncDispose]());

const base = '/v1/analytics';
const get = (path: string, as: TestUser = 'admin'): Promise<ApiReply> => here.call('GET', `${base}/${path}`, { as });
const put = (id: string, body: unknown, as: TestUser = 'admin'): Promise<ApiReply> =>
  here.call('PUT', `${base}/funnels/${id}`, { as, body });
const remove = (path: string, as: TestUser = 'admin'): Promise<ApiReply> =>
  here.call('DELETE', `${base}/${path}`, { as });
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

interface Sent {
  readonly event_id: string;
}
async function sendAll(batch: readonly Record<string, unknown>[], as: TestUser = 'editor'): Promise<Sent[]> {
  const { status, body } = await here.call('POST', `${base}/batch`, { as, body: { batch } });
  expect(status).toBe(200);
  for (const result of body.results) expect(result).toMatchObject({ duplicate: false });
  return body.results;
}

const defaultSteps = [
  'page_view',
  'signup_started',
  'signup_completed',
  'workspace_created',
  'trial_started',
  'first_success',
  'paid',
];

describe('a funnel', () => {
  it('is built in from the start, with seven steps [platform-5.2.20]', async () => {
    const { body } = await get('funnels');
    expect(body.funnels[0]).toEqual({
      funnel_id: 'default',
      name: 'From visit to payment',
      steps: defaultSteps.map((event) => ({ event })),
      window_hours: 168,
      built_in: true,
      created_by: null,
      created_at: null,
      updated_at: null,
    });
    expect(await remove('funnels/default')).toMatchObject({ status: 409, body: { code: 'built_in_funnel' } });
  });

  it('is written, replaced and deleted; the built-in one comes back [platform-5.2.20]', async () => {
    const steps = [
      { name: 'Saw it', event: 'page_view', where: { plan: 'pro', n: 1, yes: true, none: null } },
      { event: 'paid' },
    ];
    const first = await put('sales.2', { name: 'Sales', steps, window_hours: 24 });
    expect(first).toMatchObject({
      status: 200,
      body: {
        funnel: {
          funnel_id: 'sales.2',
          name: 'Sales',
          steps,
          window_hours: 24,
          built_in: false,
          created_by: 'token:admin',
        },
      },
    });
    const second = await put('sales.2', { name: 'Sales again', steps: [{ event: 'paid' }] });
    expect(second.body.funnel).toMatchObject({
      name: 'Sales again',
      window_hours: 168,
      created_at: first.body.funnel.created_at,
    });
    expect((await get('funnels')).body.funnels.map((one: { funnel_id: string }) => one.funnel_id)).toEqual([
      'default',
      'sales.2',
    ]);
    expect((await remove('funnels/sales.2')).body.funnel.name).toBe('Sales again');
    expect(await remove('funnels/sales.2')).toMatchObject({ status: 404, body: { code: 'funnel_not_found' } });
    await put('default', { name: 'Ours', steps: [{ event: 'paid' }] });
    expect((await get('funnels')).body.funnels).toMatchObject([{ name: 'Ours', built_in: false }]);
    await remove('funnels/default');
    expect((await get('funnels')).body.funnels).toMatchObject([{ built_in: true }]);
  });

  it.each([
    ['no step', { name: 'f', steps: [] }, '/steps'],
    ['eleven steps', { name: 'f', steps: Array.from({ length: 11 }, () => ({ event: 'e' })) }, '/steps'],
    ['a window of none', { name: 'f', steps: [{ event: 'e' }], window_hours: 0 }, '/window_hours'],
    ['a window of more than 90 days', { name: 'f', steps: [{ event: 'e' }], window_hours: 2161 }, '/window_hours'],
    ['a property that is no scalar', { name: 'f', steps: [{ event: 'e', where: { a: [1] } }] }, '/steps/0/where/a'],
  ])('with %s is refused', async (_, body, path) => {
    const reply = await put('bad', body);
    expect([reply.status, reply.body.errors[0].path]).toEqual([400, path]);
  });

  it('counts people by step, with rates of four decimals, dropped ones and the median [platform-5.2.21, platform-5.2.22, core-4.10.2, choices-10.10]', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name} ${randomUUID()}`);
    await put('seen', {
      name: 'Seen to bought',
      steps: [{ name: 'Saw', event: a }, { event: b, where: { plan: 'pro' } }, { event: c }],
    });
    const plan = { properties: { plan: 'pro' } };
    const began = Date.now() - 86_400_000;
    const after = (hours: number): string => new Date(began + hours * 3_600_000).toISOString();
    const person = (user: string, ...events: (string | undefined)[]) =>
      events.map((event, i) => ({ type: 'track', event, user_id: user, timestamp: after(i), ...plan }));
    await sendAll([
      ...person('u1', a, b, c),
      ...person('u2', a, b),
      ...person('u3', a),
      { type: 'track', event: a, user_id: 'old', timestamp: daysAgo(8) },
    ]);
    const { status, body } = await get('funnel?funnel_id=seen&days=7');
    expect([status, body]).toEqual([
      200,
      {
        funnel_id: 'seen',
        funnel_name: 'Seen to bought',
        date_range_start: expect.any(String),
        date_range_end: expect.any(String),
        window_hours: 168,
        total_entered: 3,
        total_converted: 1,
        overall_conversion_rate: 0.3333,
        median_seconds_to_convert: 7200,
        steps: [
          { step_name: 'Saw', event_type: a, count: 3, conversion_rate: 1, overall_rate: 1, dropped: 0 },
          { step_name: b, event_type: b, count: 2, conversion_rate: 0.6667, overall_rate: 0.6667, dropped: 1 },
          { step_name: c, event_type: c, count: 1, conversion_rate: 0.5, overall_rate: 0.3333, dropped: 1 },
        ],
      },
    ]);
    expect(Date.parse(body.date_range_end) - Date.parse(body.date_range_start)).toBe(7 * 86_400_000);
    expect((await get('funnel?funnel_id=seen&days=9')).body.total_entered).toBe(4);
    await put('nobody', { name: 'Nobody', steps: [{ event: randomUUID() }, { event: 'paid' }] });
    expect((await get('funnel?funnel_id=nobody')).body).toMatchObject({
      total_entered: 0,
      overall_conversion_rate: null,
      median_seconds_to_convert: null,
      steps: [
        { conversion_rate: null, overall_rate: null, dropped: 0 },
        { conversion_rate: null, dropped: 0 },
      ],
    });
    expect((await get('funnel')).body).toMatchObject({ funnel_id: 'default', steps: { length: 7 } });
    expect(await get('funnel?funnel_id=none')).toMatchObject({ status: 404, body: { code: 'funnel_not_found' } });
    for (const days of [0, 366, 'x']) expect((await get(`funnel?days=${days}`)).status).toBe(400);
  });
});

describe('an attribution', () => {
  it('returns touches, first and last, and the credits of each conversion [platform-5.2.23, platform-5.3.8, platform-5.3.9, choices-10.10]', async () => {
    const [user, visitor] = [`user ${randomUUID()}`, randomUUID()];
    const page = (days: number, more: Record<string, unknown>) => ({
      type: 'page',
      anonymous_id: visitor,
      timestamp: daysAgo(days),
      ...more,
    });
    const sent = await sendAll([
      page(20, { campaign: { source: 'news', medium: 'cpc', name: 'spring' } }),
      page(10, { page: { url: 'https://us.example/', referrer: 'https://www.google.com/' } }),
      page(1, {}),
      { type: 'identify', anonymous_id: visitor, user_id: user },
      { type: 'track', event: 'paid', user_id: user, value: 100, currency: 'EUR' },
      { type: 'track', event: 'spoke', user_id: user, properties: { conversion: true } },
    ]);
    const [paid, organic, direct, , bought, spoke] = sent.map(({ event_id }) => event_id);
    const touches = [
      {
        event_id: paid,
        at: expect.any(String),
        channel: 'paid',
        source: 'news',
        medium: 'cpc',
        campaign: 'spring',
        referrer: null,
      },
      {
        event_id: organic,
        at: expect.any(String),
        channel: 'organic',
        source: null,
        medium: null,
        campaign: null,
        referrer: 'https://www.google.com/',
      },
      {
        event_id: direct,
        at: expect.any(String),
        channel: 'direct',
        source: null,
        medium: null,
        campaign: null,
        referrer: null,
      },
    ];
    const of = (values: (number | null)[], credits: number[]) =>
      touches.map(({ event_id, channel }, i) => ({ event_id, channel, credit: credits[i], value: values[i] }));
    const { status, body } = await get(`attribution/${encodeURIComponent(user)}`, 'operator');
    expect([status, body]).toEqual([
      200,
      {
        user_id: user,
        anonymous_ids: [visitor],
        touches,
        first_touch: touches[0],
        last_touch: touches[2],
        conversions: [
          {
            event_id: bought,
            event: 'paid',
            at: expect.any(String),
            value: 100,
            currency: 'EUR',
            first_touch: touches[0],
            last_touch: touches[2],
            last_non_direct: touches[1],
            credits: {
              linear: of([33.34, 33.33, 33.33], [0.333_334, 0.333_333, 0.333_333]),
              position: of([40, 20, 40], [0.4, 0.2, 0.4]),
              time_decay: expect.any(Array),
            },
          },
          expect.objectContaining({ event_id: spoke, event: 'spoke', value: null, currency: null }),
        ],
        partial: false,
      },
    ]);
    const decay = body.conversions[0].credits.time_decay;
    expect(decay[2].credit / decay[1].credit).toBeCloseTo(2 ** (9 / 7), 3);
    expect(decay.reduce((sum: number, { value }: { value: number }) => sum + Math.round(value * 100), 0)).toBe(10_000);
    const near = await get(`attribution/${encodeURIComponent(user)}?lookback_days=15`, 'operator');
    expect(near.body.conversions[0].credits.linear).toHaveLength(2);
    const newest = await get(`attribution/${encodeURIComponent(user)}?limit=1`, 'operator');
    expect(newest.body).toMatchObject({
      partial: true,
      touches: [{ event_id: direct }],
      conversions: [{ event_id: spoke }],
    });
    // The first touch and the credits are those of the whole journey.
    expect(newest.body.first_touch.event_id).toBe(paid);
    expect(newest.body.conversions[0].credits.linear).toHaveLength(3);
  });

  it('of an unknown user, of a mere visitor, and of another tenant’s user is 404 [platform-5.2.23]', async () => {
    const visitor = randomUUID();
    await sendAll([{ type: 'page', anonymous_id: visitor }]);
    await sendAll([{ type: 'identify', user_id: 'their user', anonymous_id: 'their visitor' }], 'other');
    for (const id of ['nobody', visitor, 'their%20user']) {
      expect(await get(`attribution/${id}`, 'operator')).toMatchObject({
        status: 404,
        body: { code: 'person_not_found' },
      });
    }
    expect((await get('attribution/their%20user', 'other')).status).toBe(200);
    expect((await get('attribution/nobody?lookback_days=366', 'operator')).status).toBe(400);
  });
});

describe('erasing a user', () => {
  it('leaves nothing of it, and the audit says that somebody was erased, not who [platform-10.33]', async () => {
    const [user, visitor] = [`${randomUUID()}@example.com`, randomUUID()];
    await sendAll([
      { type: 'page', anonymous_id: visitor },
      { type: 'identify', anonymous_id: visitor, user_id: user },
      { type: 'track', event: 'paid', user_id: user, value: 1 },
    ]);
    const path = `users/${encodeURIComponent(user)}`;
    expect(await remove(path)).toMatchObject({ status: 200, body: { user_id: user, events: 3, links: 1 } });
    expect((await get(`attribution/${user}`)).status).toBe(404);
    expect((await remove(path)).status).toBe(404);
    for (const table of ['analytics_events', 'analytics_identity_map']) {
      expect(
        await here.db.query(
          `select from ${table} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
          [user, visitor],
        ),
      ).toEqual([]);
    }
    const entry = await until('the audit entry', async () => {
      const query = { action: 'analytics.erase', limit: 10 };
      const { events } = (await here.call('POST', '/v1/audit/query', { as: 'admin', body: query })).body;
      return events[0];
    });
    expect(entry).toMatchObject({ resource: '/v1/analytics/users/:user_id' });
    expect(
      JSON.stringify((await here.call('POST', '/v1/audit/query', { as: 'admin', body: { limit: 200 } })).body),
    ).not.toContain(user);
  });

  it('does not let a repeated call bring an event back', async () => {
    const [user, message_id] = [randomUUID(), randomUUID()];
    const event = { type: 'track', event: 'paid', user_id: user, message_id };
    await sendAll([event]);
    await remove(`users/${user}`);
    const again = await here.call('POST', `${base}/batch`, { as: 'editor', body: { batch: [event] } });
    expect(again.body.results).toMatchObject([{ duplicate: true }]);
    expect((await get(`attribution/${user}`)).status).toBe(404);
  });
});

it('each call has its permission: editors record, operators read, admins count and erase [platform-5.2.10, core-5.5.6, choices-4.27]', async () => {
  const calls: [method: string, path: string, body: unknown][] = [
    ['POST', 'track', { event: 'e', user_id: 'allowed' }],
    ['GET', 'funnels', undefined],
    ['GET', 'attribution/allowed', undefined],
    ['GET', 'funnel', undefined],
    ['PUT', 'funnels/allowed', { name: 'f', steps: [{ event: 'e' }] }],
    ['DELETE', 'funnels/allowed', undefined],
    ['DELETE', 'users/allowed', undefined],
  ];
  const allowed = async (as: TestUser): Promise<boolean[]> => {
    const found: boolean[] = [];
    for (const [method, path, body] of calls)
      found.push((await here.call(method, `${base}/${path}`, { as, body })).status < 300);
    return found;
  };
  expect(await allowed('viewer')).toEqual(calls.map(() => false));
  expect(await allowed('agent')).toEqual(calls.map((_, i) => i === 0));
  expect(await allowed('editor')).toEqual(calls.map((_, i) => i === 0));
  expect(await allowed('operator')).toEqual(calls.map((_, i) => i <= 2));
  expect(await allowed('admin')).toEqual(calls.map(() => true));
});

it('the loop partitions is in the status of the background loops [platform-7.3.6]', async () => {
  const { loops } = (await here.call('GET', '/v1/cognition/status')).body;
  expect(loops.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['partitions', 'analytics_retention']),
  );
});
