// Operations of the worker protocol (register, heartbeat, stream, claim, events, release), and reads of workers. choices-5.
import { z } from 'zod';
import { messageSync, sessionSync, synced, codebaseId } from '../../contracts/codebase.ts';
import { id as uuid } from '../../contracts/common.ts';
import * as wire from '../../contracts/worker.ts';
import { syncMessages, syncSessions } from '../../domain/conversations/sessions.ts';
import type { Worker } from '../../domain/model/worker.ts';
import { recordHeartbeat, claimTasks } from '../../domain/workers/claim.ts';
import type { WorkerDeps } from '../../domain/workers/deps.ts';
import type { Dispatcher } from '../../domain/workers/dispatcher.ts';
import { drainWorker } from '../../domain/workers/drain.ts';
import { openPushChannel } from '../../domain/workers/push.ts';
import type { Frame, PushChannel } from '../../domain/workers/push-channel.ts';
import { getWorker, listWorkers } from '../../domain/workers/read.ts';
import { registerWorker, unregisterWorker } from '../../domain/workers/register.ts';
import { releaseTask, type ReleaseRequest } from '../../domain/workers/release.ts';
import { reportEvents, type ReportedEvent } from '../../domain/workers/report.ts';
import { unreachable } from '../../lib/net/unreachable.ts';
import { operation, type Operation, type SseFrame } from '../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../pipeline/pagination.ts';
import { invalidInput } from '../pipeline/schema.ts';
import { codebaseToWire } from './codebases.ts';
import { assignmentToWire, sentInterventionToWire } from './tasks/task-wire.ts';

export interface WorkerRouteDeps extends WorkerDeps {
  readonly dispatcher: Dispatcher;
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  readonly now: () => number;
}

/** Seconds between heartbeats of a push channel, unless the worker sets another interval. choices-5. */
const defaultHeartbeatSeconds = 15;

const byId = { params: z.object({ id: uuid }), names: 'worker' as const };
const byTask = { params: z.object({ id: uuid }), names: 'task' as const };

export function workerOperations(deps: WorkerRouteDeps): Operation[] {
  return [
    ...registrationOperations(deps),
    ...runOperations(deps),
    ...readOperations(deps),
    ...sessionSyncOperations(deps),
  ];
}

