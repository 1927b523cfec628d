// The state of the run itself: its beginning, pauses, questions, and its end. runs-5.
import { isRunOver, nextRunStatus, type RunTransition } from '../../../model/run/run-state.ts';
import type { PrdRun, RunError } from '../../../model/run/run.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { hasStep, openAttemptOf } from '../draft/story-lookups.ts';
import { voidAttempt } from '../story/attempts.ts';
import { choosePreparer } from '../story/choices.ts';
import { runInfraTries } from '../story/infra.ts';
import { cancelSteps } from '../story/story-moves.ts';
import { findTheirs } from './rebase.ts';
import { isSettled, needsPublish, warnAboutMerge } from './publish.ts';
import { planStep } from './step-plan.ts';

/** @returns whether the state allowed it */
function move(draft: RunDraft, transition: RunTransition): boolean {
  const status = nextRunStatus(draft.run.status, transition);
  if (status !== null) draft.setRun({ status });
  return status !== null;
}

/** Pauses and resumes as people asked, and as the state of the owner demands. */
export function applyPause(draft: RunDraft): void {
  const { pauseMode, status } = draft.run;
  const isWanted = pauseMode !== null || !draft.before.ownerActive;
  if (isRunOver(status)) return;
  if (!isWanted) {
    if (status === 'paused' && move(draft, 'resumed')) noteStart(draft);
    return;
  }
  if (status !== 'paused') move(draft, 'paused');
  if (pauseMode === 'now') stopSteps(draft);
}

/** Ends the running tasks. What an agent had not finished is void; a finished candidate keeps its phase. */
function stopSteps(draft: RunDraft): void {
  for (const { step } of draft.openSteps) {
    if (step.storyId === null) cancelSteps(draft, null, 'the run was paused');
    const story = draft.story(step.storyId);
    if (story === undefined) continue;
    for (const question of draft.openQuestions()) {
      if (question.kind === 'agent' && question.data['step_id'] === step.id) draft.closeQuestion(question);
    }
    cancelSteps(draft, story.storyId, 'the run was paused');
    const attempt = openAttemptOf(draft, story);
    const isUnfinished = step.kind === 'implement' || step.kind === 'resolve';
    if (attempt !== undefined && isUnfinished) voidAttempt(draft, attempt, 'paused');
    if (story.phase === 'asking' && story.wait !== null)
      draft.setStory(story.storyId, { phase: story.wait.phase, wait: null });
  }
}

/** Begins a pending run where the tenant has room for it, and opens `prepare`. */
export function beginRun(draft: RunDraft): void {
  if (draft.run.status === 'pending' && draft.before.activeRuns < draft.before.maxActiveRuns) {
    if (move(draft, 'begun')) noteStart(draft);
  }
  const { run } = draft;
  const isAtWork = run.status === 'running' || run.status === 'needs_input';
  const mayPrepare = run.baseline === null && run.error === null && !draft.isAsked('infra', null);
  if (!isAtWork || !mayPrepare || hasStep(draft, null, ['prepare'])) return;
  draft.openStep(
    planStep({
      kind: 'prepare',
      storyId: null,
      n: 0,
      try: 1,
      base: run.options.base ?? '',
      head: retriedHead(run),
      targetWorkerId: choosePreparer(draft),
      infraTries: runInfraTries(draft, 'prepare'),
    }),
  );
}

/** The head of the run that this one retries: its base has to contain it. Null: nothing had landed. */
function retriedHead({ retryOf, options }: PrdRun): string | null {
  const { base } = options;
  return retryOf !== null && base !== null && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(base) ? base : null;
}

function noteStart(draft: RunDraft): void {
  if (draft.run.startedAt === null) draft.setRun({ startedAt: draft.at });
}

/** Ends a run whose stories have ended and whose branch has all of it; else follows its open questions. */
export function settleRun(draft: RunDraft): void {
  if (isRunOver(draft.run.status)) return;
  if (endRun(draft)) return;
  const open = draft.openQuestions().length + draft.asked.length;
  if (open > 0) move(draft, 'asked');
  else if (draft.run.status === 'needs_input') move(draft, 'answered');
}

/** @returns whether the run is over */
function endRun(draft: RunDraft): boolean {
  const { run } = draft;
  const hasFailed = run.error !== null || draft.stories.some(({ status }) => status === 'failed');
  const isPrepared = run.baseline !== null || hasFailed;
  const isPublished = !needsPublish(draft) && findTheirs(draft) === null && !hasStep(draft, null, ['publish']);
  if (!isSettled(draft) || !isPrepared || !isPublished || draft.isAsked('branch_moved')) return false;
  if (!move(draft, hasFailed ? 'gave_up' : 'all_passed')) return false;
  cancelSteps(draft, null, 'the run is over');
  draft.dropQuestions();
  const error = hasFailed ? (run.error ?? failureOf(draft)) : null;
  draft.setRun({ error, completedAt: draft.at });
  warnAboutMerge(draft);
  return true;
}

/** One cause that all failed stories share is the run's own. */
function failureOf(draft: RunDraft): RunError {
  const failed = draft.stories.filter(({ status }) => status === 'failed');
  const codes = failed.flatMap(({ storyId, iteration }) =>
    iteration === 0
      ? []
      : [draft.attempts.findLast((one) => one.storyId === storyId && one.status === 'failed')?.failureCode],
  );
  const isTooLarge = codes.length > 0 && codes.every((code) => code === 'bundle_too_large');
  const list = failed.map(({ storyId, result }) => `${storyId} (${result})`).join('; ');
  return { code: isTooLarge ? 'bundle_too_large' : 'stories_failed', message: `Stories failed: ${list}` };
}
