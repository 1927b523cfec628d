// What every agent has in common: how it is started, how its output is read, what it reports in the end.
import type { Release, WorkerTask } from '../../contracts/worker.ts';
import type { OutputStream } from '../process/output.ts';

export type RunError = NonNullable<Release['error']>;
export type RunUsage = NonNullable<Release['usage']>;

/** What an agent is asked to do. */
export interface AgentRun {
  task: WorkerTask;
  /** The task's prompt with the exchange so far. */
  prompt: string;
  /** A folder of this run's alone, outside the work place, for files that the agent is to read. */
  folder: string;
}

/** How to start an agent. */
export interface Invocation {
  /** The program and its arguments; never a shell. */
  argv: [string, ...string[]];
  /** What it reads on stdin; undefined: nothing. */
  stdin: string | undefined;
  /** Added to its environment. */
  env?: Record<string, string>;
}

/** A piece of output for the task's log. */
export interface Said {
  stream: OutputStream;
  text: string;
}

/** What an agent has told about its run so far. */
export interface AgentReport {
  /** It told that it is done, in its own way. An exit code of 0 is nothing without it. */
  finished: boolean;
  /** Its final answer. */
  answer: string;
  failure?: RunError;
  usage?: RunUsage;
  /** It cannot tell by itself whether it did its work: what it wrote last counts too, when nothing was changed. */
  unsure?: true;
  /** It has been waiting for its model since the last event; what it says about it. */
  waitingForModel?: string;
}

/** Reads the output of one run. */
export interface AgentReader {
  stdout(text: string): Said[];
  stderr(text: string): Said[];
  /** To be called once, when all output has been read. */
  end(): Said[];
  /** What is known so far; final after `end`. */
  report(): AgentReport;
}

/** One way to run an agent on this machine. */
export interface AgentAdapter {
  /** What tasks name as `agent_type` or `target_agent`, and what the worker registers. */
  name: string;
  /** The program's path, or the command template: for people. */
  program: string;
  version: string | undefined;
  /** Whether it is a model that can be asked to end with a question; programs get their prompt as it is. */
  converses: boolean;
  /** Whether the agent can be told to use this model (`provider:model`). */
  takesModel(model: string): boolean;
  /** @throws AgentError when the task cannot be given to this agent */
  invoke(run: AgentRun): Promise<Invocation>;
  /** A fresh reader. */
  read(): AgentReader;
}

/** A task that an agent cannot be started with. */
export class AgentError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AgentError';
    this.code = code;
  }
}