function registrationOperations(deps: WorkerRouteDeps): Operation[] {
  return [
    operation({
      name: 'workers.register',
      method: 'POST',
      path: '/v1/agent/workers/register',
      summary: 'Register a worker and its codebases.',
      description: 'Idempotent per name and credential.',
      permission: 'workers:write',
      body: wire.registerRequest,
      answers: { 200: wire.registered },
      run: async (caller, { body }) => {
        const { codebases: declaredCodebases, codebase_roots: codebaseRoots, ...described } = body;
        const { agents_missing: agentsMissing, disk_free: diskFree, ...profile } = described;
        const { worker, codebases, routeKeys } = await registerWorker(
          deps,
          caller,
          { ...profile, codebaseRoots, agentsMissing, diskFree },
          declaredCodebases.map(({ codebase_id, workspace_mode, ...rest }) => ({
            ...rest,
            codebaseId: codebase_id,
            workspaceMode: workspace_mode,
          })),
        );
        const body200 = {
          worker: workerToWire(worker),
          codebases: codebases.map(codebaseToWire),
          lease_seconds: deps.leaseSeconds,
          heartbeat_seconds: deps.heartbeatSeconds,
          route_keys: routeKeys,
          features: [...wire.serviceFeatures],
        };
        return { status: 200, body: body200 };
      },
    }),
    operation({
      name: 'workers.heartbeat',
      method: 'POST',
      path: '/v1/agent/workers/:id/heartbeat',
      summary: 'Renew all leases of a worker.',
      description: 'Returns the leases that were lost or cancelled, and pending interventions.',
      permission: 'workers:write',
      ...byId,
      body: wire.heartbeat,
      answers: { 200: wire.heartbeatAnswer },
      run: async (caller, { params, body }) => {
        const running = body.running.map((held) => ({
          taskId: held.task_id,
          leaseToken: parseLeaseToken(held.lease_token),
        }));
        const renewal = await recordHeartbeat(deps, caller, params.id, running, body.slots_free);
        const renewed = renewal.renewed.map((r) => ({ task_id: r.taskId, lease_expires_at: r.leaseExpiresAt }));
        const interventions = renewal.interventions.map(sentInterventionToWire);
        const { lost, cancel, tasksWaiting } = renewal;
        return { status: 200, body: { renewed, lost, cancel, interventions, tasks_waiting: tasksWaiting } };
      },
    }),
    operation({
      name: 'workers.unregister',
      method: 'POST',
      path: '/v1/agent/workers/:id/unregister',
      summary: 'Unregister a worker.',
      description: 'Its tasks are requeued for other workers.',
      permission: 'workers:write',
      ...byId,
      body: z.strictObject({}),
      answers: { 200: wire.workerAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { worker: workerToWire(await unregisterWorker(deps, caller, params.id)) },
      }),
    }),
    operation({
      name: 'workers.drain',
      method: 'POST',
      path: '/v1/agent/workers/:id/drain',
      summary: 'Drain a worker: give it no more tasks.',
      description: 'It keeps what it runs, and takes tasks again when it registers anew.',
      permission: 'workers:write',
      ...byId,
      body: z.strictObject({}),
      answers: { 200: wire.workerAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { worker: workerToWire(await drainWorker(deps, caller, params.id)) },
      }),
    }),
    operation({
      name: 'workers.stream',
      method: 'GET',
      path: '/v1/worker/tasks/stream',
      summary: 'Open the push channel of a worker.',
      permission: 'workers:write',
      query: wire.streamQuery,
      answers: {},
      run: async (caller, { query, context }) => {
        const { worker_id, slots, heartbeat_seconds } = query;
        const channel = await openPushChannel(
          deps,
          caller,
          worker_id,
          slots,
          (heartbeat_seconds ?? defaultHeartbeatSeconds) * 1000,
        );
        const stream = pushFrames(deps, channel, context.signal, context.lastEventId !== undefined);
        return { stream, heartbeats: false, skipsStreamLimit: true };
      },
    }),
  ];
}

function runOperations(deps: WorkerRouteDeps): Operation[] {
  return [
    operation({
      name: 'workers.claim',
      method: 'POST',
      path: '/v1/worker/tasks/claim',
      summary: 'Claim pending tasks under leases.',
      permission: 'tasks:execute',
      body: wire.claim,
      answers: { 200: wire.claimed },
      run: async (caller, { body }) => {
        const { worker_id, task_id, limit, unseen } = body;
        const claimed = await claimTasks(deps, caller, { workerId: worker_id, taskId: task_id, limit, unseen });
        return { status: 200, body: { tasks: claimed.map(assignmentToWire) } };
      },
    }),
    operation({
      name: 'workers.events',
      method: 'POST',
      path: '/v1/worker/tasks/:id/events',
      summary: 'Report events of an attempt, under its lease.',
      permission: 'tasks:execute',
      ...byTask,
      body: wire.reportEventsRequest,
      largeBody: true,
      answers: { 200: wire.eventsAccepted },
      run: async (caller, { params, body }) => {
        const events = body.events.map(eventFromWire);
        const recorded = await reportEvents(deps, caller, params.id, parseLeaseToken(body.lease_token), events);
        return { status: 200, body: { seq: recorded.seq, cancel_requested: recorded.cancelRequested } };
      },
    }),
    operation({
      name: 'workers.release',
      method: 'POST',
      path: '/v1/worker/tasks/:id/release',
      summary: 'Release a task: end its attempt.',
      permission: 'tasks:execute',
      ...byTask,
      body: wire.release,
      largeBody: true,
      answers: { 200: wire.released },
      run: async (caller, { params, body }) => {
        const { lease_token, message, result, ...rest } = body;
        const leaseToken = parseLeaseToken(lease_token);
        const request = { ...rest, leaseToken, result: resultToText(result), ...(message && questionOf(message)) };
        const { status, seq } = await releaseTask(deps, caller, params.id, request);
        return { status: 200, body: { task_id: params.id, status, seq } };
      },
    }),
  ];
}

