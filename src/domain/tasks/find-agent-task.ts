// Finds the task that an agent runs now, by the agent's name.
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { Store } from '../ports/store/store.ts';

/** Tasks listed in the error for an ambiguous name. */
const maxNamed = 10;

/**
 * The one task that an agent runs. The agent is looked up by worker id, else by worker name, else by agent name.
 * @throws DomainError not_found (no such worker or agent); conflict `agent_idle`, `ambiguous_agent`
 */
export async function findAgentTask(deps: { readonly store: Store }, caller: Caller, agent: string): Promise<string> {
  const { attempts, known } = await deps.store.within({ tenantId: caller.tenantId }, async (rows) => {
    const found = await rows.interventions.findRunningAttempts(agent, maxNamed + 1);
    return { attempts: found, known: found.length > 0 || (await rows.interventions.hasAgent(agent)) };
  });
  const [attempt, ...others] = attempts;
  if (!known) throw notFound('agent');
  if (attempt === undefined)
    throw new DomainError('conflict', 'agent_idle', 'This agent is not running a task. Name a task by its id.');
  if (others.length === 0) return attempt.taskId;
  const tasks = attempts.slice(0, maxNamed).map(({ taskId, workerName }) => `${taskId} (on ${workerName})`);
  const more = attempts.length > maxNamed ? ', and more' : '';
  const errorMessage = `This name matches several running tasks. Choose one by task_id: ${tasks.join(', ')}${more}.`;
  throw new DomainError('conflict', 'ambiguous_agent', errorMessage);
}
