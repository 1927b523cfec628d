// The stories that each story of a run waits for.
import { effectiveDependencies } from '../../../prd/story-order.ts';
import type { RunStory } from '../../../model/run/run.ts';
import type { RunDraft } from './run-draft.ts';

/** The stories that this one depends on. A story that a person removed holds nothing up. */
export function dependenciesOf(draft: RunDraft, story: RunStory): readonly RunStory[] {
  const named = draft.stories.map(({ storyId, dependsOn, priority }) => ({ id: storyId, dependsOn, priority }));
  const ids = effectiveDependencies(named, draft.run.mode).get(story.storyId) ?? [];
  return draft.stories.filter(({ storyId }) => ids.includes(storyId));
}
