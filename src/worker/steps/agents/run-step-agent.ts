// Runs the agent of a step in a fresh session and a tree of its own.
import type { WorkerTask } from '../../../contracts/worker.ts';
import { commandAgent } from '../../agents/programs/command.ts';
import type { AgentAdapter, AgentUsage } from '../../agents/adapter/adapter.ts';
import { messagesSincePrompt } from '../../agents/adapter/prompt.ts';
import { chooseAgent, noAgentFor } from '../../agents/choose.ts';
import { priceUsage, type PriceTable } from '../../agents/prices/prices.ts';
import { partitionUsable } from '../../agents/programs/usable-agents.ts';
import type { Verdict } from '../../agents/output/verdict.ts';
import type { AgentInterventions } from '../../attempt/intervention-handler.ts';
import { runTurns } from '../../attempt/run-turns.ts';
import { OutputWriter } from '../../process/output-writer.ts';
import type { StepTree } from '../open-step-tree.ts';
import type { StepContext } from '../step-context.ts';
import { StepError } from '../step-error.ts';

/** The agents of a worker, and the limits of one. */
export interface StepAgents {
  /** In order of preference, including those that cannot be used now. */
  readonly agents: readonly AgentAdapter[];
  /** The worker's environment; credentials are taken out of it for each agent. */
  readonly env: NodeJS.ProcessEnv;
  readonly agentHome: 'user' | 'private';
  readonly timeoutMs: number;
  readonly modelPatienceMs: number;
  readonly maxOutputBytes: number;
  /** Prices of models, for agents that report none. */
  readonly prices: PriceTable;
  /** Interventions of people in this attempt. */
  readonly interventions: AgentInterventions;
}

/** @throws StepError `agent_missing` when no agent of this worker fits the task */
export async function chooseStepAgent(task: WorkerTask, { agents }: StepAgents): Promise<AgentAdapter> {
  const { usable, unusable } = await partitionUsable(agents);
  const agent = chooseAgent(task, usable, unusable);
  if (agent === undefined) throw new StepError('agent_missing', noAgentFor(task, usable, unusable).message);
  return agent;
}

/** The agents that can read and answer. `command` would run the commands of a change that it is shown. */
export function reviewersOf(agents: readonly AgentAdapter[]): readonly AgentAdapter[] {
  return agents.filter((agent) => agent !== commandAgent);
}

export interface AgentTurn {
  readonly usage: AgentUsage;
  /** @param changed whether the agent changed a file */
  judge(changed: boolean): Verdict;
}

/**
 * Runs an agent until it ends, reaches a limit, or the step's signal aborts; none of its processes is left then.
 * @param prompt in place of the task's own; the messages of people since then stay
 * @throws AgentError when the task cannot be given to the agent
 */
export async function runStepAgent(
  context: StepContext,
  { agent, tree, agents, prompt }: { agent: AgentAdapter; tree: StepTree; agents: StepAgents; prompt?: string },
): Promise<AgentTurn> {
  const { contained, emit, folder, killGraceMs, passEnv, signal, step, task } = context;
  const { timeout_seconds: seconds } = step;
  const limitMs = seconds === null ? agents.timeoutMs : Math.min(agents.timeoutMs, seconds * 1000);
  await emit({ type: 'progress', message: `${agent.name} works in ${tree.path}.` });
  const { usage, judge } = await runTurns({
    ...agents,
    agent,
    task: prompt === undefined ? task : { ...task, prompt, messages: messagesSincePrompt(task) },
    path: tree.path,
    gitFolders: tree.gitFolders,
    folder: folder.path,
    contained,
    passEnv,
    runEnv: {},
    output: new OutputWriter({ emit, maxBytes: agents.maxOutputBytes, signal }),
    timeoutMs: limitMs,
    killGraceMs,
    signal,
  });
  return { usage: priceUsage(usage, task.model ?? agent.defaultModel, agents.prices), judge };
}
