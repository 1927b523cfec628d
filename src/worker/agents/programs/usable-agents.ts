// Checks which of a worker's agents can be used now: a program may be too old, or have been replaced since its
// detection.
import type { AgentAdapter } from '../adapter/adapter.ts';

/** An agent that cannot be used, and the reason. */
export interface UnusableAgent {
  readonly name: string;
  readonly program: string;
  readonly trouble: string;
}

/** Splits agents into usable and unusable ones, in their order. */
export async function partitionUsable(
  agents: readonly AgentAdapter[],
): Promise<{ usable: AgentAdapter[]; unusable: UnusableAgent[] }> {
  const checked = await Promise.all(agents.map(async (agent) => ({ agent, trouble: await agent.findProblem?.() })));
  return {
    usable: checked.flatMap(({ agent, trouble }) => (trouble === undefined ? [agent] : [])),
    unusable: checked.flatMap(({ agent: { name, program }, trouble }) =>
      trouble === undefined ? [] : [{ name, program, trouble }],
    ),
  };
}
