// Decides when the user's branch moves, and on which worker. runs-12.
import type { RunDraft } from '../draft/run-draft.ts';
import { hasStep } from '../draft/story-lookups.ts';
import { replaceWarning } from '../draft/warnings.ts';
import { mostTries, runInfraTries, type InfraFailure } from '../story/infra.ts';
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

/** Opens the last `publish` of a run that is cancelled; what cannot be put on the branch is a warning. */
export function publishAtEnd(draft: RunDraft): void {
  warnAboutMerge(draft);
  if (!needsPublish(draft)) return;
  if (mayPublish(draft) && findHome(draft)) openPublish(draft);
  else if (!hasStep(draft, null, ['publish'])) warnNotPublished(draft, 'the run was cancelled');
}

/** Puts landed commits on the branch as a person asks, of a run that is over too. */
export function publishOnRequest(draft: RunDraft): void {
  if (draft.run.publishedCommit === draft.run.headCommit) return;
  // Without any worker the task waits for home.
  findHome(draft);
  openPublish(draft);
}

/**
 * The last publish of a run that is over failed outside it, or reached its deadline because home is away: it is tried again,
 * on another worker where home is offline, and is a warning in the end. Nobody is asked after the end.
 */
export function retryLatePublish(draft: RunDraft, { code, message }: InfraFailure): void {
  const isLeft = runInfraTries(draft, 'publish') < mostTries;
  if (isLeft && findHome(draft, 'online')) openPublish(draft);
  else warnNotPublished(draft, `${code}: ${message}`);
}

function warnNotPublished(draft: RunDraft, why: string): void {
  const { id, branch, headCommit } = draft.run;
  const message = `The branch ${branch} lacks commits up to ${headCommit ?? ''} (${why}). switchyard ralph commit ${id} puts them there.`;
  replaceWarning(draft, 'not_published', message);
}

/**
 * Looks whether home serves the codebase still; else another worker that does becomes home.
 * @returns false: no worker does
 */
function findHome(draft: RunDraft, wanted: 'any' | 'online' = 'any'): boolean {
  const { homeWorkerId } = draft.run;
  const { workers } = draft.before;
  const home = workers.find(({ workerId }) => workerId === homeWorkerId);
  if (home !== undefined && (wanted === 'any' || home.online)) return true;
  const next = workers.find(({ online, workerId }) => online && workerId !== homeWorkerId);
  // The branch is not there yet.
  if (next !== undefined) draft.setRun({ homeWorkerId: next.workerId, publishedCommit: null });
  return next !== undefined;
}

/** A part of the stories is nothing to merge into a branch of the user. */
export function warnAboutMerge(draft: RunDraft): void {
  const { branch, baseCommit, headCommit, options } = draft.run;
  const { mergeInto: into } = options;
  if (into === null || headCommit === baseCommit || draft.stories.every(({ status }) => status === 'passed')) return;
  const message = `Not every story passed, so ${into} was left alone. Merge it by hand: git checkout ${into} && git merge ${branch}`;
  replaceWarning(draft, 'not_merged', message);
}

function mayPublish(draft: RunDraft): boolean {
  const isAsked = draft.isAsked('branch_moved') || draft.isAsked('infra', null);
  return !isAsked && findTheirs(draft) === null && !hasStep(draft, null, ['publish']);
}

/** Opens `publish` now, whatever the run's option is. Does nothing if the branch has all commits or a publish is at work. */
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

/** The time from which home has been away too long, in milliseconds; null: it is online, or was never seen to go. */
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
