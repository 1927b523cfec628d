// Runs a program that speaks the Agent Client Protocol over its stdin and stdout, from its start to its end. choices-5.
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { client, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { createSandboxedFiles } from '../../sandboxed-fs/files.ts';
import type { ChildExit } from '../../process/child-exit.ts';
import { AgentError, type AgentContext, type AttemptFailure, type OutputChunk } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { classifyFailure } from '../output/failure.ts';
import { answerRequests } from './acp-answers.ts';
import { runDialogue } from './acp-session.ts';
import { createAcpUpdates } from './acp-updates.ts';
import { createAcpWire } from './acp-wire.ts';
import { whenAborted } from '../../../lib/wait.ts';

export interface AcpConduct {
  context: AgentContext;
  name: string;
  argv: [string, ...string[]];
  /** Absolute paths of the worker's own, which its file requests do not reach. */
  hidden: readonly string[];
}

/** How long a program may take to end by itself, once there is nothing more to say or it was told to stop. */
const lingerMs = 2_000;
const authRequired = -32_000;

function failureFrom(name: string, error: unknown): AttemptFailure {
  if (error instanceof AgentError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof RequestError))
    return { code: 'agent_error', message: `${name} ended the dialogue: ${reason}` };
  if (error.code === authRequired) {
    return { code: 'model_refused', message: `${name} wants somebody to log in first: run it once on the worker.` };
  }
  const { data } = error;
  const more = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  return classifyFailure(name, [reason, more].filter(Boolean).join(': '));
}

/** Told to stop, a program may end its turn in its own way; it is ended soon after in any case. */
async function cancelTurn(agent: ClientContext, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  // A program that is gone hears nothing, and that is as good.
  await agent.notify('session/cancel', { sessionId }).catch(() => undefined);
}

/**
 * Conducts the run. The program is ended when the dialogue is over, when it breaks, and when the run is to end.
 * @returns that it exited with 0 once it has told that it is done, however it exits then
 * @throws the reason of the session's signal; what `show` throws
 */
export async function conductAcp({ context, name, argv, hidden }: AcpConduct): Promise<ChildExit> {
  const { report, signal } = context;
  const path = await realpath(context.path);
  const onlyReads = mayOnlyRead(context.task.agent_type);
  const updates = createAcpUpdates(report);
  const chunks: OutputChunk[] = [];
  const wire = createAcpWire({
    onUpdate: (params) => void chunks.push(...updates.take(params)),
    onLine: (line) => void chunks.push({ stream: 'stdout', text: `${line}\n` }),
  });
  const stop = new AbortController();
  const running = context.runProgram({
    argv,
    stdin: wire.outgoing,
    signal: stop.signal,
    async onText(stream, text) {
      if (stream === 'stderr') await context.show([{ stream, text }]);
      else await wire.take(text);
      await context.show(chunks.splice(0));
    },
  });
  const over = running.then(wire.end, wire.end);
  const files = createSandboxedFiles(path, hidden);
  const connection = answerRequests(client({ name: 'switchyard' }), { path, files, onlyReads }).connect(wire.stream);
  const { agent } = connection;
  const { rawResult } = wire;
  let sessionId: string | undefined;
  const opened = (id: string): void => void (sessionId = id);
  const dialogue = runDialogue({ name, agent, context, path, onlyReads, updates, opened, rawResult }).catch(
    (error: unknown) => {
      // A program that could not start, or died, says more by its exit.
      if (!connection.signal.aborted || error instanceof RequestError || error instanceof AgentError) {
        report.failure ??= failureFrom(name, error);
      }
    },
  );
  const onAbort = (): void => void cancelTurn(agent, sessionId);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([dialogue, over, whenAborted(signal)]);
    if (signal.aborted) await Promise.race([dialogue, over, delay(lingerMs)]);
    wire.end();
    await Promise.race([over, delay(signal.aborted ? 0 : lingerMs)]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }
  const { exit } = await running;
  connection.close();
  await dialogue;
  signal.throwIfAborted();
  return report.finished || report.failure !== undefined ? { kind: 'exited', code: 0 } : exit;
}
