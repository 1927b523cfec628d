// Decides about what a person wants of a run as the director decides, in the transaction of the verb. runs-7.
import { DomainError } from '../../model/errors.ts';
import { unreachable } from '../../../lib/net/unreachable.ts';
import { decide, decideCancel, decidePause, decidePublish, decideResume } from '../decide/decide.ts';
import { advanceRun } from '../director/advance-run.ts';
import type { DirectorDeps } from '../director/director-deps.ts';
import { refusalError, StepRefused } from '../director/open-steps.ts';
import { lockRun } from '../read/require-run.ts';
import type { RunDecisions, RunWish } from './run-deps.ts';

export function createRunDecisions(director: DirectorDeps): RunDecisions {
  return {
    async settle(rows, { tenantId }, runId, wish, ownerMayAct) {
      const run = await lockRun(rows, runId);
      try {
        const { hints } = await advanceRun(director, rows, tenantId, run, { decide: decisionOf(wish), ownerMayAct });
        return () => {
          for (const hint of hints) director.wake.announce(hint);
        };
      } catch (error) {
        if (!(error instanceof StepRefused)) throw error;
        const { code, message } = refusalError(error.refusal);
        throw new DomainError('conflict', code, message, { cause: error });
      }
    },
  };
}

function decisionOf(wish: RunWish): DirectorDeps['decide'] {
  switch (wish.wish) {
    case 'cancel':
      return (snapshot, now) => decideCancel(snapshot, wish.reason, now);
    case 'pause':
      return (snapshot, now) => decidePause(snapshot, wish.mode, now);
    case 'resume':
      return decideResume;
    case 'commit':
      return decidePublish;
    case 'look':
      return decide;
    default:
      return unreachable(wish);
  }
}
