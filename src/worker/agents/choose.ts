// Chooses the agent for a task: the one that it names, else the first that can use the model that it names.
import type { WorkerTask } from '../../contracts/worker.ts';
import { acpPrograms } from './acp/acp-agent.ts';
import type { AgentAdapter } from './adapter/adapter.ts';
import { commandAgent } from './programs/command.ts';
import { modelAgentName } from './model/model-agent.ts';
import { programKinds } from './programs/programs.ts';
import type { UnusableAgent } from './programs/usable-agents.ts';

type Wanted = Pick<WorkerTask, 'agent_type' | 'model' | 'target_agent'>;

/** The agent that a task names. `agent_type` may also be a mode of working (`build`, `plan`, …). */
function namedBy(
  { target_agent: target, agent_type: type }: Wanted,
  agents: readonly { name: string }[],
): string | undefined {
  // A target that is not an agent is the name of this worker, by which the service has routed the task.
  if (target !== null && agents.some(({ name }) => name === target)) return target;
  const known = [...[...programKinds, ...acpPrograms, commandAgent, ...agents].map(({ name }) => name), modelAgentName];
  return type !== null && known.includes(type) ? type : undefined;
}

/** False for a model name that is not valid for any agent. */
function takes(agent: AgentAdapter, model: string | null): boolean {
  try {
    return model === null || agent.takesModel(model);
  } catch {
    return false;
  }
}

/**
 * @param agents in order of preference
 * @param unusable agents that cannot be used; a task that names one of them gets no other
 * @returns undefined when none fits; the outcome is then `agent_not_found`, with the text of `noAgentFor`
 */
export function chooseAgent(
  task: Wanted,
  agents: AgentAdapter[],
  unusable: readonly UnusableAgent[] = [],
): AgentAdapter | undefined {
  const name = namedBy(task, [...agents, ...unusable]);
  if (name !== undefined) return agents.find((agent) => agent.name === name && takes(agent, task.model));
  // The agent `command` runs the commands of a prompt; it never replaces an agent that works with a model.
  const thinking = agents.filter((agent) => agent !== commandAgent);
  return (thinking.length > 0 ? thinking : agents).find((agent) => takes(agent, task.model));
}

/** Why `chooseAgent` found none. */
export function noAgentFor(
  task: Wanted,
  agents: AgentAdapter[],
  unusable: readonly UnusableAgent[] = [],
): { code: 'agent_not_found'; message: string } {
  const here = agents.map(({ name }) => name).join(', ') || 'none';
  const name = namedBy(task, [...agents, ...unusable]);
  const wanted = [name && `the agent ${name}`, task.model && `the model ${task.model}`].filter(Boolean).join(' with ');
  const hint =
    'Install an agent program on the worker (opencode, codex, claude, gemini, pi), or set agent_bin or a model endpoint.';
  const troubles = unusable.map((agent) => ` ${agent.name} at ${agent.program} cannot be used: ${agent.trouble}.`);
  const message = `No agent of this worker fits ${wanted || 'the task'}. Agents here: ${here}.${troubles.join('')} ${hint}`;
  return { code: 'agent_not_found', message };
}
