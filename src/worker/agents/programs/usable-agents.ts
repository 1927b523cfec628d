// Which of a worker's agents can be used now: a program may be too old, or have been replaced since it was found.
import type { AgentAdapter } from '../adapter/adapter.ts';

/** An agent that cannot be used, and why. */
export interface UnusableAgent {
  name: string;
  program: string;
  trouble: string;
}

/** Keeps the order. */
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
