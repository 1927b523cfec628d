// The funnels of the tenant, and the count of people along one.
import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../api/answer-of.ts';
import { api, dataOf } from '../api/api.ts';

export type Funnel = AnswerOf<'analytics.funnels'>['funnels'][number];
export type FunnelReport = AnswerOf<'analytics.funnel'>;
export type FunnelStep = FunnelReport['steps'][number];

const pageSize = 200;

/** All of them: a tenant has few. */
export const funnelsQuery = queryOptions({
  queryKey: ['funnels'],
  queryFn: async (): Promise<readonly Funnel[]> => {
    const found: Funnel[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: pageSize, cursor };
      const page = await dataOf(api().GET('/v1/analytics/funnels', { params: { query } }));
      found.push(...page.funnels);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  },
});

export function funnelReportQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ['funnels', id, days],
    queryFn: () => dataOf(api().GET('/v1/analytics/funnel', { params: { query: { funnel_id: id, days } } })),
  });
}
