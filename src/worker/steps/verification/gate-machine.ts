// The confinement and the limits of the gates of one step on this worker.
import { findConfinement } from '../../gates/find-confinement.ts';
import type { GateMachine } from '../../gates/run-gate.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

/** @throws StepError `gates_off` where this worker runs none */
export async function openGateMachine(context: StepContext): Promise<GateMachine> {
  const { gates, env, offersPrograms, folder, contained, privatePaths, killGraceMs, signal } = context;
  const confinement = await findConfinement(gates.mode, { env, offersPrograms });
  if (confinement === undefined) {
    const why = gates.mode === 'off' ? 'A2A_WORKER_GATES is off' : 'bubblewrap (bwrap) does not work on this machine';
    const remedy =
      'Install bubblewrap, or set A2A_WORKER_GATES=unconfined where running without confinement is accepted.';
    throw new StepError('gates_off', `This worker runs no gates: ${why}. ${remedy}`);
  }
  return {
    confinement,
    folder: folder.path,
    contained,
    env,
    hidden: privatePaths,
    killGraceMs,
    memoryBytes: gates.memoryMb * 1024 * 1024,
    signal,
  };
}
