// Wire shapes of the worker protocol: register, heartbeat, stream, claim, events, release. choices-5.
import { stepDescriptor } from './step.ts';
import { z } from 'zod';
import { id, label, metadata, pageQuery, timestamp } from './common.ts';
import { codebase, codebaseId, workspaceMode } from './codebase.ts';
import { interventionAction } from './intervention.ts';
import { part, questionKind, taskCore, taskError, taskMessage, usage } from './task.ts';

export const workerStatus = z.enum(['active', 'offline', 'unregistered']);

/** An agent that a worker cannot run, and why. */
export const missingAgent = z.strictObject({ name: label, reason: z.string().min(1).max(500) });

export const worker = z.object({
  /** The same as `worker_id`; the monitor's list uses this name. core-2.7. */
  id,
  worker_id: id,
  name: z.string(),
  status: workerStatus,
  capabilities: z.array(z.string()),
  hostname: z.string(),
  version: z.string(),
  agents: z.array(z.string()),
  models: z.array(z.string()),
  slots: z.int(),
  running: z.int(),
  codebases: z.array(codebaseId),
  registered_at: timestamp,
  last_heartbeat: timestamp,
  tasks_completed: z.int(),
  /** Since when it is given nothing more; null: it is not drained. */
  drained_at: timestamp.nullable(),
  agents_missing: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Bytes at its registration; null: it did not say. */
  disk_free: z.int().nullable(),
  /** Empty: it did not say. */
  os: z.string(),
});
export type WorkerWire = z.infer<typeof worker>;
export const workerAnswer = z.object({ worker });
export const workerPage = z.object({ workers: z.array(worker), next_cursor: z.string().nullable() });
export const workerQuery = z.strictObject({
  ...pageQuery,
  status: workerStatus.optional(),
  capability: label.optional(),
  codebase_id: codebaseId.optional(),
});

export const registerRequest = z.strictObject({
  name: z.string().min(1).max(200),
  /** The operator's own, at most 64, and those of the service's steps. */
  capabilities: z.array(label).max(72).default([]),
  hostname: z.string().max(255).default(''),
  version: z.string().max(100).default(''),
  agents: z.array(label).max(32).default([]),
  models: z.array(label).max(200).default([]),
  slots: z.int().min(1).max(256).default(1),
  /** Folders below which callers may name codebases on this worker; `*`: anywhere. Absent: only the worker itself may. */
  codebase_roots: z.array(z.string().min(1).max(4096)).max(200).optional(),
  /** Agents that it does not offer, and why. */
  agents_missing: z.array(missingAgent).max(64).default([]),
  /** Free bytes of the disk that holds its folder. */
  disk_free: z.int().min(0).optional(),
  /** Its operating system, for people. */
  os: z.string().max(200).default(''),
  codebases: z
    .array(
      z.strictObject({
        codebase_id: codebaseId.optional(),
        name: z.string().min(1).max(200),
        path: z.string().min(1).max(4096),
        description: z.string().max(2000).default(''),
        /** True: tasks of this codebase go to this worker only (worker affinity). */
        exclusive: z.boolean().default(false),
        workspace_mode: workspaceMode.optional(),
      }),
    )
    .max(200)
    .default([]),
});
export type Register = z.input<typeof registerRequest>;
export const registered = z.object({
  worker,
  codebases: z.array(codebase),
  lease_seconds: z.number(),
  heartbeat_seconds: z.number(),
  /** The keys of this worker's routes on the broker's channel: a message with one of them is a reason to claim at once. */
  route_keys: z.array(z.string()).optional(),
  /** Features of this service beyond the first release; a worker uses only the listed ones. */
  features: z.array(z.string()).optional(),
});
export type Registered = z.infer<typeof registered>;

