// The cancellation of a run, by its verb or by an answer. runs-7.
import { nextRunStatus } from '../../../model/run/run-state.ts';
import type { RunError } from '../../../model/run/run.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { cancelSteps, endStory } from '../story/story-moves.ts';
import { publishAtEnd } from './publish.ts';

/** Ends the run, its stories and its tasks. What has landed stays: the branch gets what it lacks of it. */
export function cancelWholeRun(draft: RunDraft, reason: string, error: RunError | null = null): void {
  const status = nextRunStatus(draft.run.status, 'cancelled');
  if (status === null) return;
  for (const { storyId } of draft.stories) endStory(draft, storyId, 'given_up', `the run was cancelled: ${reason}`);
  // A story that has passed may land once more, on a branch that moved.
  for (const storyId of [...draft.stories.map((story) => story.storyId), null]) cancelSteps(draft, storyId, reason);
  publishAtEnd(draft);
  draft.dropQuestions();
  draft.reason = reason;
  draft.setRun({ status, error, waitingReason: null, completedAt: draft.at });
}
