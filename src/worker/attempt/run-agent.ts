// Starts an agent in its workspace and reads it until it ends: limits, pauses, and the evidence for the verdict.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerTask } from '../../contracts/worker.ts';
import type {
  AgentAdapter,
  AgentReport,
  AgentInput,
  AgentContext,
  ConductedAgent,
  AttemptFailure,
  AgentUsage,
  OutputChunk,
  StartedAgent,
} from '../agents/adapter/adapter.ts';
import { buildPrompt } from '../agents/adapter/prompt.ts';
import { judge, type Verdict } from '../agents/output/verdict.ts';
import { importAgentSession } from './import-agent-session.ts';
import { runChild, type ChildEnd } from '../process/child.ts';
import { toProcessTree, type AttemptContainment } from '../process/containment.ts';
import { buildAttemptEnvironment } from '../process/environment.ts';
import type { OutputWriter } from '../process/output-writer.ts';
import { resumeTree, suspendTree } from '../process/kill.ts';
import { cleanText } from '../process/text.ts';
import type { AgentInterventions } from './intervention-handler.ts';
import { AttemptLimits } from './attempt-limits.ts';

export interface AgentStart {
  readonly agent: AgentAdapter;
  readonly task: WorkerTask;
  /** The workspace. */
  readonly path: string;
  /** Folders outside the workspace that its git reads. */
  readonly gitFolders: readonly string[];
  /** The folder of this attempt. */
  readonly folder: string;
  /** Interventions of people. */
  readonly interventions: AgentInterventions;
  /** An earlier session of the agent to resume. */
  readonly session?: string | undefined;
  /** Total usage of that session, if known. */
  readonly sessionUsage?: AgentUsage | undefined;
  /** The prompt for that session, instead of the task's. */
  readonly turn?: string;
  /** Finds and ends its processes. */
  readonly contained: AttemptContainment;
  readonly env: NodeJS.ProcessEnv;
  readonly passEnv: string[];
  readonly agentHome: 'user' | 'private';
  /** Added to the environment of every agent. */
  readonly runEnv: Record<string, string>;
  readonly output: OutputWriter;
  readonly timeoutMs: number;
  /** Milliseconds left of the time limit; default: all of it. */
  readonly leftMs?: number;
  readonly modelPatienceMs: number;
  readonly killGraceMs: number;
  readonly signal: AbortSignal;
}

export interface AgentEnd {
  readonly usage: AgentUsage;
  readonly report: AgentReport;
  /** Milliseconds left of the time limit. */
  readonly leftMs: number;
  /** The agent ended by itself and reports that it is done. */
  readonly done: boolean;
  /** The verdict, which also depends on whether the attempt changed a file. */
  judge(changed: boolean): Verdict;
}

/** How much of stderr is kept for the verdict. */
const stderrChars = 16_000;

/** Merges adjacent chunks of the same stream into one event. */
function mergeAdjacent(chunks: OutputChunk[]): OutputChunk[] {
  const merged: OutputChunk[] = [];
  for (const { stream, text } of chunks) {
    const last = merged.at(-1);
    if (last?.stream === stream) last.text += text;
    else merged.push({ stream, text });
  }
  return merged;
}

async function privateHome({ agentHome, folder }: AgentStart): Promise<string | undefined> {
  if (agentHome === 'user') return undefined;
  const home = join(folder, 'home');
  // The home exists already when the agent is started for another turn.
  await mkdir(home, { recursive: true, mode: 0o700 });
  return home;
}

/** The verdict has the reason for which the worker ended the agent, if it did; otherwise the agent's own outcome. */
function verdictFor(start: AgentStart, { exit, report, stderr }: Ended, error?: AttemptFailure) {
  return (changed: boolean): Verdict => {
    const verdict = judge({ agent: start.agent, exit, report, stderr: cleanText(stderr), changed });
    const { result } = verdict;
    const ended = error ?? verdict.error;
    return {
      ...verdict,
      ...(error !== undefined && { status: 'failed' }),
      ...(result !== undefined && { result: cleanText(result) }),
      ...(ended && { error: { ...ended, message: cleanText(ended.message).slice(0, 20_000) } }),
    };
  };
}

/** The raw result of an agent's turn. */
interface Ended extends ChildEnd {
  readonly report: AgentReport;
  /** The end of its stderr. */
  readonly stderr: string;
}

/** The common surroundings of both kinds of agents. */
interface AgentStage {
  readonly start: AgentStart;
  readonly input: AgentInput;
  /** Ends the attempt: the caller's signal or a limit. */
  readonly signal: AbortSignal;
  readonly show: (chunks: OutputChunk[], report: AgentReport) => Promise<void>;
}

