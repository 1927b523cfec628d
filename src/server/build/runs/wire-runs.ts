// Wires autonomous runs: the director, and the verbs of people, which decide as it does.
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import { createRunDecisions } from '../../../domain/runs/change/decide-wish.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { decide } from '../../../domain/runs/decide/decide.ts';
import { RunDirector } from '../../../domain/runs/director/director.ts';
import type { DirectorDeps } from '../../../domain/runs/director/director-deps.ts';
import { buildStepTask, type StepTaskInput } from '../../../domain/runs/step-task.ts';
import type { TaskDraft } from '../../../domain/model/task/task-draft.ts';
import { stepDescriptor, stepResult } from '../../../contracts/step.ts';
import type { RunConfig } from '../../config/service-config.ts';

export interface WiredRuns {
  readonly director: RunDirector;
  readonly verbs: RunDeps;
  readonly chat: PrdChatDeps;
}

type Wired = 'decide' | 'buildStepTask' | 'parseStepResult' | 'maxActiveRuns' | 'verifier';

export interface RunWiring
  extends
    Omit<DirectorDeps, Wired>,
    Omit<RunDeps, 'settings' | 'decisions'>,
    Omit<PrdChatDeps, 'chatAgent' | 'enabled' | 'answerWaitMs'> {
  readonly config: { readonly runs: RunConfig };
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
  /** How long a message of a PRD chat waits for its answer; undefined: 60 seconds. */
  readonly prdAnswerWaitMs: number | undefined;
}

/** runs-13. */
const defaultAnswerWaitMs = 60_000;

export function wireRuns({ config, elapsedMs, prdAnswerWaitMs, ...services }: RunWiring): WiredRuns {
  const { maxActiveRuns, verifier } = config.runs;
  const director: DirectorDeps = {
    ...services,
    decide,
    maxActiveRuns,
    verifier,
    buildStepTask: buildValidStepTask,
    parseStepResult: (content) => stepResult.safeParse(content).data,
  };
  return {
    chat: {
      ...services,
      chatAgent: config.runs.chatAgent,
      enabled: config.runs.enabled,
      answerWaitMs: prdAnswerWaitMs ?? defaultAnswerWaitMs,
    },
    director: new RunDirector(director, elapsedMs),
    verbs: { ...services, settings: config.runs, decisions: createRunDecisions(director) },
  };
}

/**
 * A worker's claim is answered with the descriptor as it is stored, so it has to be the contract's before.
 * @throws ZodError
 */
function buildValidStepTask(input: StepTaskInput): TaskDraft {
  const draft = buildStepTask(input);
  stepDescriptor.parse(draft.step);
  return draft;
}
