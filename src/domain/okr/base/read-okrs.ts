// The verbs that read objectives, key results and runs.
import { cutPage } from '../../access/cut-page.ts';
import type { Caller } from '../../model/access/caller.ts';
import { notFound } from '../../model/errors.ts';
import type { KeyResult, OkrRun, OkrRunStatus, OkrStatus, OkrView } from '../../model/okr/okr.ts';
import type { OkrFilter } from '../../ports/store/okr/okrs.ts';
import type { Page } from '../../ports/store/page.ts';
import type { Rows, Store } from '../../ports/store/store.ts';

interface ReadDeps {
  readonly store: Store;
}

/** @throws DomainError not_found */
export async function requireOkr(rows: Rows, okrId: string): Promise<OkrView> {
  const okr = await rows.okrs.find(okrId);
  if (okr === undefined) throw notFound('okr');
  return okr;
}

/** Locked until the transaction ends. @throws DomainError not_found */
export async function lockOkr(rows: Rows, okrId: string): Promise<OkrView> {
  const okr = await rows.okrs.lock(okrId);
  if (okr === undefined) throw notFound('okr');
  return okr;
}

/** @throws DomainError not_found */
export function keyResultOf(okr: OkrView, keyResultId: string): KeyResult {
  const found = okr.keyResults.find((keyResult) => keyResult.keyResultId === keyResultId);
  if (found === undefined) throw notFound('key_result');
  return found;
}

/** @throws DomainError not_found */
export function getOkr({ store }: ReadDeps, caller: Caller, okrId: string): Promise<OkrView> {
  return store.within(caller, (rows) => requireOkr(rows, okrId));
}

/** Newest first. */
export async function listOkrs(
  { store }: ReadDeps,
  caller: Caller,
  filter: OkrFilter,
  { limit, before }: Page,
): Promise<{ okrs: readonly OkrView[]; next: string | null }> {
  const found = await store.within(caller, (rows) => rows.okrs.list(filter, { limit: limit + 1, before }));
  const { items, next } = cutPage(found, limit, ({ okrId }) => okrId);
  return { okrs: items, next };
}

export interface OkrStats {
  readonly total: number;
  readonly byStatus: Readonly<Record<OkrStatus, number>>;
  /** A fraction with 4 decimals; null without objectives. */
  readonly completionRate: number | null;
}

export async function readOkrStats({ store }: ReadDeps, caller: Caller): Promise<OkrStats> {
  const counts = await store.within(caller, (rows) => rows.okrs.countByStatus());
  const byStatus = {
    draft: counts.draft ?? 0,
    approved: counts.approved ?? 0,
    running: counts.running ?? 0,
    completed: counts.completed ?? 0,
    denied: counts.denied ?? 0,
  };
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return {
    total,
    byStatus,
    completionRate: total === 0 ? null : Math.round((byStatus.completed / total) * 10_000) / 10_000,
  };
}

/** @throws DomainError not_found */
export async function getOkrRun({ store }: ReadDeps, caller: Caller, okrId: string, runId: string): Promise<OkrRun> {
  return store.within(caller, async (rows) => {
    await requireOkr(rows, okrId);
    const run = await rows.okrRuns.find(okrId, runId);
    if (run === undefined) throw notFound('okr_run');
    return run;
  });
}

/** Newest first. @throws DomainError not_found */
export async function listOkrRuns(
  { store }: ReadDeps,
  caller: Caller,
  { okrId, status }: { readonly okrId: string; readonly status: OkrRunStatus | undefined },
  { limit, before }: Page,
): Promise<{ runs: readonly OkrRun[]; next: string | null }> {
  const found = await store.within(caller, async (rows) => {
    await requireOkr(rows, okrId);
    return rows.okrRuns.list(okrId, status, { limit: limit + 1, before });
  });
  const { items, next } = cutPage(found, limit, ({ runId }) => runId);
  return { runs: items, next };
}
