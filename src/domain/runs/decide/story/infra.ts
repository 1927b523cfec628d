// Failures outside a story: they spend time or tries, never an iteration. runs-11.
import type { RunStep, RunStory, StoryWait } from '../../../model/run/run.ts';
import type { StepKind, StoryPhase } from '../../../model/run/run-state.ts';
import { askAgentSetup, askInfra, type FailedStepFacts } from '../../outcome/question.ts';
import type { RunDraft } from '../draft/run-draft.ts';
import { agentsFor, hasUntriedAgent, hasUntriedWorker } from './choices.ts';
import { askAboutStory, enterPhase } from './story-moves.ts';

/** Tries of one step before a person is asked. */
export const mostTries = 3;
const minute = 60_000;
const day = 24 * 60 * minute;
const backoffMinutes = [1, 5, 30, 120] as const;
const agentSetupCodes: readonly string[] = ['model_refused', 'agent_missing', 'bad_model'];
const modelCodes: readonly string[] = ['model_unreachable', 'rate_limited'];

/** The phase in which a story is while a step of this kind runs. */
export const phaseOfStep: Readonly<Record<Exclude<StepKind, 'prepare' | 'publish'>, StoryPhase>> = {
  implement: 'implementing',
  check: 'checking',
  judge: 'judging',
  land: 'landing',
  resolve: 'resolving',
  diagnose: 'diagnosing',
};

export interface InfraFailure {
  readonly code: string;
  readonly message: string;
  /** The end of the model's rate limit as its provider reports it; null: it reports none. */
  readonly retryAt: string | null;
}

/** The story waits and tries the same step again, or asks. The step is closed before. */
export function waitAfterInfra(draft: RunDraft, story: RunStory, step: RunStep, failure: InfraFailure): void {
  const phase = step.kind === 'prepare' || step.kind === 'publish' ? 'implementing' : phaseOfStep[step.kind];
  const previous = story.wait !== null && isSameKind(story.wait.reason, failure.code) ? story.wait : null;
  const facts = factsOf(step, failure, (previous?.count ?? 0) + 1);
  const { storyId } = story;
  if (agentSetupCodes.includes(failure.code)) {
    askAboutStory(draft, storyId, askAgentSetup(facts), phase);
    return;
  }
  const notBefore = nextTryAt(draft, story, step, failure, previous);
  if (notBefore === null) {
    askAboutStory(draft, storyId, askInfra(facts), phase);
    return;
  }
  const since = previous?.since ?? draft.at;
  enterPhase(draft, storyId, 'waiting', { reason: failure.code, notBefore, phase, count: facts.tries, since });
}

/** The facts of a failed step as its question shows them. */
export function factsOf(step: RunStep, { code, message }: InfraFailure, tries: number): FailedStepFacts {
  return { kind: step.kind, storyId: step.storyId, n: step.n, taskId: step.taskId, code, message, tries };
}

/** The time of the next try of the same step, ISO 8601; null: a person is asked. */
function nextTryAt(
  draft: RunDraft,
  story: RunStory,
  step: RunStep,
  { code, retryAt }: InfraFailure,
  previous: StoryWait | null,
): string | null {
  const count = (previous?.count ?? 0) + 1;
  if (code === 'base_missing') return hasUntriedWorker(draft, story, count) ? draft.at : null;
  if (!modelCodes.includes(code)) return count < mostTries ? draft.at : null;
  if (code === 'rate_limited' && hasUntriedAgent(draft, story, agentsFor(draft, story, step.kind), count))
    return draft.at;
  const resetAt = code === 'rate_limited' && retryAt !== null ? Date.parse(retryAt) : Number.NaN;
  const now = draft.now.getTime();
  if (!Number.isNaN(resetAt)) {
    return new Date(Math.min(Math.max(resetAt + minute, now + minute), now + day)).toISOString();
  }
  if (previous !== null && now - Date.parse(previous.since) >= day) return null;
  const index = Math.min(count, backoffMinutes.length) - 1;
  return new Date(now + (backoffMinutes[index] ?? 120) * minute).toISOString();
}

function isSameKind(reason: string, code: string): boolean {
  return modelCodes.includes(reason) === modelCodes.includes(code);
}

/** Tries in a row of a step of the run itself that ended as `infra`, since its last question was answered. */
export function runInfraTries(draft: RunDraft, kind: 'prepare' | 'publish'): number {
  const last = draft.endedSteps.findLast((step) => step.kind === kind && step.status !== 'cancelled');
  if (last?.status !== 'infra') return 0;
  const isForgiven = draft.questions.some(
    (question) =>
      question.kind === 'infra' &&
      question.storyId === null &&
      question.answeredAt !== null &&
      question.askedAt >= (last.endedAt ?? ''),
  );
  return isForgiven ? 0 : last.infraTries + 1;
}

/** Asks when a step of the run itself has failed too often; else the next look tries it again. */
export function countRunInfra(draft: RunDraft, step: RunStep, failure: InfraFailure): void {
  const tries = step.infraTries + 1;
  if (tries >= mostTries) draft.ask(askInfra(factsOf(step, failure, tries)));
}
