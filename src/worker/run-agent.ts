// Starts an agent in its work place and reads it to its end: limits, patience, and the evidence for the verdict.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerTask } from '../contracts/worker.ts';
import type { AgentAdapter, AgentReader, RunError, RunUsage, Said } from './agents/adapter.ts';
import type { Inbox } from './agents/inbox.ts';
import { promptOf } from './agents/prompt.ts';
import { judge, type Verdict } from './agents/verdict.ts';
import { runChild, type ChildExit } from './process/child.ts';
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
function verdictOf(start: AgentStart, reader: AgentReader, exit: ChildExit, stderr: string, error?: RunError) {
  return (changed: boolean): Verdict => {
    const report = reader.report();
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

/**
 * Runs the agent to its end, by itself or by a limit or by `signal`; no process of it is left then.
 * @throws AgentError when the task cannot be given to the agent; what `output` throws
 */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  const { agent, task, path, folder, inbox, tag, output } = start;
  const prompt = promptOf(task, agent.converses);
  const { argv, stdin, env: extra = {}, reader = agent.read() } = await agent.invoke({ task, prompt, folder, inbox });
  const home = await privateHome(start);
  const env = runEnvironment({ ...start, path, taskId: task.id, home, extra });
  const limits = createLimits(start);
  const begun = performance.now();
  let stderr = '';
  async function show(said: Said[]): Promise<void> {
    limits.modelWaits(reader.report().waitingForModel);
    for (const { stream, text } of joined(said)) await output.write(stream, text);
  }
  try {
    const { exit, stopped } = await runChild({
      argv,
      cwd: path,
      env,
      tag,
      stdin,
      killGraceMs: start.killGraceMs,
      signal: AbortSignal.any([start.signal, limits.signal]),
      async onText(stream, text) {
        if (stream === 'stderr') stderr = `${stderr}${text}`.slice(-stderrChars);
        await show(stream === 'stdout' ? reader.stdout(text) : reader.stderr(text));
      },
    });
    await show(reader.end());
    const usage = { ...reader.report().usage, duration_ms: Math.round(performance.now() - begun) };
    return { usage, judge: verdictOf(start, reader, exit, stderr, stopped ? limits.error() : undefined) };
  } finally {
    limits.stop();
  }
}
