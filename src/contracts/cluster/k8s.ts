// Wire shapes of the cluster that the service runs in. platform-1.5.
import { z } from 'zod';
import { timestamp } from '../common.ts';

const restartableReason = z.enum(['crash_loop', 'restarting', 'not_ready', 'failed']);
const hopelessReason = z.enum(['cannot_start', 'unschedulable']);
const unhealthyReason = z.enum([...restartableReason.options, ...hopelessReason.options]);
/** Why a pod is not restarted now. A restart does not help against the last two. */
const holdReason = z.enum([
  'rollout',
  'rollout_stalled',
  'paused',
  'disruption_budget',
  'interval',
  'backoff',
  'own_pod',
  'majority',
  'self_heal_off',
  ...hopelessReason.options,
]);
const heldPod = z.object({ pod: z.string(), reason: holdReason, until: timestamp.optional() });

const clusterPod = z.object({
  name: z.string(),
  phase: z.string(),
  ready: z.boolean(),
  /** Summed over all containers, since the pod exists. */
  restarts: z.int(),
  started_at: timestamp.nullable(),
  node: z.string().nullable(),
  template_hash: z.string().nullable(),
  /** True: it is of the newest template. */
  current: z.boolean(),
  unhealthy_reason: unhealthyReason.nullable(),
  since: timestamp.nullable(),
});

const lastReconcile = z.object({
  at: timestamp,
  replica: z.string(),
  outcome: z.enum(['healthy', 'acted', 'held_back', 'failed']),
  checked: z.int(),
  unhealthy: z.int(),
  restarted: z.array(z.string()),
  held_back: z.array(heldPod),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const clusterStatus = z.object({
  in_cluster: z.literal(true),
  namespace: z.string(),
  /** The pod of the replica that answers. */
  pod: z.string(),
  deployment: z
    .object({
      name: z.string(),
      replicas: z.int(),
      available: z.int(),
      updated: z.int(),
      ready: z.int(),
      generation: z.int(),
      paused: z.boolean(),
    })
    .nullable(),
  pods: z.array(clusterPod),
  autoscaler: z.object({ name: z.string(), min: z.int(), max: z.int() }).nullable(),
  /** Permissions that the Role lacks, each as `verb resource`. */
  permissions: z.object({ missing: z.array(z.string()) }),
  last_reconcile: lastReconcile.nullable(),
});
export type ClusterStatusWire = z.infer<typeof clusterStatus>;
export type ClusterPodWire = z.infer<typeof clusterPod>;

/** The bounds are those of the settings. */
export const scaleRequest = z.strictObject({ replicas: z.int().min(0).max(1_000_000) });
export const scaleAnswer = z.object({
  action: z.literal('scale'),
  accepted: z.boolean(),
  detail: z.object({ deployment: z.string(), from: z.int(), to: z.int(), changed: z.boolean() }),
});

export const healthRequest = z.strictObject({
  /** `all`: healthy pods are replaced too. */
  restart: z.literal('all').optional(),
});
const checkDetail = z.object({
  checked: z.int(),
  unhealthy: z.array(z.object({ pod: z.string(), reason: unhealthyReason, since: timestamp })),
  /** Restarted now, or in their turn. */
  restarting: z.array(z.string()),
  held_back: z.array(heldPod),
});
export type CheckDetailWire = z.infer<typeof checkDetail>;
export const healthAnswer = z.object({
  action: z.literal('health'),
  /** False: every unhealthy pod was held back. */
  accepted: z.boolean(),
  detail: checkDetail,
});
export const reconcileAnswer = z.object({
  action: z.literal('reconcile'),
  accepted: z.boolean(),
  detail: checkDetail.extend({
    /** The outcome for the manifest; `none`: there is none. */
    deployment: z.enum(['unchanged', 'created', 'updated', 'none']),
  }),
});
