// Runs a program that speaks the Agent Client Protocol over its stdin and stdout, from start to end. choices-5.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { client, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { artifactMarker } from '../../base/artifact-place.ts';
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
  readonly context: AgentContext;
  readonly name: string;
  readonly argv: [string, ...string[]];
  /** Absolute paths of the worker itself; the program's file requests cannot reach them. */
  readonly hidden: readonly string[];
}

/** The longest time for a program to exit after the dialogue is over or was cancelled. */
const lingerMs = 2_000;
const authRequired = -32_000;

function failureFrom(name: string, error: unknown): AttemptFailure {
  if (error instanceof AgentError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof RequestError))
    return { code: 'agent_error', message: `${name} ended the dialogue: ${reason}` };
  if (error.code === authRequired) {
    return { code: 'model_refused', message: `${name} is not logged in: run it once on the worker and log in.` };
  }
  const { data } = error;
  const more = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data);
  return classifyFailure(name, [reason, more].filter(Boolean).join(': '));
}

/** Cancels the turn so that the program can end it in its own way. The program is ended soon afterwards in any case. */
async function cancelTurn(agent: ClientContext, sessionId: string | undefined): Promise<void> {
  if (sessionId === undefined) return;
  // The program may be gone already, which is as good.
  await agent.notify('session/cancel', { sessionId }).catch(() => undefined);
}

/**
 * Conducts the attempt. The program is ended when the dialogue is over, when the connection breaks, and when the
 * attempt ends.
 * @returns exit code 0 once the agent has reported that it is done, whatever its own exit code
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
  const files = createSandboxedFiles(path, [...hidden, join(path, artifactMarker)]);
  const connection = answerRequests(client({ name: 'switchyard' }), { path, files, onlyReads }).connect(wire.stream);
  const { agent } = connection;
  const { rawResult } = wire;
  let sessionId: string | undefined;
  const opened = (id: string): void => void (sessionId = id);
  const dialogue = runDialogue({ name, agent, context, path, onlyReads, updates, opened, rawResult }).catch(
    (error: unknown) => {
      // The exit of a program that could not start or died explains more than the broken connection.
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
