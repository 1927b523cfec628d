// The nouns of self-healing: an unhealthy pod, a round of restarts, what a check found and did. platform-1.3.

/** Findings that a restart may help against. */
export const restartableReasons = ['crash_loop', 'restarting', 'not_ready', 'failed'] as const;
export type RestartableReason = (typeof restartableReasons)[number];
/** Findings that a restart does not help against: they are reported. */
export const hopelessReasons = ['cannot_start', 'unschedulable'] as const;
export const unhealthyReasons = [...restartableReasons, ...hopelessReasons] as const;
export type UnhealthyReason = (typeof unhealthyReasons)[number];

/** Why a pod is not restarted now. */
export const holdReasons = [
  'rollout',
  'rollout_stalled',
  'paused',
  'disruption_budget',
  'interval',
  'backoff',
  'own_pod',
  'majority',
  'self_heal_off',
  ...hopelessReasons,
] as const;
export type HoldReason = (typeof holdReasons)[number];

export interface UnhealthyPod {
  readonly pod: string;
  readonly uid: string;
  readonly templateHash: string | null;
  readonly reason: UnhealthyReason;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface HeldPod {
  readonly pod: string;
  readonly reason: HoldReason;
  /** Milliseconds since 1970, where the time is known. */
  readonly until?: number;
}

/**
 * A pod of a round. `waiting`: its turn has not come. `evicting`: it is being replaced. `replaced`: a successor is Ready.
 * `failed`: its successor is not Ready. `gone`: somebody else deleted it. `recovered`: it became healthy before its turn.
 * `dropped`: the round ended before its turn.
 */
export type RoundPodState = 'waiting' | 'evicting' | 'replaced' | 'failed' | 'gone' | 'recovered' | 'dropped';

export interface RoundPod {
  readonly pod: string;
  readonly uid: string;
  readonly reason: RestartableReason;
  readonly state: RoundPodState;
  /** When it was evicted, in milliseconds since 1970. */
  readonly evictedAt: number | null;
  /** Uids of the pods that existed when it was evicted: any other is a successor. */
  readonly existing: readonly string[];
}

/** One round of restarts: the pods that one check found, restarted one after the other. */
export interface Round {
  /** Counts from 1 in its cluster. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly templateHash: string | null;
  /** Rounds in a row for this template without half an hour of health between them, this one included. */
  readonly attempt: number;
  /** True: only the first pod is restarted, unless its successor becomes Ready. */
  readonly cautious: boolean;
  /** The subject that began it: the loop's, or a caller's. */
  readonly actor: string;
  /** Uids of the pods that existed when it began. */
  readonly existing: readonly string[];
  readonly pods: readonly RoundPod[];
  readonly ended: boolean;
}

/** A container's restarts at a time. */
export interface RestartSample {
  readonly at: number;
  readonly restarts: Readonly<Record<string, number>>;
}

/** State that is kept from check to check. */
export interface ClusterMemory {
  /** By uid of a pod: samples of the last ten minutes and the one before them. */
  readonly samples: Readonly<Record<string, readonly RestartSample[]>>;
  /** By uid of an unhealthy pod: since when it is. */
  readonly unhealthySince: Readonly<Record<string, number>>;
  /** By template hash: since when no pod of it is unhealthy. */
  readonly healthySince: Readonly<Record<string, number>>;
  /** By template hash: the number of the last round before half an hour of health; it and those before do not count. */
  readonly forgiven: Readonly<Record<string, number>>;
  /** The reasons of held back pods that were audited last. */
  readonly auditedHolds: string;
}

export const emptyMemory: ClusterMemory = {
  samples: {},
  unhealthySince: {},
  healthySince: {},
  forgiven: {},
  auditedHolds: '',
};

export type ReconcileOutcome = 'healthy' | 'acted' | 'held_back' | 'failed';

/** The report of the last check of a cluster. */
export interface ReconcileReport {
  readonly outcome: ReconcileOutcome;
  readonly checked: number;
  readonly unhealthy: number;
  readonly restarted: readonly string[];
  readonly heldBack: readonly HeldPod[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface LastReconcile extends ReconcileReport {
  /** ISO 8601. */
  readonly at: string;
  readonly replica: string;
}
