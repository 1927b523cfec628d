// Analytics over HTTP and the command line: events of visitors and users, a funnel, an attribution, a person erased.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { walks } from '../support/walk.ts';

walks('analytics', { on: ['replicas'] }, (walk) => {
  walk(
    ['analytics-funnel', 'analytics-erase'],
    'visitors come by a campaign, sign up and pay: the funnel and the attribution tell it, until one is erased',
    async (on) => {
      const [seen, paid] = [`seen ${randomUUID()}`, `paid ${randomUUID()}`];
      const [ada, bob] = [`ada ${randomUUID()}`, `bob ${randomUUID()}`];
      const event = (visitor: string, more: Record<string, unknown>) => ({ anonymous_id: visitor, ...more });
      for (const visitor of [`${ada} visitor`, `${bob} visitor`]) {
        const page = event(visitor, { message_id: `page ${visitor}`, campaign: { source: 'news', medium: 'cpc' } });
        const first = await on.must(201, 'POST', '/v1/analytics/page', { body: page });
        // The same call by way of the other replica.
        expect(await on.must(200, 'POST', '/v1/analytics/page', { body: page })).toEqual({
          event_id: first.event_id,
          duplicate: true,
        });
        await on.must(201, 'POST', '/v1/analytics/track', { body: event(visitor, { event: seen }) });
      }
      const batch = [
        { type: 'identify', anonymous_id: `${ada} visitor`, user_id: ada },
        { type: 'track', event: paid, user_id: ada, value: 49, currency: 'EUR' },
        { type: 'track', user_id: ada },
      ];
      const { results } = await on.must(200, 'POST', '/v1/analytics/batch', { body: { batch } });
      expect(results.map((result: Record<string, unknown>) => 'error' in result)).toEqual([false, false, true]);

      const funnel = `walk-${randomUUID()}`;
      const written = await on.cli('admin', 'analytics', 'funnel', 'write', funnel, '--step', seen, '--step', paid);
      expect([written.code, written.err]).toEqual([0, '']);
      const report = await on.must(200, 'GET', `/v1/analytics/funnel?funnel_id=${funnel}&days=1`, { as: 'admin' });
      expect(report).toMatchObject({ total_entered: 2, total_converted: 1, overall_conversion_rate: 0.5 });
      const shown = await on.cli('admin', 'analytics', 'funnel', 'show', funnel, '--days', '1');
      expect(shown.out).toContain('1 of 2 people, 50.0 %');
      const credited = await on.cli('operator', 'analytics', 'attribution', ada, '--json');
      expect(JSON.parse(credited.out)).toMatchObject({
        touches: [{ channel: 'paid', source: 'news' }],
        conversions: [{ value: 49, credits: { linear: [{ credit: 1, value: 49 }] } }],
      });

      const erased = await on.cli('admin', 'analytics', 'erase', ada, '--yes');
      expect(erased.out).toBe(`erased 4 events and 1 links of ${ada}\n`);
      expect(
        (await on.call('GET', `/v1/analytics/attribution/${encodeURIComponent(ada)}`, { as: 'operator' })).status,
      ).toBe(404);
      const after = await on.must(200, 'GET', `/v1/analytics/funnel?funnel_id=${funnel}&days=1`, { as: 'admin' });
      expect(after).toMatchObject({ total_entered: 1, total_converted: 0 });
      expect((await on.cli('admin', 'analytics', 'funnel', 'delete', funnel)).code).toBe(0);
    },
  );
});
