// Starts an agent in its work place and reads it to its end: limits, patience, and the evidence for the verdict.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerTask } from '../contracts/worker.ts';
import type {
  AgentAdapter,
  AgentReport,
  AgentRun,
  AgentSession,
  ConductedAgent,
  RunError,
  RunUsage,
  Said,
  StartedAgent,
} from './agents/adapter.ts';
import type { Inbox } from './agents/inbox.ts';
import { promptOf } from './agents/prompt.ts';
import { judge, type Verdict } from './agents/verdict.ts';
import { runChild, type ChildEnd } from './process/child.ts';
import { runEnvironment } from './process/environment.ts';
import type { Output } from './process/output.ts';
import { cleanText } from './process/text.ts';

export interface AgentStart {
  agent: AgentAdapter;
  task: WorkerTask;
  /** The work place. */
  path: string;
  /** The run's own folder. */
  folder: string;
  inbox: Inbox;
  tag: string;
  env: NodeJS.ProcessEnv;
  passEnv: string[];
  agentHome: 'user' | 'private';
  output: Output;
  timeoutMs: number;
  modelPatienceMs: number;
  killGraceMs: number;
  signal: AbortSignal;
}

export interface AgentEnd {
  usage: RunUsage;
  /** The verdict, once it is known whether the run changed a file. */
  judge(changed: boolean): Verdict;
}

/** How much of stderr is kept for the verdict. */
const stderrChars = 16_000;

/** Ends a run of its own accord: at the time limit, or when its model stays away for too long. */
function createLimits({ timeoutMs, modelPatienceMs, agent }: AgentStart): {
  signal: AbortSignal;
  error(): RunError | undefined;
  modelWaits(words: string | undefined): void;
  stop(): void;
} {
  const controller = new AbortController();
  let error: RunError | undefined;
  const end = (why: RunError): void => {
    error ??= why;
    controller.abort();
  };
  const limit = setTimeout(() => {
    const message = `${agent.name} worked for longer than ${timeoutMs / 1000} s, its time limit, and was ended.`;
    end({ code: 'timeout', message });
  }, timeoutMs);
  let patience: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    error: () => error,
    modelWaits(words) {
      if (words === undefined) {
        clearTimeout(patience);
        patience = undefined;
      } else {
        patience ??= setTimeout(() => {
          const message = `${agent.name} waited ${modelPatienceMs / 1000} s for its model and was ended: ${words}`;
          end({ code: 'model_unreachable', message });
        }, modelPatienceMs);
      }
    },
    stop() {
      clearTimeout(limit);
      clearTimeout(patience);
    },
  };
}

/** Neighbours of one stream become one event. */
function joined(said: Said[]): Said[] {
  const merged: Said[] = [];
  for (const { stream, text } of said) {
    const last = merged.at(-1);
    if (last?.stream === stream) last.text += text;
    else merged.push({ stream, text });
  }
  return merged;
}

async function privateHome({ agentHome, folder }: AgentStart): Promise<string | undefined> {
  if (agentHome === 'user') return undefined;
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  return home;
}

/** The verdict of a run that we ended takes its reason; else it is the agent's own. */
function verdictOf(start: AgentStart, { exit, report, stderr }: Ended, error?: RunError) {
  return (changed: boolean): Verdict => {
    const verdict = judge({ agent: start.agent, exit, report, stderr: cleanText(stderr), changed });
    const { result } = verdict;
    const ended = error ?? verdict.error;
    return {
      ...verdict,
      ...(error !== undefined && { status: 'failed' }),
      ...(result !== undefined && { result: cleanText(result) }),
      ...(ended && { error: { code: ended.code, message: cleanText(ended.message).slice(0, 20_000) } }),
    };
  };
}

/** What is left of an agent's run. */
interface Ended extends ChildEnd {
  report: AgentReport;
  /** The end of what it wrote to stderr. */
  stderr: string;
}

/** What both kinds of agents are run with. */
interface Stage {
  start: AgentStart;
  run: AgentRun;
  /** Ends the run: the caller's signal or a limit of the run. */
  signal: AbortSignal;
  show: (said: Said[], report: AgentReport) => Promise<void>;
}

async function environmentOf(start: AgentStart, extra: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const home = await privateHome(start);
  const { id: taskId, traceparent } = start.task;
  return runEnvironment({ ...start, taskId, traceparent, home, extra });
}

/** Starts an agent's program and reads it to its end. */
async function startAgent(agent: StartedAgent, { start, run, signal, show }: Stage): Promise<Ended> {
  const { argv, stdin, env = {}, reader = agent.read() } = await agent.invoke(run);
  let stderr = '';
  const end = await runChild({
    argv,
    cwd: start.path,
    env: await environmentOf(start, env),
    tag: start.tag,
    stdin,
    killGraceMs: start.killGraceMs,
    signal,
    async onText(stream, text) {
      if (stream === 'stderr') stderr = `${stderr}${text}`.slice(-stderrChars);
      await show(stream === 'stdout' ? reader.stdout(text) : reader.stderr(text), reader.report());
    },
  });
  await show(reader.end(), reader.report());
  return { ...end, report: reader.report(), stderr };
}

/** Lets an agent conduct its run itself. */
async function conductAgent(agent: ConductedAgent, { start, run, signal, show }: Stage): Promise<Ended> {
  const { path, tag, passEnv, killGraceMs } = start;
  const env = await environmentOf(start, {});
  const report: AgentReport = { finished: false, answer: '' };
  let stderr = '';
  const session: AgentSession = {
    ...run,
    path,
    env,
    passEnv,
    tag,
    killGraceMs,
    report,
    signal,
    async show(said) {
      for (const { stream, text } of said) if (stream === 'stderr') stderr = `${stderr}${text}`.slice(-stderrChars);
      await show(said, report);
    },
    runProgram: (program) => runChild({ ...program, cwd: path, env, tag, killGraceMs }),
  };
  try {
    const exit = await agent.conduct(session);
    return { exit, stopped: signal.aborted, report, stderr };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { exit: { kind: 'signalled', signal: 'SIGTERM' }, stopped: true, report, stderr };
  }
}

/**
 * Runs the agent to its end, by itself or by a limit or by `signal`; no process of it is left then.
 * @throws AgentError when the task cannot be given to the agent; what `output` throws
 */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  const { agent, task, folder, inbox, output } = start;
  const limits = createLimits(start);
  const stage: Stage = {
    start,
    run: { task, prompt: promptOf(task, agent.converses), folder, inbox },
    signal: AbortSignal.any([start.signal, limits.signal]),
    async show(said, report) {
      limits.modelWaits(report.waitingForModel);
      for (const { stream, text } of joined(said)) await output.write(stream, text);
    },
  };
  const begun = performance.now();
  try {
    const ended = 'conduct' in agent ? await conductAgent(agent, stage) : await startAgent(agent, stage);
    const usage = { ...ended.report.usage, duration_ms: Math.round(performance.now() - begun) };
    return { usage, judge: verdictOf(start, ended, ended.stopped ? limits.error() : undefined) };
  } finally {
    limits.stop();
  }
}
