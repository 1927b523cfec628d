// The stories whose commits landed in a run, and those of them that the branch of the user lacks.
import type { RunStory } from '../../../model/run/run.ts';
import type { RunDraft } from './run-draft.ts';

/** The stories that landed in this run, in their order. */
export function landedStories(draft: RunDraft): readonly RunStory[] {
  return draft.stories
    .filter(({ status, commit, carriedFrom }) => status === 'passed' && commit !== null && carriedFrom === null)
    .toSorted((a, b) => (a.passedAt ?? '').localeCompare(b.passedAt ?? ''));
}

/** Those that the branch lacks. A carried story was published by the run that it comes from. */
export function unpublishedStories(draft: RunDraft): readonly RunStory[] {
  const landed = landedStories(draft);
  return landed.slice(landed.findIndex(({ commit }) => commit === draft.run.publishedCommit) + 1);
}
