// Lists the agents that this worker does not offer, with the reasons, for its registration.
import type { Register } from '../../contracts/worker.ts';
import type { UnusableAgent } from './programs/usable-agents.ts';
import { programKinds } from './programs/programs.ts';

type MissingAgents = NonNullable<Register['agents_missing']>;

/** Characters of a reason that the service takes. */
const maxReason = 500;

/**
 * Agents that are here and cannot be used, and known programs that are not here.
 * @param searched true where the worker looked for every known program: the operator named none
 */
export function listMissingAgents(
  usable: readonly string[],
  unusable: readonly UnusableAgent[],
  searched: boolean,
): MissingAgents {
  const broken = unusable.map(({ name, trouble }) => ({ name, reason: trouble.slice(0, maxReason) }));
  if (!searched) return broken;
  const seen = new Set([...usable, ...unusable.map(({ name }) => name)]);
  const absent = programKinds.filter(({ name }) => !seen.has(name));
  return [...broken, ...absent.map(({ name }) => ({ name, reason: 'no such program is on the PATH of the worker' }))];
}
