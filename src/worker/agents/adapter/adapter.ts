// What every agent has in common: how it is started, how its output is read, what it reports in the end.
import type { Release, WorkerTask } from '../../../contracts/worker.ts';
import type { ChildEnd, ChildOptions } from '../../process/child.ts';
import type { ChildExit } from '../../process/child-exit.ts';
import type { AttemptContainment } from '../../process/containment.ts';
import type { AgentOutputStream } from '../../process/output-writer.ts';
import type { Inbox } from './inbox.ts';

export type AttemptFailure = NonNullable<Release['error']>;
export type AgentUsage = NonNullable<Release['usage']>;

/** What an agent is asked to do. */
export interface AgentInput {
  task: WorkerTask;
  /** The task's prompt with the exchange so far. */
  prompt: string;
  /** A folder of this run's alone, outside the work place, for files that the agent is to read. */
  folder: string;
  /** What people say to the run while it works. Only an adapter that is `live` has to look; the worker sees to it else. */
  inbox: Inbox;
  /** A session of the agent's own to go on with, as a report of it named it. Only an adapter that `resumes` gets one. */
  session?: string | undefined;
  /** What that session has used in all, as a report of it said; undefined: nobody knows. */
  sessionUsage?: AgentUsage | undefined;
}

/** How to start an agent. */
export interface Invocation {
  /** The program and its arguments; never a shell. */
  argv: [string, ...string[]];
  /** What it reads on stdin: a text, or pieces written as they come, until the last one; undefined: nothing. */
  stdin: string | AsyncIterable<string> | undefined;
  /** Added to its environment. */
  env?: Record<string, string>;
  /** Reads this very run, for a dialogue in which what is read decides what is written; without it `read` does. */
  reader?: AgentReader;
}

/** A piece of output for the task's log. */
export interface OutputChunk {
  stream: AgentOutputStream;
  text: string;
}

/** How often a tool was used, and how often that failed. */
export interface ToolCounts {
  calls: number;
  failed: number;
}

/** What an agent has told about its run so far. */
export interface AgentReport {
  /** It told that it is done, in its own way. An exit code of 0 is nothing without it. */
  finished: boolean;
  /** Its final answer. */
  answer: string;
  failure?: AttemptFailure;
  usage?: AgentUsage;
  /** It cannot tell by itself whether it did its work: what it wrote last counts too, when nothing was changed. */
  unsure?: true;
  /** It has been waiting for its model since the last event; what it says about it. */
  waitingForModel?: string;
  /** Its own name for its session, by which it can be resumed. */
  session?: string;
  /** What that session has used in all: only of an agent that counts by session. A later run of it is counted from here. */
  sessionUsage?: AgentUsage;
  /** It ended its run with this question. */
  question?: string;
  /** The tools it used, by name: `countCall` and `countFailure` (tool-tally.ts) keep it. core-2.7. */
  tools?: Map<string, ToolCounts>;
}

/** Reads the output of one run. */
export interface AgentReader {
  stdout(text: string): OutputChunk[];
  stderr(text: string): OutputChunk[];
  /** To be called once, when all output has been read. */
  end(): OutputChunk[];
  /** What is known so far; final after `end`. */
  report(): AgentReport;
}

/** What an agent gets that sees to its whole run itself: a dialogue with a program, or no program at all. */
export interface AgentContext extends AgentInput {
  /** The work place, without links. */
  path: string;
  /** Folders outside of it that its git reads, as the worker knew them before the run. */
  gitFolders: readonly string[];
  /** The environment of the run, as its programs get it. */
  env: NodeJS.ProcessEnv;
  /** Names that the operator passes on to agents: `agent_env`. */
  passEnv: string[];
  /** By what every process of the run is found; its tag is in `env`. */
  contained: AttemptContainment;
  /** Time between SIGTERM and SIGKILL. */
  killGraceMs: number;
  /** Kept up to date by the agent; final when `conduct` has ended. */
  report: AgentReport;
  /** Resolves when it is taken, which is what slows a fast agent down. What the report says about waiting counts too. */
  show(chunks: OutputChunk[]): Promise<void>;
  /** Runs a program in the work place, in the environment of the run, to its end; nothing of it is left then. */
  runProgram(program: Pick<ChildOptions, 'argv' | 'stdin' | 'onText' | 'signal'>): Promise<ChildEnd>;
  /** Ends the run: the agent ends what it has started and returns or throws. */
  signal: AbortSignal;
}

interface AgentTraits {
  /** What tasks name as `agent_type` or `target_agent`, and what the worker registers. */
  name: string;
  /** The program's path, or the command template: for people. */
  program: string;
  version: string | undefined;
  /** Whether it is a model that can be asked to end with a question; programs get their prompt as it is. */
  converses: boolean;
  /** It takes messages from the run's inbox while it works. */
  live?: true;
  /** It can be started again on a session that it reported: `AgentRun.session`. */
  resumes?: true;
  /** Why it cannot be used now; undefined when it can. Looks again when the program has been replaced. */
  findProblem?(): Promise<string | undefined>;
  /** Whether the agent can be told to use this model (`provider:model`). */
  takesModel(model: string): boolean;
}

/** What an agent has to bring a session to a work place with. */
export interface SessionImport {
  session: string;
  /** The work place. */
  path: string;
  /** As `AgentRun.folder`. */
  folder: string;
  /** Runs a program there to its end. @returns what it wrote to stdout; undefined when it failed */
  runProgram: (argv: Invocation['argv']) => Promise<string | undefined>;
}

/** An agent that is a program which is started, read, and done when it exits. */
export interface StartedAgent extends AgentTraits {
  /**
   * For an agent whose sessions belong to a folder: makes one of an earlier run belong to this work place.
   * @returns false when it cannot be gone on with there
   */
  importSession?(source: SessionImport): Promise<boolean>;
  /** @throws AgentError when the task cannot be given to this agent */
  invoke(input: AgentInput): Promise<Invocation>;
  /** A fresh reader. */
  read(): AgentReader;
}

/** An agent that sees to its whole run itself. */
export interface ConductedAgent extends AgentTraits {
  /**
   * Works on the task until it is done, and tells by `report` how it went.
   * @returns how its program ended; for an agent without one, that it exited with 0
   * @throws AgentError when the task cannot be given to this agent; the signal's reason; what `show` throws
   */
  conduct(context: AgentContext): Promise<ChildExit>;
}

/** One way to run an agent on this machine. */
export type AgentAdapter = StartedAgent | ConductedAgent;

/** A task that an agent cannot be started with. */
export class AgentError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AgentError';
    this.code = code;
  }
}
