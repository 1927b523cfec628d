// The first task: for the folder and the agent that were found.
import type { Codebase, Worker } from '../../data/fleet/fleet.ts';
import { shellQuote } from '../../text/curl.ts';
import { startWords as words } from '../../words/en-start.ts';

export interface FirstTask {
  readonly title: string;
  readonly prompt: string;
  readonly codebase_id: string;
  readonly agent_type: string;
}

/** The prompt for an agent that reads; `command` runs a block of commands. It is no word of the page: an agent gets it. */
const promptExample = 'Write a file HELLO.md that says in three sentences what is in this folder.';
const commandExample = '```sh\necho "Hello from $(hostname)" | tee HELLO.md\n```';

/** Undefined without an online worker that has an agent. */
export function firstTaskFor(workers: readonly Worker[]): FirstTask | undefined {
  const able = workers.find(({ status, agents }) => status === 'active' && agents.length > 0);
  const agent = able?.agents[0];
  if (able === undefined || agent === undefined) return undefined;
  return {
    title: words.taskTitle,
    prompt: agent === 'command' ? commandExample : promptExample,
    codebase_id: able.codebases.find((id) => id !== 'global') ?? 'global',
    agent_type: agent,
  };
}

export function commandOf({ title, prompt, codebase_id, agent_type }: FirstTask): string {
  return `switchyard task create --follow --codebase ${shellQuote(codebase_id)} --agent ${shellQuote(agent_type)} --title ${shellQuote(title)} ${shellQuote(prompt)}`;
}

/** Those that a worker has. */
export function boundCodebases(codebases: readonly Codebase[]): readonly Codebase[] {
  return codebases.filter(({ status, codebase_id }) => status === 'active' && codebase_id !== 'global');
}
