// The steps that run a repository's commands, as the dispatch of steps calls them.
import type { CheckResultWire, PrepareResultWire } from '../../../contracts/step.ts';
import type { SetUp } from '../agents/implement.ts';
import type { Verify } from '../commits/land.ts';
import type { StepContext } from '../step-context.ts';
import { runCheck } from '../verification/check.ts';
import { setUpForAgent } from '../verification/install-dependencies.ts';
import { runPrepare } from '../verification/prepare.ts';
import { verifyCandidate } from '../verification/verify.ts';

export interface GateSteps {
  readonly prepare: (context: StepContext) => Promise<PrepareResultWire>;
  readonly check: (context: StepContext) => Promise<CheckResultWire>;
  readonly setUp: SetUp;
  readonly verify: Verify;
}

export const gateSteps: GateSteps = {
  prepare: runPrepare,
  check: runCheck,
  setUp: setUpForAgent,
  verify: verifyCandidate,
};
