// The verb release: lets sends go that wait since a restore. platform-6.
import type { Caller } from '../model/access/caller.ts';
import type { Restore, Restores } from '../ports/recovery/restores.ts';

export interface ReleaseDeps {
  readonly restores: Restores;
  readonly sends: { forget(): void };
}

/** @returns the restore whose sends waited; undefined: none waited, which is no error @throws DomainError unavailable */
export async function releaseSends({ restores, sends }: ReleaseDeps, caller: Caller): Promise<Restore | undefined> {
  const released = await restores.release(caller.subject, caller.intent);
  sends.forget();
  return released;
}

export interface FreeDeps {
  readonly restores: Pick<Restores, 'freeHeldTasks'>;
  readonly sends: { areHeld(): Promise<boolean> };
}

/**
 * Once sends are released, gives the tasks that waited back to their workers. A loop and not the verb does it: a task may
 * be created for a held send in the same moment as the release. The sweep of the dispatcher finds them.
 */
export async function freeHeldTasks({ restores, sends }: FreeDeps): Promise<number> {
  return (await sends.areHeld()) ? 0 : restores.freeHeldTasks();
}
