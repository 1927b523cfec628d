// The director's decision: from the rows of a run to the changes of them. runs-5, runs-7.
import { isRunOver } from '../../model/run/run-state.ts';
import type { RunEffect } from '../../model/run/effect.ts';
import type { RunSnapshot } from '../../model/run/snapshot.ts';
import { applyAnswers } from './answers/apply-answers.ts';
import { RunDraft } from './draft/run-draft.ts';
import { foldSteps } from './fold/fold-steps.ts';
import { checkBudget } from './plan/budget.ts';
import { landStories } from './plan/landing-queue.ts';
import { endWaits, openNextSteps } from './plan/next-steps.ts';
import { moveHome, publishOnRequest, schedulePublish } from './plan/publish.ts';
import { openRebase } from './plan/rebase.ts';
import { countActiveTime, setDueAt, setWaitingReason } from './plan/run-clock.ts';
import { applyPause, beginRun, settleRun } from './plan/run-status.ts';
import { describeWaitingStories, giveUpDependents, startStories } from './plan/start-stories.ts';
import { cancelWholeRun } from './plan/cancel-run.ts';

/**
 * The effects of one look. Pure and total: the same snapshot and time give the same effects; applied, they leave a
 * snapshot that at the same time gives none. Effects stand in the order in which they are applied.
 *
 * Events: the effects name all but those that need an id which their application makes. So the application of
 * `openStep` adds the event `step`, of `ask` the event `question`, of `addLearning` the event `learning`, and no other.
 * `closeQuestion` marks a question as answered by `moot` and settled.
 */
export function decide(snapshot: RunSnapshot, now: Date): readonly RunEffect[] {
  return look(new RunDraft(snapshot, now));
}

/** A pause that takes hold at once. The caller may; the run is not over. */
export function decidePause(snapshot: RunSnapshot, mode: 'after_step' | 'now', now: Date): readonly RunEffect[] {
  const draft = new RunDraft(snapshot, now);
  draft.setRun({ pauseMode: mode });
  return look(draft);
}

/** The end of a pause, with the steps that open then. */
export function decideResume(snapshot: RunSnapshot, now: Date): readonly RunEffect[] {
  const draft = new RunDraft(snapshot, now);
  draft.setRun({ pauseMode: null });
  return look(draft);
}

/** The end of a run by a person: its live tasks end in the same transaction. None where the run is over. */
export function decideCancel(snapshot: RunSnapshot, reason: string, now: Date): readonly RunEffect[] {
  const draft = new RunDraft(snapshot, now);
  cancelWholeRun(draft, reason);
  setTimes(draft);
  return draft.finish();
}

/** The step that puts the landed commits on the branch, for a run that does not do so by itself, over or not. */
export function decidePublish(snapshot: RunSnapshot, now: Date): readonly RunEffect[] {
  const draft = new RunDraft(snapshot, now);
  publishOnRequest(draft);
  setTimes(draft);
  return draft.finish();
}

/** The order of a look: ended steps, answers of people, budgets, landings, next steps, new stories, the run itself. */
function look(draft: RunDraft): readonly RunEffect[] {
  foldSteps(draft);
  if (isRunOver(draft.run.status)) return draft.finish();
  applyAnswers(draft);
  applyPause(draft);
  checkBudget(draft);
  beginRun(draft);
  endWaits(draft);
  openSteps(draft);
  if (moveHome(draft)) {
    beginRun(draft);
    openSteps(draft);
  }
  describeWaitingStories(draft);
  settleRun(draft);
  setTimes(draft);
  return draft.finish();
}

function openSteps(draft: RunDraft): void {
  openRebase(draft);
  landStories(draft);
  // A landing is a judged attempt.
  checkBudget(draft);
  giveUpDependents(draft);
  // It is short, so it comes before the next step of a worker that does one at a time.
  schedulePublish(draft);
  openNextSteps(draft);
  startStories(draft);
}

function setTimes(draft: RunDraft): void {
  countActiveTime(draft);
  setWaitingReason(draft);
  setDueAt(draft);
}
