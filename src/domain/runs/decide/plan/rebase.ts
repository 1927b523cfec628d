// A person put commits on the run's branch and said that the run goes on from them: the run's own commits that were not
// published yet are merged on theirs one after the other, each a commit of its story again. runs-5, runs-12.
import type { RunStep, RunStory } from '../../../model/run/run.ts';
import type { LandResult } from '../../../model/run/step.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { unpublishedStories } from '../draft/landed-stories.ts';
import { mayOpenSteps } from './holds.ts';
import { planStep } from './step-plan.ts';

interface RebasedStory {
  readonly story: RunStory;
  readonly step: RunStep;
  readonly result: LandResult & { readonly commit: string };
}

/** The state of the merges of the run's commits on theirs. */
export interface Rebase {
  readonly theirs: string;
  /** In their order on theirs. */
  readonly done: readonly RebasedStory[];
  /** In the order of their landing. */
  readonly left: readonly RunStory[];
}

/** Null: no commits of a person wait for it. */
export function findRebase(draft: RunDraft): Rebase | null {
  const theirs = findTheirs(draft);
  if (theirs === null) return null;
  const stories = unpublishedStories(draft);
  const done: RebasedStory[] = [];
  for (const story of stories) {
    const rebased = findRebased(draft, story, done.at(-1)?.result.commit ?? theirs);
    if (rebased === undefined) break;
    done.push(rebased);
  }
  return { theirs, done, left: stories.slice(done.length) };
}

/** The commit of theirs that the run's own are still to be merged on; null: there is none. */
export function findTheirs(draft: RunDraft): string | null {
  const last = draft.questions.findLast(({ kind }) => kind === 'branch_moved');
  const found = last?.data['found'];
  const isWanted = last?.answer?.choice === 'continue' && last.data['reason'] === 'moved';
  const { publishedCommit, headCommit } = draft.run;
  if (!isWanted || typeof found !== 'string' || found === publishedCommit || found === headCommit) return null;
  // Once all stand on theirs, the stories have the commits of these steps.
  const isDone = draft.endedSteps.some(({ kind, status, head, storyId, result, createdAt }) => {
    if (status !== 'ok') return false;
    if (kind === 'publish') return createdAt >= (last.answeredAt ?? '');
    const commit = result?.kind === 'land' ? result.commit : null;
    return kind === 'land' && head === found && draft.story(storyId)?.commit === commit;
  });
  return isDone ? null : found;
}

/** The step that merged the commit of a story on this one. */
function findRebased(draft: RunDraft, story: RunStory, head: string): RebasedStory | undefined {
  const step = draft.endedSteps.findLast(
    (each) =>
      each.kind === 'land' &&
      each.status === 'ok' &&
      each.storyId === story.storyId &&
      each.candidate === story.commit &&
      each.head === head,
  );
  if (step?.result?.kind !== 'land' || step.result.commit === null) return undefined;
  return { story, step, result: { ...step.result, commit: step.result.commit } };
}

/**
 * Opens the step that merges the next of the run's unpublished commits on theirs. Nothing lands meanwhile. Where the
 * branch had all of the run's, theirs is the head at once: the next check runs the gates on it.
 */
export function openRebase(draft: RunDraft): void {
  const rebase = findRebase(draft);
  const isBusy = draft.openSteps.some(({ step }) => step.kind === 'land' || step.kind === 'publish');
  if (rebase === null || isBusy || !mayOpenSteps(draft)) return;
  const { theirs, done, left } = rebase;
  const [next] = left;
  if (next === undefined) {
    moveOnTheirs(draft, rebase);
    return;
  }
  const { storyId, iteration: n, commit } = next;
  const { publishedCommit, baseCommit, homeWorkerId } = draft.run;
  draft.openStep(
    planStep({
      kind: 'land',
      storyId,
      n,
      try: draft.attempts.findLast((attempt) => attempt.storyId === storyId && attempt.n === n)?.try ?? 1,
      base: done.at(-1)?.story.commit ?? publishedCommit ?? baseCommit ?? '',
      candidate: commit,
      head: done.at(-1)?.result.commit ?? theirs,
      targetWorkerId: homeWorkerId,
    }),
  );
}

/** Theirs is the head, and the rebased commits land on it. */
function moveOnTheirs(draft: RunDraft, { theirs, done }: Rebase): void {
  draft.moveHead(theirs);
  draft.setRun({ publishedCommit: theirs });
  let parent = theirs;
  for (const { story, step, result } of done) {
    const { storyId } = story;
    const { commit } = result;
    draft.setStory(storyId, { commit });
    draft.land({ storyId, commit, parent, source: { taskId: step.taskId, artifactId: step.bundleArtifactId } });
    draft.event('landed', { story_id: storyId, commit, head: commit, queue: 0 });
    parent = commit;
  }
}
