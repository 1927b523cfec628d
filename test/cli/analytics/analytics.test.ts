// The commands of analytics, against a service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../../support/process/cli-io.ts';
import { openService, type TestService, type TestUser } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const run = (as: TestUser, ...args: string[]) =>
  command(['analytics', ...args, '--url', service.url], { env: { SWITCHYARD_TOKEN: service.token(as) } });

it('analytics funnel writes, lists, counts and deletes funnels [platform-5.2.24]', async () => {
  const written = await run(
    'admin',
    'funnel',
    'write',
    'sales',
    '--step',
    'seen',
    '--step',
    'paid',
    '--name',
    'Sales',
    '--window',
    '24',
  );
  expect(written.out).toMatch(/^ID +NAME +WINDOW +STEPS\nsales +Sales +24 h +seen > paid\n$/);
  expect((await run('operator', 'funnel', 'list')).out).toMatch(
    /\ndefault +From visit to payment +168 h +page_view > .*\nsales /,
  );
  for (const [user, events] of [
    ['u1', ['seen', 'paid']],
    ['u2', ['seen']],
  ] as const) {
    for (const event of events) await run('editor', 'track', event, '--user', user);
  }
  const shown = await run('admin', 'funnel', 'show', 'sales', '--days', '1');
  expect(shown.out).toContain('1 of 2 people, 50.0 %, half of them within 0 s\n');
  expect(shown.out).toMatch(/\nseen +2 +100\.0 % +100\.0 % +0 +█{30}\npaid +1 +50\.0 % +50\.0 % +1 +█{15}\n$/);
  expect((await run('admin', 'funnel', 'show')).out).toContain('0 of 0 people, -\n');
  expect((await run('operator', 'funnel', 'show', 'sales')).code).toBe(4);
  expect((await run('admin', 'funnel', 'show', 'none')).code).toBe(5);
  expect((await run('admin', 'funnel', 'delete', 'sales')).out).toBe('deleted sales  Sales\n');
});

it('analytics track, attribution and erase go the way of one user [platform-5.2.24]', async () => {
  const once = await run(
    'editor',
    'track',
    'paid',
    '--user',
    'ada',
    '--value',
    '12.5',
    '--currency',
    'EUR',
    '--message-id',
    'm1',
  );
  expect(once.out).toMatch(/^[0-9a-f-]{36}\n$/);
  const again = await run('editor', 'track', 'paid', '--user', 'ada', '--message-id', 'm1');
  expect(again.out).toBe(`${once.out.trim()}  (duplicate)\n`);
  const batch = [
    { type: 'page', anonymous_id: 'v', campaign: { source: 'news', medium: 'cpc', name: 'spring' } },
    { type: 'page', anonymous_id: 'v', campaign: { source: 'email' } },
    { type: 'identify', anonymous_id: 'v', user_id: 'ada' },
    { type: 'track', event: 'paid', user_id: 'ada', value: 3 },
  ];
  await service.call('POST', '/v1/analytics/batch', { as: 'editor', body: { batch } });
  const shown = await run('operator', 'attribution', 'ada');
  expect(shown.out).toMatch(
    /^ada {2}\(visitors: 1\)\nTOUCH +CHANNEL +SOURCE +CAMPAIGN +REFERRER\n\S+ +paid +news +spring +-\n\S+ +email +email +- +-\n/,
  );
  expect(shown.out).toMatch(
    /\nCONVERSION +EVENT +VALUE +LAST NON-DIRECT +LINEAR\n\S+ +paid +12\.5 EUR +- +-\n\S+ +paid +3 +email +paid 50 %, email 50 %\n$/,
  );
  const decay = await run('operator', 'attribution', 'ada', '--model', 'time_decay', '--json');
  expect(JSON.parse(decay.out)).toMatchObject({ user_id: 'ada', touches: { length: 2 } });
  const unsure = await run('admin', 'erase', 'ada');
  expect([unsure.code, unsure.err]).toEqual([2, expect.stringContaining('--yes')]);
  expect((await run('admin', 'erase', 'ada', '--yes')).out).toBe('erased 5 events and 1 links of ada\n');
  expect((await run('operator', 'attribution', 'ada')).code).toBe(5);
});
