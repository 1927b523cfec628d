// Finds the stories that start, those that can never start, and the reasons why the others wait. runs-5.
import { orderStories } from '../../../prd/story-order.ts';
import { describeHeldUp, describePending } from '../../outcome/story-result.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { dependenciesOf } from '../draft/dependencies.ts';
import { endStory, enterPhase } from '../story/story-moves.ts';
import { openNextSteps } from './next-steps.ts';
import { mayOpenSteps } from './holds.ts';

/** Ends the stories that depend on a failed one, until none is left. */
export function giveUpDependents(draft: RunDraft): void {
  for (const { storyId } of orderStories(draft.stories)) {
    const story = draft.story(storyId);
    if (story?.status !== 'pending') continue;
    const failed = dependenciesOf(draft, story).filter(({ status }) => status === 'failed');
    if (failed.length === 0) continue;
    endStory(draft, storyId, 'given_up', describeHeldUp(failed.map((one) => one.storyId)));
    giveUpDependents(draft);
    return;
  }
}

/** Starts ready stories while fewer than the run's width are at work. */
export function startStories(draft: RunDraft): void {
  if (!mayOpenSteps(draft)) return;
  const width = draft.run.mode === 'sequential' ? 1 : draft.run.maxParallel;
  for (const story of orderStories(draft.stories)) {
    const running = draft.stories.filter(({ status }) => status === 'running').length;
    if (running >= width) break;
    if (story.status !== 'pending' || dependenciesOf(draft, story).some(({ status }) => status !== 'passed')) continue;
    draft.setStory(story.storyId, { status: 'running' });
    enterPhase(draft, story.storyId, 'implementing', null);
  }
  openNextSteps(draft);
}

/** Records what each pending story waits for. If only the order holds it back, the first story before it is named. */
export function describeWaitingStories(draft: RunDraft): void {
  for (const story of draft.stories) {
    if (story.status !== 'pending') continue;
    const unmet = orderStories(dependenciesOf(draft, story)).filter(({ status }) => status !== 'passed');
    const named = story.dependsOn === null ? unmet.slice(0, 1) : unmet;
    draft.setStory(story.storyId, { result: describePending(named.map(({ storyId }) => storyId)) });
  }
}