/** A lease as a worker names it. A malformed lease is treated as lost. */
const leaseToken = z.string().min(1).max(200);
const held = z.strictObject({ task_id: id, lease_token: leaseToken });
export const heartbeat = z.strictObject({
  running: z.array(held).max(1000).default([]),
  slots_free: z.int().min(0).max(256).optional(),
});
export type Heartbeat = z.input<typeof heartbeat>;
/** A message or command for a running task. Repeated until the worker answers; its id identifies it. */
export const workerIntervention = z.object({
  id,
  task_id: id,
  action: interventionAction,
  message: z.string().optional(),
  /** The same message in the task's `messages`: a worker that claims the task later finds it there. */
  message_id: z.string().optional(),
});
export type SentInterventionWire = z.infer<typeof workerIntervention>;
export const heartbeatAnswer = z.object({
  /** Renewed leases, with their new end. */
  renewed: z.array(z.object({ task_id: id, lease_expires_at: timestamp })),
  /** Lost leases: kill what runs under them. */
  lost: z.array(id),
  /** Tasks that a caller cancelled: kill them; a release as `cancelled` is not needed. */
  cancel: z.array(id),
  interventions: z.array(workerIntervention),
  /** True: a task that this worker could take is pending, so claim. False if the worker has no free slot. */
  tasks_waiting: z.boolean(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;

/** A task as its worker receives it: with all messages, so that the agent can continue after an answered question. */
export const workerTask = taskCore.extend({
  messages: z.array(taskMessage),
  /** The checkpoint of an earlier attempt; absent if there is none. */
  checkpoint: z.object({ data: z.unknown(), at: timestamp }).optional(),
  /** The task's trace, as W3C Trace Context: for the agent, and for the worker's spans. */
  traceparent: z.string().optional(),
  /** The work to do, for the step of a run; absent for other tasks. */
  step: stepDescriptor.optional(),
});
export type WorkerTask = z.infer<typeof workerTask>;
export const assignment = z.object({
  task: workerTask,
  lease_token: id,
  lease_expires_at: timestamp,
  /** This worker's path of the task's codebase. Absent for a task without one, such as a registration by path. */
  codebase: z.object({ codebase_id: codebaseId, path: z.string(), workspace_mode: workspaceMode }).optional(),
  /** Interventions from while the task was not running: to be answered once the agent has started. */
  interventions: z.array(workerIntervention).optional(),
});
export type AssignmentWire = z.infer<typeof assignment>;

export const claim = z.strictObject({
  worker_id: id,
  task_id: id.optional(),
  limit: z.int().min(1).max(64).default(1),
  /**
   * Also return what was assigned to this worker by its push channel or by a claim, but not yet named in a heartbeat or
   * event: that response may have been lost. For workers that recognise a lease they have already received.
   */
  unseen: z.boolean().default(false),
});
export const claimed = z.object({ tasks: z.array(assignment) });

/**
 * Query of the push channel. `slots`: tasks that may be assigned at once without a claim call; 0: hints only; omitted:
 * hints, until a heartbeat reports `slots_free`.
 */
export const streamQuery = z.strictObject({
  worker_id: id,
  slots: z.int().min(0).max(256).optional(),
  /** Seconds between two heartbeats of the channel, 15 by default; fewer let a worker notice a broken connection sooner. */
  heartbeat_seconds: z.number().min(0.5).max(60).optional(),
});

/** Values of `features`: the query `heartbeat_seconds` of the stream, `unseen` of a claim, options of a question. */
export const serviceFeatures = ['stream_heartbeat', 'claim_unseen', 'question_options'] as const;

/** Frames of `GET /v1/worker/tasks/stream`, by SSE event name. */
export const streamFrames = {
  connected: z.object({ worker_id: id, heartbeat_seconds: z.number(), lease_seconds: z.number() }),
  task_available: z.object({ task_id: id, priority: z.int() }),
  task_assigned: assignment,
  cancel: z.object({ task_id: id }),
  intervention: workerIntervention,
  heartbeat: z.object({ at: timestamp }),
  resync: z.object({ reason: z.string() }),
};

const n = z.int().min(1);
/** The content of an artifact: exactly one of the four. */
const content = {
  text: z.string().optional(),
  data: z.unknown().optional(),
  bytes: z.string().optional(),
  uri: z.string().max(4096).optional(),
};
const artifactFields = {
  artifact_id: z.string().min(1).max(200).optional(),
  name: z.string().min(1).max(500),
  mime_type: z.string().min(1).max(200).default('text/plain'),
  ...content,
  append: z.boolean().optional(),
  last_chunk: z.boolean().optional(),
};
export const newArtifact = z.strictObject(artifactFields);
export type NewArtifact = z.input<typeof newArtifact>;

/** An event that a worker reports under its lease. `n` counts from 1 within a lease; a repeated `n` is ignored. */
export const workerEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('output'),
    n,
    stream: z.enum(['stdout', 'stderr', 'agent']),
    text: z.string().max(1_000_000),
  }),
  z.strictObject({
    type: z.literal('progress'),
    n,
    percent: z.number().min(0).max(100).optional(),
    message: z.string().max(20_000).optional(),
  }),
  z.strictObject({ type: z.literal('message'), n, role: z.literal('agent'), parts: z.array(part).min(1).max(100) }),
  z.strictObject({ type: z.literal('artifact'), n, ...artifactFields }),
  z.strictObject({ type: z.literal('checkpoint'), n, data: z.unknown() }),
  /** The outcome of an intervention: `delivered` once the agent has it. */
  z.strictObject({
    type: z.literal('intervention'),
    n,
    id,
    action: interventionAction,
    status: z.enum(['delivered', 'failed']),
    reason: z.string().min(1).max(200).optional(),
  }),
]);
export type WorkerEvent = z.input<typeof workerEvent>;
export const reportEventsRequest = z.strictObject({
  lease_token: leaseToken,
  events: z.array(workerEvent).min(1).max(500),
});
export const eventsAccepted = z.object({ seq: z.int(), cancel_requested: z.boolean() });

/** Most characters of a result. */
export const maxResultLength = 1_000_000;

/** A question with the answers that a person may choose from. ui-6.3. */
const askedQuestion = z.strictObject({
  text: z.string().min(1).max(200_000),
  /** The label is what the answer says; by default the value. */
  options: z
    .array(z.strictObject({ value: label, label: label.optional() }))
    .max(9)
    .optional(),
  /** `question` by default. */
  kind: questionKind.optional(),
  /** For the person who answers; the domain function checks its size (16 KiB). */
  context: metadata.optional(),
});

export const release = z.strictObject({
  lease_token: leaseToken,
  status: z.enum(['completed', 'failed', 'cancelled', 'needs_input', 'pending']),
  /** Text, or an object, which is stored as JSON text. */
  result: z.union([z.string().max(maxResultLength), metadata]).optional(),
  error: taskError.optional(),
  /** The question, for `needs_input`. */
  message: askedQuestion.optional(),
  artifacts: z.array(newArtifact).max(100).default([]),
  usage: usage.optional(),
});
/** As sent by the Switchyard worker: its results are text. */
export const textRelease = release.extend({ result: z.string().max(maxResultLength).optional() });
export type Release = z.input<typeof textRelease>;
export const released = z.object({ task_id: id, status: z.string(), seq: z.int() });
