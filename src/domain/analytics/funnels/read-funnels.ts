// The verbs that list funnels and count the people along one. platform-5.2, platform-5.3.
import { cutPage } from '../../access/cut-page.ts';
import { defaultFunnel, defaultFunnelId, type Funnel, type FunnelCounts } from '../../model/analytics/funnel.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { Page } from '../../ports/store/page.ts';
import { dayMs, type AnalyticsDeps } from '../analytics-deps.ts';

type ReadDeps = Pick<AnalyticsDeps, 'store' | 'now' | 'retentionDays'>;

/** The built-in funnel first, or what replaces it; then by id. @param page.before the last id of the page before */
export async function listFunnels(
  { store }: Pick<ReadDeps, 'store'>,
  caller: Caller,
  { limit, before }: Page,
): Promise<{ funnels: readonly Funnel[]; next: string | null }> {
  const written = await store.within(caller, (rows) => rows.funnels.list());
  const replaced = written.find(({ funnelId }) => funnelId === defaultFunnelId);
  const others = written.filter(({ funnelId }) => funnelId !== defaultFunnelId);
  const rest =
    before === undefined
      ? [replaced ?? defaultFunnel, ...others]
      : others.filter(({ funnelId }) => before === defaultFunnelId || funnelId > before);
  const { items, next } = cutPage(rest, limit, ({ funnelId }) => funnelId);
  return { funnels: items, next };
}

export interface FunnelReport extends FunnelCounts {
  readonly funnel: Funnel;
  /** ISO 8601: the range of first steps. */
  readonly from: string;
  readonly to: string;
}

/** Counts the people who began a funnel within the last days. @throws DomainError not_found */
export function measureFunnel(
  { store, now, retentionDays }: ReadDeps,
  caller: Caller,
  funnelId: string,
  days: number,
): Promise<FunnelReport> {
  return store.within(caller, async (rows) => {
    const funnel = (await rows.funnels.find(funnelId)) ?? (funnelId === defaultFunnelId ? defaultFunnel : undefined);
    if (funnel === undefined) throw notFound('funnel');
    const end = now();
    const from = new Date(end - Math.min(days, retentionDays) * dayMs).toISOString();
    const to = new Date(end).toISOString();
    const counts = await rows.funnels.measure({ ...funnel, from, to });
    return { funnel, from, to, ...counts };
  });
}
