// The verb abilities: what the tenant's registered workers can do now, for whoever describes the service.
import type { Caller } from '../../model/access/caller.ts';
import type { Roster } from './roster.ts';

export interface Abilities {
  /** Agents that some worker at work can run, each once, sorted. */
  readonly agents: readonly string[];
  /** Capabilities that some worker at work has, each once, sorted. */
  readonly capabilities: readonly string[];
}

/** @throws DomainError unavailable */
export async function abilitiesOf(deps: { readonly roster: Roster }, caller: Caller): Promise<Abilities> {
  const online = [...(await deps.roster.workersOf(caller)).values()].filter((worker) => worker.online);
  return {
    agents: each(online.flatMap((worker) => worker.agents)),
    capabilities: each(online.flatMap((worker) => worker.capabilities)),
  };
}

function each(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
