// The landing queue: stories whose candidates passed go onto the head one after the other. runs-12.
import type { RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { hasStep, landableCommit, openAttemptOf, stepsOf, uncoveredCriteria } from '../draft/story-lookups.ts';
import { chooseWorker } from '../story/choices.ts';
import { enterPhase, passStory } from '../story/story-moves.ts';
import { mayOpenSteps } from './holds.ts';
import { findTheirs } from './rebase.ts';
import { planForAttempt } from './step-plan.ts';

interface QueuedStory {
  readonly story: RunStory;
  readonly attempt: StoryAttempt;
}

/**
 * The stories that wait for their landing, by the time at which their last check or judge ended.
 * A story may land only with evidence for every criterion; one without it goes back to its judge.
 */
export function landingQueue(draft: RunDraft): readonly QueuedStory[] {
  const queued = draft.stories.flatMap((story) => {
    const attempt = openAttemptOf(draft, story);
    return story.status === 'running' && story.phase === 'landing' && attempt !== undefined ? [{ story, attempt }] : [];
  });
  const passedAt = ({ attempt }: QueuedStory): string =>
    stepsOf(draft, attempt).findLast(({ kind }) => kind === 'check' || kind === 'judge')?.endedAt ?? '';
  return queued.toSorted((a, b) => passedAt(a).localeCompare(passedAt(b)) || a.story.position - b.story.position);
}

/** Lands what can land without a step, and opens the step of the first that cannot. */
export function landStories(draft: RunDraft): void {
  if (findTheirs(draft) !== null) return;
  for (const entry of landingQueue(draft)) {
    if (draft.openSteps.some(({ step }) => step.kind === 'land')) return;
    if (!landOne(draft, entry)) return;
  }
}

/** @returns whether the next of the queue may land */
function landOne(draft: RunDraft, { story, attempt }: QueuedStory): boolean {
  const head = draft.run.headCommit ?? '';
  if (uncoveredCriteria(draft, story, attempt).length > 0) {
    enterPhase(draft, story.storyId, 'judging', null);
    return true;
  }
  if (attempt.storyCommit === null) {
    // Nothing was to change. What was shown holds for the attempt's base alone.
    if (attempt.baseCommit === head) passStory(draft, story, attempt, null);
    else {
      draft.setAttempt(attempt, { baseCommit: head });
      enterPhase(draft, story.storyId, 'checking', null);
    }
    return true;
  }
  const landing = landableCommit(draft, attempt);
  if (landing?.parent === head) {
    const { commit, parent, step } = landing;
    const source = { taskId: step.taskId, artifactId: step.bundleArtifactId };
    passStory(draft, story, attempt, commit);
    draft.land({ storyId: story.storyId, commit, parent, source });
    draft.event('landed', { story_id: story.storyId, commit, head: commit, queue: landingQueue(draft).length });
    return true;
  }
  if (!mayOpenSteps(draft)) return false;
  if (!hasStep(draft, story.storyId)) {
    const targetWorkerId = chooseWorker(draft, story, 'land', false);
    const candidate = attempt.candidateCommit;
    draft.openStep(
      planForAttempt(attempt, { kind: 'land', candidate, head, targetWorkerId, infraTries: story.wait?.count ?? 0 }),
    );
  }
  return false;
}
