// Sixty automation calls a minute for each credential, over the whole service, and what every answer says of them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openService, type CallOptions, type TestService, type ApiReply } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());
// Every test has windows of its own, because the service starts without any.
beforeEach(async () => {
  await service.db.query(`update call_windows set started_ms = started_ms - 61000`);
  await service.restart();
});

const me = '/v1/automation/me';

function callOnce(options: CallOptions = {}, on = service, path = me): Promise<ApiReply> {
  return on.call('GET', path, { as: 'viewer', ...options });
}

async function passed(calls: number, options: CallOptions = {}, on = service): Promise<number> {
  const replies = await Promise.all(Array.from({ length: calls }, () => callOnce(options, on)));
  return replies.filter(({ status }) => status === 200).length;
}

describe('the limit of automation calls', () => {
  it('accepts the sixtieth call of a minute and rejects the sixty-first with 429 and Retry-After [core-7.6, core-8.1, core-8.2, core-8.2.2, choices-9.11]', async () => {
    for (let n = 1; n <= 60; n++) {
      const { status, headers } = await callOnce();
      expect([n, status, headers.get('x-ratelimit-remaining')]).toEqual([n, 200, String(60 - n)]);
      expect(headers.get('x-ratelimit-limit')).toBe('60');
      expect(headers.get('retry-after')).toBeNull();
    }
    const sentAt = Date.now() / 1000;
    const refused = await callOnce();
    const answeredAt = Date.now() / 1000;
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', status: 429 } });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    expect(reset - wait).toBeGreaterThan(sentAt - 3);
    expect(reset - wait).toBeLessThan(answeredAt + 3);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-policy')).toBe('"credential";q=60;w=60');
    expect(refused.headers.get('ratelimit')).toBe(`"credential";r=0;t=${wait}`);
  });

  it('is reported in the headers of every answer, errors included [core-8.2]', async () => {
    const id = '01890000-0000-7000-8000-000000000000';
    const answers = [
      await service.call('POST', '/v1/automation/tasks', { as: 'viewer', body: { title: 't', description: 'd' } }),
      await service.call('POST', '/v1/automation/tasks', { as: 'editor', body: {} }),
      await service.call('POST', '/v1/automation/tasks', { as: 'editor', raw: '{' }),
      await service.call('POST', '/v1/automation/tasks', { as: 'editor', raw: 'x'.repeat(1024 * 1024 + 1) }),
      await service.call('POST', '/v1/automation/tasks', {
        as: 'editor',
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      await service.call('GET', `/v1/automation/tasks/${id}`, { as: 'editor' }),
      await service.call('DELETE', '/v1/automation/tasks/x', { as: 'editor' }),
      await service.call('GET', '/v1/automation/tasks', { as: 'editor' }),
      await service.call('POST', '/v1/automation/tasks', { as: 'editor', body: { title: 't', description: 'd' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 400, 400, 413, 415, 404, 404, 200, 201]);
    const left = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(['59', '59', '58', '57', '56', '55', '54', '53', '52']);
    for (const { headers } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe('60');
      expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
    }
    // An anonymous caller has no calls to count.
    expect((await callOnce({ token: 'wrong' })).headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('covers all routes of automation and no others [choices-9.11]', async () => {
    expect(await passed(59)).toBe(59);
    expect((await callOnce({}, service, '/v1/automation/tasks')).status).toBe(200);
    expect((await callOnce({}, service, '/v1/automation/tasks?limit=1')).status).toBe(429);
    expect((await callOnce({}, service, '/v1/agent/tasks')).status).toBe(200);
    expect((await callOnce({ as: 'editor' })).status).toBe(200);
  });

  it('counts calls to unknown paths and methods of automation, and reports them [core-8.2, choices-9.11]', async () => {
    const text = { 'content-type': 'text/plain' };
    const answers = [
      await callOnce({}, service, '/v1/automation/nothing'),
      await callOnce({}, service, '/v1/automation'),
      await callOnce({}, service, '/V1/Automation/me'),
      await service.call('PUT', '/v1/automation/tasks', { as: 'viewer', body: {} }),
      await service.call('POST', '/v1/automation/nothing', { as: 'viewer', raw: 'x', headers: text }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'no_such_route']));
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['59', '58', '57', '56', '55']);
    expect(await passed(55)).toBe(55);
    const refused = await callOnce({}, service, '/v1/automation/nothing');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    // Nobody is counted, and no other family.
    const nobody = await callOnce({ token: null }, service, '/v1/automation/nothing');
    expect([nobody.status, nobody.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const elsewhere = await callOnce({}, service, '/v1/automations');
    expect([elsewhere.status, elsewhere.headers.get('x-ratelimit-limit')]).toEqual([404, null]);
  });

  it('cannot be evaded by case, spaces, slashes or forwarded addresses', async () => {
    expect(await passed(60)).toBe(60);
    const token = service.token('viewer');
    const dodges: [path: string, headers: Record<string, string>][] = [
      [me, { authorization: `bearer ${token}` }],
      [me, { authorization: `BEARER ${token}  ` }],
      [`${me}/`, {}],
      [`${me}?`, {}],
      [me, { 'x-forwarded-for': '10.1.2.3' }],
      [me, { forwarded: 'for=10.1.2.4', 'x-real-ip': '10.1.2.5' }],
    ];
    for (const [path, headers] of dodges) {
      expect([path, headers, (await callOnce({ headers }, service, path)).status]).toEqual([path, headers, 429]);
    }
    for (const path of ['/V1/automation/me', '/v1/Automation/me', '/v1//automation/me', '/v1/automation/%6de']) {
      expect([path, [404, 429].includes((await callOnce({}, service, path)).status)]).toEqual([path, true]);
    }
  });

  it('is shared by two replicas and survives the restart of one [choices-9.11]', async () => {
    await using replica = await openService({ db: service.db });
    expect(await passed(20)).toBe(20);
    expect(await passed(15, {}, replica)).toBe(15);
    await service.restart();
    expect(await passed(14)).toBe(14);
    expect(await passed(10, {}, replica)).toBe(10);
    const edge = [await callOnce(), await callOnce({}, replica), await callOnce()];
    expect(edge.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')])).toEqual([
      [200, '0'],
      [429, '0'],
      [429, '0'],
    ]);
  });

  it('accepts exactly sixty of many concurrent calls to two replicas', async () => {
    await using replica = await openService({ db: service.db });
    const counts = await Promise.all([passed(50), passed(50, {}, replica)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
  });

  it('starts again after its minute, by the clock of the database [choices-9.12]', async () => {
    expect(await passed(61)).toBe(60);
    await service.db.query(`update call_windows set started_ms = started_ms - 61000`);
    await service.restart();
    expect((await callOnce()).headers.get('x-ratelimit-remaining')).toBe('59');
  });
});
