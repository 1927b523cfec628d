// Wires autonomous runs: the director, and the verbs of people, which decide as it does.
import { configuredPrincipals } from '../../../domain/access/identity/owners.ts';
import type { ConfiguredToken } from '../../../domain/access/identity/configured-tokens.ts';
import { isReservedSubject } from '../../../domain/model/access/user.ts';
import { createRunDecisions } from '../../../domain/runs/change/decide-wish.ts';
import type { RunDeps } from '../../../domain/runs/change/run-deps.ts';
import { decide } from '../../../domain/runs/decide/decide.ts';
import { RunDirector } from '../../../domain/runs/director/director.ts';
import type { DirectorDeps } from '../../../domain/runs/director/director-deps.ts';
import { buildStepTask } from '../../../domain/runs/step-task.ts';
import { stepResult } from '../../../contracts/step.ts';
import type { RunConfig } from '../../config/service-config.ts';

export interface WiredRuns {
  readonly director: RunDirector;
  readonly verbs: RunDeps;
}

type Wired = 'decide' | 'buildStepTask' | 'parseStepResult' | 'isKnownOwner' | 'maxActiveRuns' | 'verifier';

export interface RunWiring extends Omit<DirectorDeps, Wired>, Omit<RunDeps, 'settings' | 'decisions'> {
  readonly config: { readonly runs: RunConfig; readonly tokens: readonly ConfiguredToken[] };
  /** A clock that is never set back. */
  readonly elapsedMs: () => number;
}

export function wireRuns({ config, elapsedMs, ...services }: RunWiring): WiredRuns {
  const { maxActiveRuns, verifier } = config.runs;
  const principals = configuredPrincipals(config.tokens);
  const director: DirectorDeps = {
    ...services,
    decide,
    maxActiveRuns,
    verifier,
    buildStepTask,
    parseStepResult: (content) => stepResult.safeParse(content).data,
    // Users have rows, whose status the snapshot has read; only the configuration has its tokens.
    isKnownOwner: (tenantId, subject) =>
      !isReservedSubject(subject) || principals.find(tenantId, subject) !== undefined,
  };
  return {
    director: new RunDirector(director, elapsedMs),
    verbs: { ...services, settings: config.runs, decisions: createRunDecisions(director) },
  };
}
