// Finds the confinement of gates on this worker, by its setting and by what works here. runs-6.
import { locateSandbox } from '../agents/detect.ts';
import type { GateSettings } from './gate-settings.ts';
import type { GateConfinement } from './run-gate.ts';

/**
 * @param offersPrograms whether the worker offers an agent program, which runs commands without confinement anyway
 * @returns undefined: this worker runs no gates
 */
export async function findConfinement(
  mode: GateSettings['mode'],
  { env, offersPrograms }: { readonly env: NodeJS.ProcessEnv; readonly offersPrograms: boolean },
): Promise<GateConfinement | undefined> {
  if (mode === 'off') return undefined;
  if (mode === 'unconfined') return { kind: 'unconfined' };
  const program = await locateSandbox(env);
  if (program !== undefined) return { kind: 'confined', program };
  return mode === 'auto' && offersPrograms ? { kind: 'unconfined' } : undefined;
}
