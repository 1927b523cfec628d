// Wires autonomous runs: the director, and the verbs of people, which decide as it does.
import { configuredPrincipals } from '../../../domain/access/identity/owners.ts';
import { isReservedSubject } from '../../../domain/model/access/user.ts';
import type { PrdChatDeps } from '../../../domain/prd/chat/chat-deps.ts';
import { createRunDecisions } from '../../../domain/runs/change/decide-wish.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { decide } from '../../../domain/runs/decide/decide.ts';
import { RunDirector } from '../../../domain/runs/director/director.ts';
import type { DirectorDeps } from '../../../domain/runs/director/director-deps.ts';
import { buildStepTask, type StepTaskInput } from '../../../domain/runs/step-task.ts';
import type { TaskDraft } from '../../../domain/model/task/task-draft.ts';
import { stepDescriptor, stepResult } from '../../../contracts/step.ts';
import { elapsedMs, type BuildOptions } from '../build-options.ts';
import type { Services } from '../services.ts';

export interface Runs {
  readonly director: RunDirector;
  readonly verbs: RunDeps;
  readonly chat: PrdChatDeps;
}

export function wireRuns({ config, log }: Pick<BuildOptions, 'config' | 'log'>, services: Services): Runs {
  const { maxActiveRuns, verifier } = config.runs;
  const principals = configuredPrincipals(config.tokens);
  const deps: DirectorDeps = {
    ...services,
    audit: services.audit.loops,
    metrics: services.metrics.runs,
    decide,
    log,
    maxActiveRuns,
    verifier,
    buildStepTask: buildValidStepTask,
    parseStepResult: (content) => stepResult.safeParse(content).data,
    // Users have rows, whose status the snapshot has read; only the configuration has its tokens.
    isKnownOwner: (tenantId, subject) =>
      !isReservedSubject(subject) || principals.find(tenantId, subject) !== undefined,
  };
  const chat: PrdChatDeps = { ...services, chatAgent: config.runs.chatAgent };
  return {
    chat,
    director: new RunDirector(deps, elapsedMs),
    verbs: { ...services, settings: config.runs, decisions: createRunDecisions(deps) },
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
