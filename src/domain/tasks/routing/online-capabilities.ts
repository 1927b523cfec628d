// The verb capabilities: agents and capabilities of the tenant's online workers, for descriptions of the service.
import type { Caller } from '../../model/access/caller.ts';
import { isReservedLabel } from './reserved-labels.ts';
import type { WorkerDirectory } from './worker-directory.ts';

export interface OnlineCapabilities {
  /** Agents that at least one online worker can run, each once, sorted. */
  readonly agents: readonly string[];
  /** Capabilities of at least one online worker that callers may ask for, each once, sorted. */
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
    capabilities: uniqueSorted(online.flatMap((worker) => worker.capabilities)).filter(
      (name) => !isReservedLabel(name),
    ),
  };
}

function uniqueSorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
