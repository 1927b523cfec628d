// The verb abilities: what the tenant's registered workers can do now, for whoever describes the service.
import type { Caller } from '../../model/access/caller.ts';
import type { WorkerDirectory } from './worker-directory.ts';

export interface OnlineCapabilities {
  /** Agents that some worker at work can run, each once, sorted. */
  readonly agents: readonly string[];
  /** Capabilities that some worker at work has, each once, sorted. */
  readonly capabilities: readonly string[];
}

/** @throws DomainError unavailable */
export async function findOnlineCapabilities(
  deps: { readonly workerDirectory: WorkerDirectory },
  caller: Caller,
): Promise<OnlineCapabilities> {
  const online = [...(await deps.workerDirectory.workersOf(caller)).values()].filter((worker) => worker.online);
  return {
    agents: uniqueSorted(online.flatMap((worker) => worker.agents)),
    capabilities: uniqueSorted(online.flatMap((worker) => worker.capabilities)),
  };
}

function uniqueSorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
