// The next step of each running story without one. runs-5.
import { unreachable } from '../../../../lib/net/unreachable.ts';
import type { RunStory, StoryAttempt } from '../../../model/run/run.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import {
  failedAttempts,
  hasStep,
  landableCommit,
  openAttemptOf,
  stepsOf,
  uncoveredCriteria,
} from '../draft/story-lookups.ts';
import { beginAttempt } from '../story/attempts.ts';
import { chooseImplementer, chooseVerifier, chooseWorker } from '../story/choices.ts';
import { enterPhase } from '../story/story-moves.ts';
import { mayOpenSteps } from './holds.ts';
import { planForAttempt } from './step-plan.ts';

/** Ends the waits whose time has come. */
export function endWaits(draft: RunDraft): void {
  for (const { storyId, status, phase, wait } of draft.stories) {
    const isOver = wait?.notBefore !== null && wait?.notBefore !== undefined && wait.notBefore <= draft.at;
    if (status === 'running' && phase === 'waiting' && wait !== null && isOver) enterPhase(draft, storyId, wait.phase);
  }
}

export function openNextSteps(draft: RunDraft): void {
  if (!mayOpenSteps(draft)) return;
  for (const { storyId } of draft.stories) {
    const story = draft.story(storyId);
    if (story?.status === 'running' && !hasStep(draft, storyId)) openNextStep(draft, story);
  }
}

function openNextStep(draft: RunDraft, story: RunStory): void {
  const { phase } = story;
  if (phase === null) return;
  switch (phase) {
    case 'implementing':
      openImplement(draft, story);
      return;
    case 'checking':
      openCheck(draft, story);
      return;
    case 'judging':
      openJudge(draft, story);
      return;
    case 'resolving':
      openResolve(draft, story);
      return;
    case 'diagnosing':
      openDiagnose(draft, story);
      return;
    case 'landing': // The landing queue opens its steps.
    case 'asking':
    case 'waiting':
      return;
    default:
      unreachable(phase);
  }
}

function openImplement(draft: RunDraft, story: RunStory): void {
  const attempt = openAttemptOf(draft, story) ?? beginAttempt(draft, story);
  const targetWorkerId = chooseWorker(draft, story, 'implement', false);
  enterPhase(draft, story.storyId, 'implementing');
  draft.openStep(
    planForAttempt(attempt, {
      kind: 'implement',
      ...chooseImplementer(draft, story),
      targetWorkerId,
      infraTries: story.wait?.count ?? 0,
    }),
  );
}

function openCheck(draft: RunDraft, story: RunStory): void {
  const attempt = requireAttempt(draft, story);
  if (attempt === undefined) return;
  const isFromPerson = attempt.candidateTree === null && attempt.candidateCommit !== null;
  draft.openStep(
    planForAttempt(attempt, {
      kind: 'check',
      candidate: attempt.candidateCommit,
      targetWorkerId: chooseWorker(draft, story, 'check', isFromPerson),
      infraTries: story.wait?.count ?? 0,
    }),
  );
}

function openJudge(draft: RunDraft, story: RunStory): void {
  const attempt = requireAttempt(draft, story);
  if (attempt === undefined) return;
  draft.openStep(
    planForAttempt(attempt, {
      kind: 'judge',
      // After a merge the change is that on the head, not that on the attempt's base.
      base: landableCommit(draft, attempt)?.parent ?? attempt.baseCommit,
      candidate: attempt.storyCommit ?? attempt.candidateCommit,
      criteria: uncoveredCriteria(draft, story, attempt),
      ...chooseVerifier(draft, attempt),
      targetWorkerId: chooseWorker(draft, story, 'judge', false),
      infraTries: story.wait?.count ?? 0,
    }),
  );
}

/** Merges the candidate of the last void attempt on the head, as a new try. */
function openResolve(draft: RunDraft, story: RunStory): void {
  const open = openAttemptOf(draft, story);
  const conflicting = draft.attempts.findLast(
    (attempt) => attempt.storyId === story.storyId && attempt.failureCode === 'conflict',
  );
  if (conflicting === undefined || conflicting.candidateCommit === null) {
    openImplement(draft, story);
    return;
  }
  const attempt = open ?? beginAttempt(draft, story);
  draft.openStep(
    planForAttempt(attempt, {
      kind: 'resolve',
      candidate: conflicting.candidateCommit,
      head: attempt.baseCommit,
      ...chooseImplementer(draft, story),
      targetWorkerId: chooseWorker(draft, story, 'resolve', false),
      infraTries: story.wait?.count ?? 0,
    }),
  );
}

function openDiagnose(draft: RunDraft, story: RunStory): void {
  const last = failedAttempts(draft, story).at(-1);
  if (last === undefined) {
    openImplement(draft, story);
    return;
  }
  draft.openStep(
    planForAttempt(last, {
      kind: 'diagnose',
      base: draft.run.headCommit ?? last.baseCommit,
      candidate: last.candidateCommit,
      ...chooseVerifier(draft, last),
      targetWorkerId: chooseWorker(draft, story, 'diagnose', false),
      infraTries: story.wait?.count ?? 0,
    }),
  );
}

/** The attempt at work. A phase that needs one and has none is left for the attempt that has to come first. */
function requireAttempt(draft: RunDraft, story: RunStory): StoryAttempt | undefined {
  const attempt = openAttemptOf(draft, story);
  const isReady = attempt !== undefined && (attempt.candidateCommit !== null || hasImplemented(draft, attempt));
  if (isReady) return attempt;
  openImplement(draft, story);
  return undefined;
}

/** An agent may have changed nothing: then there is no candidate, and the checks of the base decide. */
function hasImplemented(draft: RunDraft, attempt: StoryAttempt): boolean {
  return stepsOf(draft, attempt).some(({ kind, status }) => kind === 'implement' && status === 'ok');
}
