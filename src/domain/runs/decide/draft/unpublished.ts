// The landed stories whose commits the branch of the user does not have.
import type { RunStory } from '../../../model/run/run.ts';
import type { RunDraft } from './run-draft.ts';

/** In the order of their landing. A carried story was published by the run that it comes from. */
export function unpublishedStories(draft: RunDraft): readonly RunStory[] {
  const landed = draft.stories
    .filter(({ status, commit, carriedFrom }) => status === 'passed' && commit !== null && carriedFrom === null)
    .toSorted((a, b) => (a.passedAt ?? '').localeCompare(b.passedAt ?? ''));
  const last = landed.find(({ commit }) => commit === draft.run.publishedCommit);
  return last === undefined ? landed : landed.filter(({ passedAt }) => (passedAt ?? '') > (last.passedAt ?? ''));
}
