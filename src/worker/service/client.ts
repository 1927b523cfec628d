// The typed client of the worker protocol: one method per operation. choices-5.
import { z } from 'zod';
import {
  codebase,
  codebaseAnswer,
  synced,
  type CodebaseWire,
  type messageSync,
  type NewCodebaseWire,
  type sessionSync,
} from '../../contracts/codebase.ts';
import { id } from '../../contracts/common.ts';
import {
  assignment,
  claimed,
  eventsAccepted,
  heartbeatAnswer,
  workerIntervention,
  registered,
  released,
  type AssignmentWire,
  type Heartbeat,
  type HeartbeatAnswer,
  type Register,
  type Release,
  type WorkerEvent,
} from '../../contracts/worker.ts';
import { createWorkerTransport, type WorkerTransportOptions } from './transport.ts';

/**
 * A list from a possibly newer service: elements that this worker does not understand (a new action, a new mode) are
 * skipped, without failing the call.
 */
function lenientArray<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((one) => {
      const parsed = item.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** The fields of the answers that the worker reads. */
const registerAnswer = registered.extend({ worker: z.object({ worker_id: id }), codebases: lenientArray(codebase) });
export type RegisterAnswer = z.infer<typeof registerAnswer>;
const heartbeatReply = heartbeatAnswer.extend({
  interventions: lenientArray(workerIntervention),
  tasks_waiting: heartbeatAnswer.shape.tasks_waiting.default(false),
});
const claimReply = claimed.extend({ tasks: lenientArray(assignment) });

const artifactBytes = z.object({ artifact: z.object({ bytes: z.string().optional() }) });

type Bind = Omit<NewCodebaseWire, 'description'> & { description?: string };

/**
 * Every method rejects with `ServiceRefusal` (the service rejected the call), or with `ServiceUnreachable` (no readable
 * answer: the call may have taken effect).
 */
export interface WorkerClient {
  register(body: Register, signal?: AbortSignal): Promise<RegisterAnswer>;
  heartbeat(workerId: string, body: Heartbeat, signal?: AbortSignal): Promise<HeartbeatAnswer>;
  /** Returns all leases of the worker to the queue. */
  unregister(workerId: string, signal?: AbortSignal): Promise<void>;
  /**
   * `unseen`: also returns tasks that were assigned to this worker and may not have arrived; needs the feature
   * `claim_unseen`.
   */
  claim(
    body: { worker_id: string; limit: number; unseen?: true },
    signal?: AbortSignal,
    withinMs?: number,
  ): Promise<AssignmentWire[]>;
  reportEvents(
    taskId: string,
    body: { lease_token: string; events: WorkerEvent[] },
    signal?: AbortSignal,
  ): Promise<z.infer<typeof eventsAccepted>>;
  /** @param traceparent the span under which it is sent */
  release(taskId: string, body: Release, signal?: AbortSignal, traceparent?: string): Promise<z.infer<typeof released>>;
  bindCodebase(body: Bind, signal?: AbortSignal): Promise<CodebaseWire>;
  syncSessions(codebaseId: string, body: z.input<typeof sessionSync>, signal?: AbortSignal): Promise<void>;
  syncMessages(
    codebaseId: string,
    sessionId: string,
    body: z.input<typeof messageSync>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The bytes of an artifact of any task of the tenant; undefined for one that has text or data. */
  downloadArtifact(taskId: string, artifactId: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  /** The bundle that a finished run has left. */
  downloadRunBundle(runId: string, signal?: AbortSignal): Promise<Buffer>;
  /**
   * Opens the push channel; resolves with the stream of bytes once the service has accepted it. The stream ends when
   * `signal` aborts. `slots`: how many tasks the service may assign without a claim. `heartbeatMs`: the interval of its
   * heartbeats, for a service that has the feature. `withinMs`: how long the service may take to accept it.
   */
  openStream(
    options: { workerId: string; slots: number; lastEventId?: string; heartbeatMs?: number; withinMs?: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** For small bodies; large ones have more time (transport.ts). */
const quickMs = 15_000;
/** For the largest bundle, 64 MiB, over a slow connection. */
const downloadMs = 300_000;

/** A client of one service with one credential. The token is sent in the header and nowhere else. */
export function createWorkerClient(options: WorkerTransportOptions): WorkerClient {
  const transport = createWorkerTransport(options);
  return {
    register: (body, signal) =>
      transport.post('v1/agent/workers/register', body, { answer: registerAnswer, timeoutMs: quickMs, signal }),
    heartbeat: (workerId, body, signal) =>
      transport.post(`v1/agent/workers/${encodeURIComponent(workerId)}/heartbeat`, body, {
        answer: heartbeatReply,
        timeoutMs: 10_000,
        signal,
      }),
    async unregister(workerId, signal) {
      await transport.post(
        `v1/agent/workers/${encodeURIComponent(workerId)}/unregister`,
        {},
        { answer: z.unknown(), timeoutMs: quickMs, signal },
      );
    },
    async claim(body, signal, withinMs = quickMs) {
      const answer = await transport.post('v1/worker/tasks/claim', body, {
        answer: claimReply,
        timeoutMs: withinMs,
        signal,
      });
      return answer.tasks;
    },
    reportEvents: (taskId, body, signal) =>
      transport.post(`v1/worker/tasks/${encodeURIComponent(taskId)}/events`, body, {
        answer: eventsAccepted,
        timeoutMs: quickMs,
        signal,
      }),
    release: (taskId, body, signal, traceparent) =>
      transport.post(`v1/worker/tasks/${encodeURIComponent(taskId)}/release`, body, {
        answer: released,
        timeoutMs: quickMs,
        signal,
        headers: traceparent === undefined ? undefined : { traceparent },
      }),
    async bindCodebase(body, signal) {
      const answer = await transport.post('v1/agent/codebases', body, {
        answer: codebaseAnswer,
        timeoutMs: quickMs,
        signal,
      });
      return answer.codebase;
    },
    async syncSessions(codebaseId, body, signal) {
      const path = `v1/agent/codebases/${encodeURIComponent(codebaseId)}/sessions/sync`;
      await transport.post(path, body, { answer: synced, timeoutMs: quickMs, signal });
    },
    async syncMessages(codebaseId, sessionId, body, signal) {
      const path = `v1/agent/codebases/${encodeURIComponent(codebaseId)}/sessions/${encodeURIComponent(sessionId)}/messages/sync`;
      await transport.post(path, body, { answer: synced, timeoutMs: quickMs, signal });
    },
    async downloadArtifact(taskId, artifactId, signal) {
      const path = `v1/agent/tasks/${encodeURIComponent(taskId)}/artifacts/${encodeURIComponent(artifactId)}`;
      const { artifact } = await transport.get(path, { answer: artifactBytes, timeoutMs: downloadMs, signal });
      return artifact.bytes === undefined ? undefined : Buffer.from(artifact.bytes, 'base64');
    },
    downloadRunBundle: (runId, signal) =>
      transport.download(`v1/ralph/runs/${encodeURIComponent(runId)}/bundle`, { timeoutMs: downloadMs, signal }),
    openStream({ workerId, slots, lastEventId, heartbeatMs, withinMs = quickMs }, signal) {
      const query = new URLSearchParams({ worker_id: workerId, slots: String(slots) });
      if (heartbeatMs !== undefined) query.set('heartbeat_seconds', String(heartbeatMs / 1000));
      const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      return transport.open(`v1/worker/tasks/stream?${query.toString()}`, { headers, timeoutMs: withinMs, signal });
    },
  };
}