function readOperations(deps: WorkerRouteDeps): Operation[] {
  return [
    operation({
      name: 'workers.list',
      method: 'GET',
      path: '/v1/agent/workers',
      summary: 'List registered workers.',
      permission: 'workers:read',
      query: wire.workerQuery,
      answers: { 200: wire.workerPage },
      run: async (caller, { query }) => {
        const filter = { status: query.status, capability: query.capability, codebaseId: query.codebase_id };
        const { workers, next } = await listWorkers(deps, caller, filter, parsePage(query, 'uuid'));
        return { status: 200, body: { workers: workers.map(workerToWire), next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'workers.get',
      method: 'GET',
      path: '/v1/agent/workers/:id',
      summary: 'Get a worker.',
      permission: 'workers:read',
      ...byId,
      answers: { 200: wire.workerAnswer },
      run: async (caller, { params }) => ({
        status: 200,
        body: { worker: workerToWire(await getWorker(deps, caller, params.id)) },
      }),
    }),
  ];
}

function sessionSyncOperations(deps: WorkerRouteDeps): Operation[] {
  const now = (): string => new Date(deps.now()).toISOString();
  return [
    operation({
      name: 'sessions.sync',
      method: 'POST',
      path: '/v1/agent/codebases/:id/sessions/sync',
      summary: 'Synchronize the agent sessions of a worker.',
      permission: 'sessions:write',
      params: z.object({ id: codebaseId }),
      names: 'codebase',
      body: sessionSync,
      answers: { 200: synced },
      run: async (caller, { params, body }) => {
        const known = body.sessions.map((session) => ({
          sessionId: session.session_id,
          codebaseId: params.id,
          workerId: body.worker_id,
          title: session.title,
          agent: session.agent ?? null,
          startedAt: session.started_at ?? null,
          lastActivityAt: session.last_activity_at ?? now(),
          messageCount: session.message_count,
          toolUsage: session.tool_usage,
          metadata: session.metadata,
        }));
        return { status: 200, body: { synced: await syncSessions(deps, caller, params.id, body.worker_id, known) } };
      },
    }),
    operation({
      name: 'sessions.sync_messages',
      method: 'POST',
      path: '/v1/agent/codebases/:id/sessions/:sid/messages/sync',
      summary: 'Synchronize the messages of a session.',
      permission: 'sessions:write',
      params: z.object({ id: codebaseId, sid: z.string().min(1).max(200) }),
      names: 'session',
      body: messageSync,
      answers: { 200: synced },
      run: async (caller, { params, body }) => {
        const messages = body.messages.map((message) => ({
          messageId: message.message_id,
          role: message.role,
          summary: message.summary,
          at: message.at ?? now(),
          toolUsage: message.tool_usage,
        }));
        const upload = { codebaseId: params.id, sessionId: params.sid, workerId: body.worker_id, messages };
        const count = await syncMessages(deps, caller, upload);
        return { status: 200, body: { synced: count } };
      },
    }),
  ];
}

/** Matches no lease: this UUID has version 0, lease tokens have version 4. */
const noLease = '00000000-0000-0000-0000-000000000000';

/** A malformed token counts as a lost lease, like a foreign one: 409 instead of 400. choices-5. */
function parseLeaseToken(token: string): string {
  return uuid.safeParse(token).success ? token : noLease;
}

/** Converts an object to its JSON text, which has the length limit of a text. choices-5. */
function resultToText(result: z.output<typeof wire.release>['result']): string | undefined {
  if (result === undefined || typeof result === 'string') return result;
  const text = JSON.stringify(result);
  if (text.length <= wire.maxResultLength) return text;
  const message = `must have at most ${wire.maxResultLength} characters as JSON`;
  throw invalidInput([{ path: '/result', message }]);
}

function workerToWire(worker: Worker): wire.WorkerWire {
  return {
    id: worker.workerId,
    worker_id: worker.workerId,
    name: worker.name,
    status: worker.status,
    capabilities: [...worker.capabilities],
    hostname: worker.hostname,
    version: worker.version,
    agents: [...worker.agents],
    models: [...worker.models],
    slots: worker.slots,
    running: worker.running,
    codebases: [...worker.codebaseIds],
    registered_at: worker.registeredAt,
    last_heartbeat: worker.lastHeartbeatAt,
    tasks_completed: worker.tasksCompleted,
    drained_at: worker.drainedAt,
    agents_missing: worker.agentsMissing.map(({ name, reason }) => ({ name, reason })),
    disk_free: worker.diskFree,
    os: worker.os,
  };
}

function eventFromWire(event: z.output<typeof wire.workerEvent>): ReportedEvent {
  const { n } = event;
  switch (event.type) {
    case 'output':
      return { n, type: 'output', data: { stream: event.stream, text: event.text } };
    case 'progress':
      return {
        n,
        type: 'progress',
        data: {
          percent: event.percent,
          message: event.message,
        },
      };
    case 'message':
      return { n, type: 'message', parts: event.parts };
    case 'artifact': {
      const { type, n: _, ...data } = event;
      return { n, type, data };
    }
    case 'checkpoint':
      return { n, type: 'checkpoint', data: { data: event.data } };
    case 'intervention': {
      const { id, action, status, reason } = event;
      const data = { intervention_id: id, action, status, reason };
      return { n, type: 'intervention', data };
    }
    default:
      return unreachable(event);
  }
}

/**
 * The frames of a channel as SSE, until it closes. The channel closes with its connection. A hand-written iterator instead
 * of chained generators: there are thousands of channels, and they are idle nearly all the time.
 */
function pushFrames(
  deps: WorkerRouteDeps,
  channel: PushChannel,
  signal: AbortSignal,
  resumed: boolean,
): AsyncIterable<SseFrame> {
  signal.addEventListener('abort', () => channel.close(), { once: true });
  if (signal.aborted) channel.close();
  let id = 0;
  // Hints sent while the worker was disconnected are lost: it has to claim once by itself.
  let catchUp = resumed;
  const next = async (): Promise<IteratorResult<SseFrame, undefined>> => {
    if (catchUp && id > 0) {
      catchUp = false;
      const reason = 'reconnected: claim once, and heartbeat to learn which leases still hold';
      return { value: { event: 'resync', data: { reason } } };
    }
    const frame = await channel.next();
    if (frame === undefined) return streamEnd;
    return { value: { id: String((id += 1)), ...frameToSse(deps, channel, frame) } };
  };
  const disconnect = (): Promise<IteratorResult<SseFrame, undefined>> => {
    deps.dispatcher.disconnect(channel);
    return Promise.resolve(streamEnd);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: disconnect }) };
}

const streamEnd = { done: true, value: undefined } as const;

function frameToSse(deps: WorkerRouteDeps, channel: PushChannel, frame: Frame): SseFrame {
  switch (frame.type) {
    case 'connected':
      return {
        event: 'connected',
        data: {
          worker_id: channel.worker.workerId,
          heartbeat_seconds: deps.heartbeatSeconds,
          lease_seconds: deps.leaseSeconds,
        },
      };
    case 'task_available':
      return { event: 'task_available', data: { task_id: frame.taskId, priority: frame.priority } };
    case 'task_assigned':
      return { event: 'task_assigned', data: assignmentToWire(frame.assignment) };
    case 'cancel':
      return { event: 'cancel', data: { task_id: frame.taskId } };
    case 'intervention':
      return { event: 'intervention', data: sentInterventionToWire(frame.intervention) };
    case 'heartbeat':
      return { event: 'heartbeat', data: { at: new Date(deps.now()).toISOString() } };
    case 'resync':
      return { event: 'resync', data: { reason: frame.reason } };
    default:
      return unreachable(frame);
  }
}

/** A question of text alone has no choice. */
function questionOf({
  text,
  ...choice
}: NonNullable<z.output<typeof wire.release>['message']>): Pick<ReleaseRequest, 'question' | 'choice'> {
  return { question: text, choice: Object.keys(choice).length === 0 ? undefined : choice };
}
