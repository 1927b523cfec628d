// Which task an agent runs now, when a person names the agent.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Store } from '../ports/store/store.ts';

/** Runs that an ambiguous name is told with. */
const named = 10;

/**
 * The one task that an agent runs: by a worker's id, else by a worker's name, else by an agent's name.
 * @throws DomainError not_found (no such worker or agent); conflict `agent_idle`, `ambiguous_agent`
 */
export async function runOf(deps: { readonly store: Store }, caller: Caller, agent: string): Promise<string> {
  const { runs, known } = await deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const found = await rows.interventions.runsOf(agent, named + 1);
    return { runs: found, known: found.length > 0 || (await rows.interventions.knowsAgent(agent)) };
  });
  const [run, ...others] = runs;
  if (!known) throw notFound('agent');
  if (run === undefined) throw new DomainError('conflict', 'agent_idle', 'This agent runs no task now.');
  if (others.length === 0) return run.taskId;
  const tasks = runs.slice(0, named).map(({ taskId, workerName }) => `${taskId} (on ${workerName})`);
  const more = runs.length > named ? ', and more' : '';
  const words = `This name stands for several tasks that run now: say which by task_id. ${tasks.join(', ')}${more}.`;
  throw new DomainError('conflict', 'ambiguous_agent', words);
}
