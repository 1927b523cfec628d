// When the branch of the user moves, and on which worker. runs-12.
import type { RunDraft } from '../draft/run-draft.ts';
import { hasStep } from '../draft/story-lookups.ts';
import { runInfraTries } from '../story/infra.ts';
import { cancelSteps } from '../story/story-moves.ts';
import { findTheirs } from './rebase.ts';
import { planStep } from './step-plan.ts';

/** A home worker that is away so long loses the branch to another worker of the codebase. */
const homePatienceMs = 10 * 60_000;
/** `try` of a publish: the last of a run also leaves its whole bundle, so it is another step than those before. */
const [usualTry, lastTry] = [1, 2] as const;

/** All stories have ended. */
export function isSettled(draft: RunDraft): boolean {
  return draft.stories.every(({ status }) => status === 'passed' || status === 'failed');
}

/** Whether the branch still lacks commits, or the run its last bundle. */
export function needsPublish(draft: RunDraft): boolean {
  const { headCommit, baseCommit, publishedCommit, options } = draft.run;
  if (headCommit === null || headCommit === baseCommit || !options.commitOnPass) return false;
  if (publishedCommit !== headCommit) return true;
  const last = draft.endedSteps.findLast(({ kind, status }) => kind === 'publish' && status === 'ok');
  return isSettled(draft) && last !== undefined && (last.try !== lastTry || last.head !== headCommit);
}

/** Opens `publish` where commits wait for it. While one is open, later landings wait for the next. */
export function schedulePublish(draft: RunDraft): void {
  const { status } = draft.run;
  const isAtWork = status === 'running' || status === 'needs_input';
  if (isAtWork && needsPublish(draft) && mayPublish(draft)) openPublish(draft);
}

/** Opens the last `publish` of a run that is cancelled, where its home still serves the codebase. */
export function publishAtEnd(draft: RunDraft): void {
  const hasHome = draft.before.workers.some(({ workerId }) => workerId === draft.run.homeWorkerId);
  if (hasHome && needsPublish(draft) && mayPublish(draft)) openPublish(draft);
}

function mayPublish(draft: RunDraft): boolean {
  const isAsked = draft.isAsked('branch_moved') || draft.isAsked('infra', null);
  return !isAsked && findTheirs(draft) === null && !hasStep(draft, null, ['publish']);
}

/** Opens `publish` now, whatever the run's option says. Nothing where the branch has all, or a publish is at work. */
export function openPublish(draft: RunDraft): void {
  const { headCommit, baseCommit, publishedCommit, homeWorkerId } = draft.run;
  if (headCommit === null || headCommit === baseCommit || hasStep(draft, null, ['publish'])) return;
  const last = isSettled(draft);
  draft.openStep(
    planStep({
      kind: 'publish',
      storyId: null,
      n: 0,
      try: last ? lastTry : usualTry,
      base: publishedCommit ?? baseCommit ?? '',
      head: headCommit,
      oldHead: publishedCommit,
      targetWorkerId: homeWorkerId,
      infraTries: runInfraTries(draft, 'publish'),
      last,
    }),
  );
}

/**
 * Gives the branch to another worker where home has been offline for ten minutes and a step waits for it.
 * @returns whether it did: its steps are taken back then, and have to be opened again
 */
export function moveHome(draft: RunDraft): boolean {
  const { homeWorkerId } = draft.run;
  if (homeWorkerId === null || !isHomeNeeded(draft)) return false;
  const goneAt = homeGoneAt(draft);
  if (goneAt === null || goneAt > draft.now.getTime()) return false;
  const next = draft.before.workers.find(({ workerId, online }) => online && workerId !== homeWorkerId);
  if (next === undefined) return false;
  for (const { step } of draft.openSteps) {
    if (step.targetWorkerId === homeWorkerId) cancelSteps(draft, step.storyId, 'the worker of the step is offline');
  }
  draft.withdrawPlans(homeWorkerId);
  // The branch is not there yet.
  draft.setRun({ homeWorkerId: next.workerId, publishedCommit: null });
  const { status, currentIteration } = draft.run;
  const reason = `worker ${next.workerId} holds the branch now: ${homeWorkerId} is offline`;
  draft.event('run', { status, current_iteration: currentIteration, reason });
  return true;
}

/** When home has been away too long, in milliseconds; null: it is online, or nobody knows since when it is away. */
export function homeGoneAt(draft: RunDraft): number | null {
  const home = draft.before.workers.find(({ workerId }) => workerId === draft.run.homeWorkerId);
  // A worker that serves the codebase no more will not come back to it.
  if (home === undefined) return 0;
  return home.online || home.offlineSince === null ? null : Date.parse(home.offlineSince) + homePatienceMs;
}

/** Whether a step waits for the home worker. */
export function isHomeNeeded(draft: RunDraft): boolean {
  const { homeWorkerId } = draft.run;
  const isTarget = (step: { readonly targetWorkerId: string | null }): boolean => step.targetWorkerId === homeWorkerId;
  return draft.plans.some(isTarget) || draft.openSteps.some(({ step }) => isTarget(step));
}
