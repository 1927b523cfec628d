// Decides whether a run may open steps now.
import type { RunDraft } from '../draft/run-draft.ts';

/** Steps of stories: not while the run is paused or over, has failed, or waits for an answer that concerns all of it. */
export function mayOpenSteps(draft: RunDraft): boolean {
  const { status, error, baseline } = draft.run;
  const isAtWork = status === 'running' || status === 'needs_input';
  const concernsAll = (['budget', 'unpriced', 'baseline_red'] as const).some((kind) => draft.isAsked(kind));
  return isAtWork && error === null && baseline !== null && !concernsAll;
}
