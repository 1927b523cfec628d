// Verbs that read runs: one, and a list. runs-6.1.
import { cutPage } from '../../access/cut-page.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { PrdRun } from '../../model/run/run.ts';
import type { StoryStatus } from '../../model/run/run-state.ts';
import type { Page } from '../../ports/store/page.ts';
import type { RunFilter } from '../../ports/store/runs.ts';
import type { Store } from '../../ports/store/store.ts';
import { activeSecondsOf } from '../decide/plan/budget.ts';
import { requireRun } from './require-run.ts';
import { readRunView, type RunView } from './run-view.ts';

interface ReadDeps {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** @throws DomainError not_found, for another tenant's too */
export async function getRun(deps: ReadDeps, caller: Caller, runId: string): Promise<RunView> {
  const view = await deps.store.within(caller, async (rows) => readRunView(rows, await requireRun(rows, runId)));
  return withActiveTime(view, deps.now());
}

/** Newest first, with everything that a single run's answer has. */
export function listRuns(
  deps: ReadDeps,
  caller: Caller,
  filter: RunFilter,
  page: Page,
): Promise<{ runs: readonly RunView[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    const found = await rows.runs.list(filter, { ...page, limit: page.limit + 1 });
    const { items, next } = cutPage(found, page.limit, ({ id }) => id);
    const runs: RunView[] = [];
    for (const run of items) runs.push(withActiveTime(await readRunView(rows, run), deps.now()));
    return { runs, next };
  });
}

/** The row of a running run has its active time up to its last pause; readers see it up to now. runs-18. */
function withActiveTime(view: RunView, now: number): RunView {
  const { run } = view;
  return { ...view, run: { ...run, spent: { ...run.spent, seconds: activeSecondsOf(run, new Date(now)) } } };
}

/** A run in a short list: without its stories, but with their number in each status. */
export interface RunSummary {
  readonly run: PrdRun;
  readonly stories: Readonly<Record<StoryStatus, number>>;
}

const noStories: Readonly<Record<StoryStatus, number>> = { pending: 0, running: 0, passed: 0, failed: 0 };

/** Newest first. Two statements, however many runs there are. */
export function listRunSummaries(
  deps: { readonly store: Store },
  caller: Caller,
  filter: RunFilter,
  page: Page,
): Promise<{ runs: readonly RunSummary[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    const found = await rows.runs.list(filter, { ...page, limit: page.limit + 1 });
    const { items, next } = cutPage(found, page.limit, ({ id }) => id);
    const counts = await rows.runs.countStories(items.map(({ id }) => id));
    return { runs: items.map((run) => ({ run, stories: counts.get(run.id) ?? noStories })), next };
  });
}
