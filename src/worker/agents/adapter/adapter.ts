// The contract of every agent: how it is started, how its output is read, and what it reports at the end.
import type { NewArtifact, Release, WorkerTask } from '../../../contracts/worker.ts';
import type { ChildEnd, ChildOptions } from '../../process/child.ts';
import type { ChildExit } from '../../process/child-exit.ts';
import type { AttemptContainment } from '../../process/containment.ts';
import type { AgentOutputStream } from '../../process/output-writer.ts';
import type { Inbox } from './inbox.ts';

export type AttemptFailure = NonNullable<Release['error']>;
export type AgentUsage = NonNullable<Release['usage']>;
/** A question, with the answers that a person may choose from. */
export type AgentQuestion = NonNullable<Release['message']>;

/** The input of an agent. */
export interface AgentInput {
  readonly task: WorkerTask;
  /** The task's prompt with the exchange so far. */
  readonly prompt: string;
  /** A folder of this attempt outside the workspace, for files that the agent reads. */
  readonly folder: string;
  /** Messages of people while the agent works. Only a `live` adapter reads it; the worker handles it for the others. */
  readonly inbox: Inbox;
  /** An earlier session of the agent to resume, as its report named it. Only an adapter that `resumes` gets one. */
  readonly session?: string | undefined;
  /** Total usage of that session, as its report counted it; undefined: unknown. */
  readonly sessionUsage?: AgentUsage | undefined;
}

/** The start command of an agent. */
export interface Invocation {
  /** The program and its arguments; never a shell. */
  readonly argv: [string, ...string[]];
  /** Text for stdin: in one piece, or in pieces until the iterable ends; undefined: stdin is empty. */
  readonly stdin: string | AsyncIterable<string> | undefined;
  /** Added to its environment. */
  readonly env?: Record<string, string>;
  /** The reader of this attempt, for a dialogue in which the output decides the input; by default `read` makes one. */
  readonly reader?: AgentReader;
}

/** A piece of output for the task's log. */
export interface OutputChunk {
  readonly stream: AgentOutputStream;
  text: string;
}

/** The number of calls of a tool, and of those that failed. */
export interface ToolCounts {
  calls: number;
  failed: number;
}

/** The reports of an agent on its attempt so far. */
export interface AgentReport {
  /** The agent has reported that it is done. An exit code of 0 without it is no success. */
  finished: boolean;
  /** Its final answer. */
  answer: string;
  failure?: AttemptFailure;
  usage?: AgentUsage;
  /** The agent does not report whether it did its work: when no file changed, its last output decides too. */
  readonly unsure?: true;
  /** Set while the agent waits for its model: the reason that it gave. */
  waitingForModel?: string;
  /** The agent's own id of its session, by which it can be resumed. */
  session?: string;
  /** Total usage of that session, only of agents that count by session. A later attempt subtracts it. */
  sessionUsage?: AgentUsage;
  /** The question with which the agent ended its attempt. */
  question?: AgentQuestion;
  /** The tools it used, by name, kept by `countToolCall` and `countToolFailure` (tool-counts.ts). core-2.7. */
  tools?: Map<string, ToolCounts>;
  /** Artifacts of the agent itself, beside the changes of the workspace. */
  artifacts?: readonly NewArtifact[];
}

/** Reads the output of one attempt. */
export interface AgentReader {
  stdout(text: string): OutputChunk[];
  stderr(text: string): OutputChunk[];
  /** Must be called once, after all output was read. */
  end(): OutputChunk[];
  /** The report so far; final after `end`. */
  report(): AgentReport;
}

/** The context of an agent that conducts its attempt itself: a dialogue with a program, or no program at all. */
export interface AgentContext extends AgentInput {
  /** The workspace, with links resolved. */
  readonly path: string;
  /** Folders outside the workspace that its git reads, as the worker knew them before the attempt. */
  readonly gitFolders: readonly string[];
  /** The environment of the attempt, as its programs get it. */
  readonly env: NodeJS.ProcessEnv;
  /** Names of variables that the operator passes on to agents: `agent_env`. */
  readonly passEnv: string[];
  /** Finds every process of the attempt; its tag is in `env`. */
  readonly contained: AttemptContainment;
  /** Time between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Updated by the agent; final when `conduct` has ended. */
  readonly report: AgentReport;
  /** Resolves when the output is taken, which slows a fast agent down. `report.waitingForModel` is read here too. */
  show(chunks: OutputChunk[]): Promise<void>;
  /**
   * Runs a program in the workspace and environment of the attempt until it ends; none of its processes is left then.
   */
  runProgram(program: Pick<ChildOptions, 'argv' | 'stdin' | 'onText' | 'signal'>): Promise<ChildEnd>;
  /** Ends the attempt: the agent ends what it has started and returns or throws. */
  readonly signal: AbortSignal;
}

interface AgentTraits {
  /** The name in a task's `agent_type` or `target_agent`, and in the registration. */
  readonly name: string;
  /** Path of the program, or the command template; for people. */
  readonly program: string;
  readonly version: string | undefined;
  /** Whether it is a model that can be asked to end with a question. Programs get the prompt unchanged. */
  readonly converses: boolean;
  /** It reads messages from the attempt's inbox while it works. */
  readonly live?: true;
  /** It can resume a session that it reported earlier: `AgentInput.session`. */
  readonly resumes?: true;
  /** Why the agent cannot be used now; undefined when it can. Checks again when the program was replaced. */
  findProblem?(): Promise<string | undefined>;
  /** The model of a task that names none; undefined: unknown. */
  readonly defaultModel?: string | undefined;
  /** Whether the agent can use this model (`provider:model`). */
  takesModel(model: string): boolean;
}

/** The facts that an agent needs to import a session into a workspace. */
export interface SessionImport {
  readonly session: string;
  /** The workspace. */
  readonly path: string;
  /** As `AgentInput.folder`. */
  readonly folder: string;
  /** Runs a program there until it ends. @returns its stdout; undefined when it failed */
  readonly runProgram: (argv: Invocation['argv']) => Promise<string | undefined>;
}

/** An agent that is a program: started, read, and done when it exits. */
export interface StartedAgent extends AgentTraits {
  /**
   * For an agent whose sessions belong to a folder: moves a session of an earlier attempt to this workspace.
   * @returns false when the session cannot be resumed there
   */
  importSession?(source: SessionImport): Promise<boolean>;
  /** @throws AgentError when the task cannot be given to this agent */
  invoke(input: AgentInput): Promise<Invocation>;
  /** A new reader, for one attempt. */
  read(): AgentReader;
}

/** An agent that conducts its attempt itself. */
export interface ConductedAgent extends AgentTraits {
  /**
   * Works on the task until it is done; `report` holds the outcome.
   * @returns how its program ended; exit code 0 for an agent without one
   * @throws AgentError when the task cannot be given to this agent; the signal's reason; what `show` throws
   */
  conduct(context: AgentContext): Promise<ChildExit>;
}

/** One way to run an agent on this machine. */
export type AgentAdapter = StartedAgent | ConductedAgent;

/** The agent cannot be started with this task. */
export class AgentError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AgentError';
    this.code = code;
  }
}