async function buildEnvironment(start: AgentStart, extra: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const home = await privateHome(start);
  const { id: taskId, traceparent } = start.task;
  return buildAttemptEnvironment({
    ...start,
    tag: start.contained.tag,
    taskId,
    traceparent,
    home,
    extra: { ...start.runEnv, ...extra },
  });
}

/** Starts an agent's program and reads it until it ends. */
async function startAgent(agent: StartedAgent, stage: AgentStage): Promise<Ended> {
  const { start, input, signal, show } = stage;
  const importOptions = { ...start, session: input.session, env: await buildEnvironment(start, {}), signal };
  // A later turn resumes the session where the last one ended.
  if (start.turn === undefined && !(await importAgentSession(agent, importOptions))) {
    const report: AgentReport = { finished: false, answer: '' };
    return { exit: { kind: 'exited', code: 1 }, stopped: signal.aborted, report, stderr: '' };
  }
  const { argv, stdin, env = {}, reader = agent.read() } = await agent.invoke(input);
  let stderr = '';
  const end = await runChild({
    argv,
    cwd: start.path,
    env: await buildEnvironment(start, env),
    contained: start.contained,
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

/** Lets an agent conduct its attempt itself. */
async function conductAgent(agent: ConductedAgent, { start, input, signal, show }: AgentStage): Promise<Ended> {
  const { path, gitFolders, contained, passEnv, killGraceMs } = start;
  const env = await buildEnvironment(start, {});
  const report: AgentReport = { finished: false, answer: '' };
  let stderr = '';
  const context: AgentContext = {
    ...input,
    path,
    gitFolders,
    env,
    passEnv,
    contained,
    killGraceMs,
    report,
    signal,
    async show(chunks) {
      for (const { stream, text } of chunks) if (stream === 'stderr') stderr = `${stderr}${text}`.slice(-stderrChars);
      await show(chunks, report);
    },
    async runProgram(program) {
      await start.interventions.pausing.untilResumed(signal);
      return runChild({ ...program, cwd: path, env, contained, killGraceMs });
    },
  };
  try {
    const exit = await agent.conduct(context);
    return { exit, stopped: signal.aborted, report, stderr };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { exit: { kind: 'signalled', signal: 'SIGTERM' }, stopped: true, report, stderr };
  }
}

/**
 * The processes of a program that is just starting are visible within this time. An agent without processes is paused
 * when it shows output.
 */
const startedWithinMs = 1000;
const suspendRetryMs = 50;

/** Pauses and resumes the processes and limits of the attempt. @returns a function that removes the listener */
function applyPauses({ interventions, contained }: AgentStart, limits: AttemptLimits): () => void {
  const tree = toProcessTree(contained);
  if (interventions.pausing.paused) limits.pause();
  return interventions.pausing.listen(async (paused) => {
    if (!paused) {
      resumeTree(tree);
      limits.resume();
      return true;
    }
    limits.pause();
    const until = performance.now() + startedWithinMs;
    let found = await suspendTree(tree);
    while (found === 'none' && performance.now() < until) {
      await delay(suspendRetryMs);
      found = await suspendTree(tree);
    }
    return found !== 'unknown';
  });
}

/**
 * Runs the agent until it ends, reaches a limit, or `signal` aborts; none of its processes is left then.
 * @throws AgentError when the task cannot be given to the agent; what `output` throws
 */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  const { agent, task, folder, interventions, output, session, sessionUsage, timeoutMs } = start;
  using limits = new AttemptLimits({ ...start, leftMs: start.leftMs ?? timeoutMs });
  const signal = AbortSignal.any([start.signal, limits.signal]);
  const prompt = start.turn ?? buildPrompt(task, agent.converses);
  const stage: AgentStage = {
    start,
    input: { task, prompt, folder, inbox: interventions.inbox, session, sessionUsage },
    signal,
    async show(chunks, report) {
      await interventions.pausing.untilResumed(signal);
      limits.modelWaits(report.waitingForModel);
      for (const { stream, text } of mergeAdjacent(chunks)) await output.write(stream, text);
    },
  };
  const begun = performance.now();
  const stopApplying = applyPauses(start, limits);
  try {
    await interventions.pausing.untilResumed(signal);
    interventions.agentStarted(agent);
    const ended = 'conduct' in agent ? await conductAgent(agent, stage) : await startAgent(agent, stage);
    const { exit, report, stopped } = ended;
    const usage = { ...report.usage, duration_ms: Math.round(performance.now() - begun) };
    const done = !stopped && exit.kind === 'exited' && exit.code === 0 && report.finished && !report.failure;
    const verdict = verdictFor(start, ended, stopped ? limits.error() : undefined);
    return { usage, report, leftMs: limits.leftMs(), done, judge: verdict };
  } finally {
    stopApplying();
  }
}
