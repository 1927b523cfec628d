// Skills of the agent card: the service's own, and one for each agent, capability and codebase that a message can
// select by its metadata.
import type { Codebase } from '../../../domain/model/codebase.ts';
import type { OnlineCapabilities } from '../../../domain/tasks/routing/online-capabilities.ts';

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
}

/** The skill that does not depend on the workers online. */
const runTask: Skill = {
  id: 'run_task',
  name: 'Run a task',
  description:
    'Runs the message as a task in the codebase that its metadata names as codebase_id, or in the global codebase: ' +
    'answers, plans, or changes code. Asks a question when it needs input.',
  tags: ['task', 'code', 'agent'],
  examples: ['Fix the failing test in parser.ts and explain what was wrong.'],
};

/** Keeps the card readable; the complete lists have operations of their own. */
const maxOfEach = 100;

export function buildSkills({ agents, capabilities }: OnlineCapabilities): Skill[] {
  return [
    runTask,
    ...agents.slice(0, maxOfEach).map((agent) => ({
      id: `agent:${agent}`,
      name: `Agent ${agent}`,
      description: `Runs the message with the agent ${agent} when its metadata names it as target_agent.`,
      tags: ['agent', agent],
    })),
    ...capabilities.slice(0, maxOfEach).map((capability) => ({
      id: `capability:${capability}`,
      name: `Capability ${capability}`,
      description:
        `Runs the message on a worker with the capability ${capability} when its metadata lists it in ` +
        'required_capabilities.',
      tags: ['capability', capability],
    })),
  ];
}

/** The skills that only the extended card has. */
export function codebaseSkills(codebases: readonly Codebase[]): Skill[] {
  return codebases.slice(0, maxOfEach).map(({ codebaseId, name, description }) => ({
    id: `codebase:${codebaseId}`,
    name: name === '' ? codebaseId : name,
    description:
      `${description === '' ? 'A codebase.' : description} Runs the message there when its metadata has ` +
      `codebase_id: ${codebaseId}.`,
    tags: ['codebase'],
  }));
}
