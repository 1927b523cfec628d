// Finds a run and its parts; a missing one and another tenant's have the same error.
import { notFound } from '../../model/errors.ts';
import type { PrdRun, RunStory } from '../../model/run/run.ts';
import type { Rows } from '../../ports/store/store.ts';

/** @throws DomainError not_found (`run_not_found`) */
export async function requireRun(rows: Rows, runId: string): Promise<PrdRun> {
  const run = await rows.runs.find(runId);
  if (run === undefined) throw notFound('run');
  return run;
}

/** The run, locked until the transaction ends. @throws DomainError not_found (`run_not_found`) */
export async function lockRun(rows: Rows, runId: string): Promise<PrdRun> {
  const run = await rows.runs.lock(runId);
  if (run === undefined) throw notFound('run');
  return run;
}

/** @throws DomainError not_found (`story_not_found`) */
export function requireStory(stories: readonly RunStory[], storyId: string): RunStory {
  const story = stories.find((each) => each.storyId === storyId);
  if (story === undefined) throw notFound('story');
  return story;
}
