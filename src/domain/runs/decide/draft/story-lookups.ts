// Lookups over the rows of one story: its attempt at work, its steps, its evidence.
import { type CriterionTie, tieCriteria } from '../../../prd/criterion-rules.ts';
import type { CriterionEvidence, RunStep, RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { ChangedFile } from '../../../model/run/step.ts';
import type { StepKind } from '../../../model/run/run-state.ts';
import type { RunDraft } from './run-draft.ts';

/** The attempt at work; undefined: none is. */
export function openAttemptOf(draft: RunDraft, story: RunStory): StoryAttempt | undefined {
  return draft.attempts.find(({ storyId, status }) => storyId === story.storyId && status === 'open');
}

/** Attempts that spent an iteration and failed, oldest first. */
export function failedAttempts(draft: RunDraft, story: RunStory): readonly StoryAttempt[] {
  return draft.attempts.filter(({ storyId, status }) => storyId === story.storyId && status === 'failed');
}

/** The number of the next try of the iteration that comes next. */
export function nextTry(draft: RunDraft, story: RunStory): number {
  const n = story.iteration + 1;
  const tries = draft.attempts.filter((attempt) => attempt.storyId === story.storyId && attempt.n === n);
  return Math.max(0, ...tries.map((attempt) => attempt.try)) + 1;
}

/** The last step of a kind that ended `ok` in this attempt. */
export function lastOkStep(draft: RunDraft, attempt: StoryAttempt, kinds: readonly StepKind[]): RunStep | undefined {
  return stepsOf(draft, attempt).findLast(({ kind, status }) => status === 'ok' && kinds.includes(kind));
}

/** Steps of this attempt that ended, oldest first. */
export function stepsOf(draft: RunDraft, attempt: StoryAttempt): readonly RunStep[] {
  return draft.endedSteps.filter(
    (step) => step.storyId === attempt.storyId && step.n === attempt.n && step.try === attempt.try,
  );
}

/** The files that the agent of this attempt changed; none before it has answered. */
export function changedFilesOf(draft: RunDraft, attempt: StoryAttempt): readonly ChangedFile[] {
  return changedBy(stepsOf(draft, attempt));
}

/** The files that the last agent changed of those that worked on a story. */
export function changedFilesOfStory(draft: RunDraft, { storyId }: RunStory): readonly ChangedFile[] {
  return changedBy(draft.endedSteps.filter((step) => step.storyId === storyId));
}

function changedBy(steps: readonly RunStep[]): readonly ChangedFile[] {
  const results = steps.map(({ result }) => result);
  const last = results.findLast((result) => result?.kind === 'implement' || result?.kind === 'resolve');
  return last?.kind === 'implement' || last?.kind === 'resolve' ? last.changed : [];
}

/** The kind of evidence that each criterion of a story needs. */
export function criterionTies(draft: RunDraft, story: RunStory): readonly CriterionTie[] {
  const gates = draft.run.baseline?.gates ?? [];
  const named = { acceptanceCriteria: story.criteria, checks: story.checks };
  return tieCriteria(named, gates);
}

/** The commit that the evidence of an attempt holds for: the candidate as it would land, else its base. */
export function evidenceCommit(attempt: StoryAttempt): string {
  return attempt.storyCommit ?? attempt.baseCommit;
}

/** The last evidence of each criterion that holds for the attempt's commit; undefined: there is none. */
export function evidenceOf(
  draft: RunDraft,
  story: RunStory,
  attempt: StoryAttempt,
): readonly (CriterionEvidence | undefined)[] {
  const rows = draft.evidence.filter(
    ({ storyId, n, commit }) => storyId === story.storyId && n === attempt.n && commit === evidenceCommit(attempt),
  );
  return story.criteria.map((_, index) => rows.findLast(({ criterion }) => criterion === index));
}

/** The criteria without evidence that they pass, by index. */
export function uncoveredCriteria(draft: RunDraft, story: RunStory, attempt: StoryAttempt): readonly number[] {
  return evidenceOf(draft, story, attempt).flatMap((row, index) => (row?.status === 'passed' ? [] : [index]));
}

/** Whether a step of the story is open, asks, or is opened by this decision. */
export function hasStep(draft: RunDraft, storyId: string | null, kinds?: readonly StepKind[]): boolean {
  const fits = (step: { readonly storyId: string | null; readonly kind: StepKind }): boolean =>
    step.storyId === storyId && (kinds?.includes(step.kind) ?? true);
  return draft.plans.some(fits) || draft.openSteps.some(({ step }) => fits(step));
}

/** The commit that was verified last, with the commit that it stands on: of the last merge, else of the check. */
export function landableCommit(
  draft: RunDraft,
  attempt: StoryAttempt,
): { readonly commit: string; readonly parent: string; readonly step: RunStep } | undefined {
  const step = lastOkStep(draft, attempt, ['land']);
  if (step?.result?.kind === 'land' && step.result.commit !== null) {
    return { commit: step.result.commit, parent: step.result.parent, step };
  }
  const check = lastOkStep(draft, attempt, ['check']);
  if (check === undefined || attempt.storyCommit === null) return undefined;
  return { commit: attempt.storyCommit, parent: attempt.baseCommit, step: check };
}
