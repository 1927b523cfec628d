// Wire shapes of the worker protocol: register, heartbeat, stream, claim, events, release. choices-5.
import { z } from 'zod';
import { id, label, metadata, pageQuery, timestamp } from './common.ts';
import { codebase, codebaseId, workspaceMode } from './codebase.ts';
import { interventionAction } from './intervention.ts';
import { part, task, taskError, taskMessage, usage } from './task.ts';

export const workerStatus = z.enum(['active', 'offline', 'unregistered']);

export const worker = z.object({
  /** The same as `worker_id`; the monitor's listing has this name. core-2.7. */
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
  capabilities: z.array(label).max(64).default([]),
  hostname: z.string().max(255).default(''),
  version: z.string().max(100).default(''),
  agents: z.array(label).max(32).default([]),
  models: z.array(label).max(200).default([]),
  slots: z.int().min(1).max(256).default(1),
  /** Folders below which callers may name codebases on this worker; `*` opens all. Absent: only the worker knows. */
  codebase_roots: z.array(z.string().min(1).max(4096)).max(200).optional(),
  codebases: z
    .array(
      z.strictObject({
        codebase_id: codebaseId.optional(),
        name: z.string().min(1).max(200),
        path: z.string().min(1).max(4096),
        description: z.string().max(2000).default(''),
        /** True: this codebase goes to this worker alone (worker affinity). */
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
  /** What the broker's channel calls this worker's routes: a message with one of them is a reason to claim at once. */
  route_keys: z.array(z.string()).optional(),
  /** What this service takes beyond the calls of the first release; a worker sends no more than it names. */
  features: z.array(z.string()).optional(),
});
export type Registered = z.infer<typeof registered>;

/** A lease as a worker names it. Only what the service gave out stands for one; anything else is a lease that is lost. */
const leaseToken = z.string().min(1).max(200);
const held = z.strictObject({ task_id: id, lease_token: leaseToken });
export const heartbeat = z.strictObject({
  running: z.array(held).max(1000).default([]),
  slots_free: z.int().min(0).max(256).optional(),
});
export type Heartbeat = z.input<typeof heartbeat>;
/** What a person tells a task that the worker runs. Said again until it is answered: one id is one intervention. */
export const workerIntervention = z.object({
  id,
  task_id: id,
  action: interventionAction,
  message: z.string().optional(),
  /** The same message in the task's `messages`: who claims the task after it was said has it there already. */
  message_id: z.string().optional(),
});
export type SentInterventionWire = z.infer<typeof workerIntervention>;
export const heartbeatAnswer = z.object({
  /** Leases that hold on, with their new end. */
  renewed: z.array(z.object({ task_id: id, lease_expires_at: timestamp })),
  /** Leases that are gone: kill what runs under them. */
  lost: z.array(id),
  /** Tasks that a caller cancelled: kill, then release as `cancelled` is not needed. */
  cancel: z.array(id),
  interventions: z.array(workerIntervention),
  /** A task that this worker could take is pending: claim. False where it has no free slot. */
  tasks_waiting: z.boolean(),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>;

/** A task as its worker gets it: with the whole exchange, so that an answered question can be gone on with. */
export const workerTask = task.extend({
  messages: z.array(taskMessage),
  /** Where an earlier attempt had got to; absent when it left nothing. */
  checkpoint: z.object({ data: z.unknown(), at: timestamp }).optional(),
  /** The trace that it belongs to, as W3C Trace Context writes it: for the agent, and for what the worker records. */
  traceparent: z.string().optional(),
});
export type WorkerTask = z.infer<typeof workerTask>;
export const assignment = z.object({
  task: workerTask,
  lease_token: id,
  lease_expires_at: timestamp,
  /** Where this worker has the task's codebase. Absent for a task that has none, such as a registration by path. */
  codebase: z.object({ codebase_id: codebaseId, path: z.string(), workspace_mode: workspaceMode }).optional(),
  /** What people told the task while nobody ran it: to be answered when the agent has begun. */
  interventions: z.array(workerIntervention).optional(),
});
export type AssignmentWire = z.infer<typeof assignment>;

export const claim = z.strictObject({
  worker_id: id,
  task_id: id.optional(),
  limit: z.int().min(1).max(64).default(1),
  /**
   * Also answer what was assigned to this worker by its push channel, or by a claim, and no heartbeat or event has named
   * yet: its answer may have been lost. For workers that know a lease which they have seen before.
   */
  unseen: z.boolean().default(false),
});
export const claimed = z.object({ tasks: z.array(assignment) });

/**
 * Query of the push channel. `slots`: how many tasks may be assigned at once without a claim call; 0: hints only; left out:
 * hints, until a heartbeat tells of `slots_free`.
 */
export const streamQuery = z.strictObject({
  worker_id: id,
  slots: z.int().min(0).max(256).optional(),
  /** Seconds between two heartbeats of the channel, 15 by default: a worker that wants to know sooner that it is cut off. */
  heartbeat_seconds: z.number().min(0.5).max(60).optional(),
});

/** Of `features`: the query `heartbeat_seconds` of the stream, and `unseen` of a claim. */
export const serviceFeatures = ['stream_heartbeat', 'claim_unseen'] as const;

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

/** What a worker reports under its lease. `n` counts from 1 under one lease; a known `n` is dropped. */
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
  /** What became of an intervention: `delivered` when the agent has it. */
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

/** Characters of a result. */
export const maxResultLength = 1_000_000;

export const release = z.strictObject({
  lease_token: leaseToken,
  status: z.enum(['completed', 'failed', 'cancelled', 'needs_input', 'pending']),
  /** Text, or an object, which is kept as its JSON text. */
  result: z.union([z.string().max(maxResultLength), metadata]).optional(),
  error: taskError.optional(),
  /** The question of a `needs_input`. */
  message: z.strictObject({ text: z.string().min(1).max(200_000) }).optional(),
  artifacts: z.array(newArtifact).max(100).default([]),
  usage: usage.optional(),
});
/** As our own worker sends it: its results are text. */
export const textRelease = release.extend({ result: z.string().max(maxResultLength).optional() });
export type Release = z.input<typeof textRelease>;
export const released = z.object({ task_id: id, status: z.string(), seq: z.int() });
