// Wires the director of runs.
import { configuredPrincipals } from '../../../domain/access/identity/owners.ts';
import type { ConfiguredToken } from '../../../domain/access/identity/configured-tokens.ts';
import { isReservedSubject } from '../../../domain/model/access/user.ts';
import { RunDirector } from '../../../domain/runs/director/director.ts';
import type { DirectorDeps } from '../../../domain/runs/director/director-deps.ts';
import { buildStepTask, type StepTaskInput } from '../../../domain/runs/step-task.ts';
import type { TaskDraft } from '../../../domain/model/task/task-draft.ts';
import { stepDescriptor, stepResult } from '../../../contracts/step.ts';
import type { RunConfig } from '../../config/service-config.ts';

type Wired = 'buildStepTask' | 'parseStepResult' | 'isKnownOwner' | 'maxActiveRuns' | 'verifier';

export interface RunDirectorOptions extends Omit<DirectorDeps, Wired> {
  readonly config: { readonly runs: RunConfig; readonly tokens: readonly ConfiguredToken[] };
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
}

export function openRunDirector({ config, elapsedMs, ...options }: RunDirectorOptions): RunDirector {
  const { maxActiveRuns, verifier } = config.runs;
  const principals = configuredPrincipals(config.tokens);
  const deps: DirectorDeps = {
    ...options,
    maxActiveRuns,
    verifier,
    buildStepTask: buildValidStepTask,
    parseStepResult: (content) => stepResult.safeParse(content).data,
    // Users have rows, whose status the snapshot has read; only the configuration has its tokens.
    isKnownOwner: (tenantId, subject) =>
      !isReservedSubject(subject) || principals.find(tenantId, subject) !== undefined,
  };
  return new RunDirector(deps, elapsedMs);
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
