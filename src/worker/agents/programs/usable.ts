// Which of a worker's agents can be used now: a program may be too old, or have been replaced since it was found.
import type { AgentAdapter } from '../adapter/adapter.ts';

/** An agent that cannot be used, and why. */
export interface UnusableAgent {
  name: string;
  program: string;
  trouble: string;
}

/** Keeps the order. */
export async function sortOut(
  agents: readonly AgentAdapter[],
): Promise<{ usable: AgentAdapter[]; unusable: UnusableAgent[] }> {
  const looked = await Promise.all(agents.map(async (agent) => ({ agent, trouble: await agent.trouble?.() })));
  return {
    usable: looked.flatMap(({ agent, trouble }) => (trouble === undefined ? [agent] : [])),
    unusable: looked.flatMap(({ agent: { name, program }, trouble }) =>
      trouble === undefined ? [] : [{ name, program, trouble }],
    ),
  };
}
