// The verbs that read cron jobs and their runs.
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import type { Cronjob, CronjobRun, CronjobRunStatus } from '../model/schedule/cronjob.ts';
import type { Page } from '../ports/store/page.ts';
import type { Rows, Store } from '../ports/store/store.ts';

interface ReadDeps {
  readonly store: Store;
}

/** @throws DomainError not_found */
export async function requireCronjob(rows: Rows, cronjobId: string): Promise<Cronjob> {
  const job = await rows.cronjobs.find(cronjobId);
  if (job === undefined) throw notFound('cronjob');
  return job;
}

/** @throws DomainError not_found */
export function getCronjob({ store }: ReadDeps, caller: Caller, cronjobId: string): Promise<Cronjob> {
  return store.within(caller, (rows) => requireCronjob(rows, cronjobId));
}

/** Newest first. @param filter.text found in the name, whatever its case */
export async function listCronjobs(
  { store }: ReadDeps,
  caller: Caller,
  filter: { readonly enabled: boolean | undefined; readonly text: string | undefined },
  { limit, before }: Page,
): Promise<{ jobs: readonly Cronjob[]; next: string | null }> {
  const found = await store.within(caller, (rows) => rows.cronjobs.list(filter, { limit: limit + 1, before }));
  const { items, next } = cutPage(found, limit, ({ cronjobId }) => cronjobId);
  return { jobs: items, next };
}

/** Newest first. @throws DomainError not_found */
export async function listCronjobRuns(
  { store }: ReadDeps,
  caller: Caller,
  { cronjobId, status }: { readonly cronjobId: string; readonly status: CronjobRunStatus | undefined },
  { limit, before }: Page,
): Promise<{ runs: readonly CronjobRun[]; next: string | null }> {
  const found = await store.within(caller, async (rows) => {
    await requireCronjob(rows, cronjobId);
    return rows.cronjobs.listRuns(cronjobId, status, { limit: limit + 1, before });
  });
  const { items, next } = cutPage(found, limit, ({ runId }) => runId);
  return { runs: items, next };
}
