// A person put commits on the run's branch and said that the run goes on from them. runs-5.
import type { RunDraft } from '../draft/run-draft.ts';
import { unpublishedStories } from '../draft/unpublished.ts';
import { mayOpenSteps } from './holds.ts';
import { planStep } from './step-plan.ts';

/** The commit of theirs that the run's own are still to be merged on; null: there is none. */
export function findTheirs(draft: RunDraft): string | null {
  const last = draft.questions.findLast(({ kind }) => kind === 'branch_moved');
  const found = last?.data['found'];
  const isWanted = last?.answer?.choice === 'continue' && last.data['reason'] === 'moved';
  return isWanted && typeof found === 'string' && found !== draft.run.publishedCommit ? found : null;
}

/** Opens the step that merges the run's unpublished commits on theirs. Nothing lands meanwhile. */
export function openRebase(draft: RunDraft): void {
  const theirs = findTheirs(draft);
  const story = unpublishedStories(draft).at(-1);
  const isBusy = draft.openSteps.some(({ step }) => step.kind === 'land' || step.kind === 'publish');
  if (theirs === null || story === undefined || isBusy || !mayOpenSteps(draft)) return;
  const { run } = draft;
  const n = story.iteration;
  draft.openStep(
    planStep({
      kind: 'land',
      storyId: story.storyId,
      n,
      try: draft.attempts.findLast((attempt) => attempt.storyId === story.storyId && attempt.n === n)?.try ?? 1,
      base: run.publishedCommit ?? run.baseCommit ?? '',
      candidate: run.headCommit,
      head: theirs,
      targetWorkerId: run.homeWorkerId,
    }),
  );
}
