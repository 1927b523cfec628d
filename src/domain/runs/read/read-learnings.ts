// Verbs that read what a run has learnt: a page of learnings, and progress.txt with all of them. runs-6.1, runs-9.
import { cutPage } from '../../access/cut-page.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { RunLearning } from '../../model/run/run.ts';
import type { Page } from '../../ports/store/page.ts';
import type { LearningFilter } from '../../ports/store/runs.ts';
import type { Store } from '../../ports/store/store.ts';
import { renderProgress } from '../progress/render-progress.ts';
import { requireRun } from './require-run.ts';

/** Newest first. @throws DomainError not_found */
export function listLearnings(
  deps: { readonly store: Store },
  caller: Caller,
  runId: string,
  filter: LearningFilter,
  page: Page,
): Promise<{ items: readonly RunLearning[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    await requireRun(rows, runId);
    const found = await rows.runRecords.learnings(runId, filter, { ...page, limit: page.limit + 1 });
    return cutPage(found, page.limit, ({ id }) => id);
  });
}

/** The text of progress.txt with every entry. @throws DomainError not_found */
export function getProgressLog(deps: { readonly store: Store }, caller: Caller, runId: string): Promise<string> {
  return deps.store.within(caller, async (rows) => {
    const run = await requireRun(rows, runId);
    const attempts = await rows.runStories.attempts(runId);
    return renderProgress({ run, attempts, learnings: await rows.runRecords.allLearnings(runId) });
  });
}
