// The steps that run a repository's commands, as the dispatch of steps calls them.
import type { CheckResultWire, PrepareResultWire } from '../../../contracts/step.ts';
import type { SetUp } from '../agents/implement.ts';
import type { Verify } from '../commits/land.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

export interface GateSteps {
  readonly prepare: (context: StepContext) => Promise<PrepareResultWire>;
  readonly check: (context: StepContext) => Promise<CheckResultWire>;
  readonly setUp: SetUp;
  readonly verify: Verify;
}

function notBuilt(): Promise<never> {
  return Promise.reject(new StepError('gates_off', 'This worker runs no gates.'));
}

export const gateSteps: GateSteps = { prepare: notBuilt, check: notBuilt, setUp: notBuilt, verify: notBuilt };
