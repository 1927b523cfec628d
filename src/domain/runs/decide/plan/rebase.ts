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
  if (!isWanted || typeof found !== 'string' || found === draft.run.publishedCommit) return null;
  const isDone = draft.endedSteps.some(
    ({ kind, status, head, createdAt }) =>
      status === 'ok' &&
      ((kind === 'land' && head === found) || (kind === 'publish' && createdAt >= (last.answeredAt ?? ''))),
  );
  return isDone ? null : found;
}

/**
 * Opens the step that merges the run's unpublished commits on theirs. Nothing lands meanwhile. Where the branch had all
 * of the run's, theirs is the head at once: the next check runs the gates on it.
 */
export function openRebase(draft: RunDraft): void {
  const theirs = findTheirs(draft);
  const story = unpublishedStories(draft).at(-1);
  const isBusy = draft.openSteps.some(({ step }) => step.kind === 'land' || step.kind === 'publish');
  if (theirs === null || isBusy || !mayOpenSteps(draft)) return;
  if (story === undefined) {
    draft.moveHead(theirs);
    draft.setRun({ publishedCommit: theirs });
    return;
  }
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
