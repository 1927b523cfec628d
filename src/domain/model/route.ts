// Routing as pure rules: which worker may serve what a task asks, and why a task still waits.
import { pendingCodebaseId } from './codebase.ts';
import type { RouteNeeds } from './task.ts';

export const waitingReasons = [
  'no_codebase',
  'no_worker_for_codebase',
  'no_worker_with_capability',
  'no_such_agent',
  'no_such_worker',
  'worker_offline',
  'workers_busy',
  'held_back',
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** What routing needs to know of a worker. */
export interface RoutableWorker {
  readonly workerId: string;
  readonly name: string;
  readonly agents: readonly string[];
  readonly capabilities: readonly string[];
  /** Codebases it holds and may serve: none that is kept for another worker. */
  readonly servedCodebaseIds: ReadonlySet<string>;
  readonly online: boolean;
  readonly freeSlots: number;
}

/** The same needs have the same key, whatever the order of capabilities. Feed it to a hash for the route's id. */
export function routeKey(needs: RouteNeeds): string {
  return JSON.stringify([
    needs.codebaseId,
    [...new Set(needs.requiredCapabilities)].toSorted(),
    needs.targetAgent,
    needs.targetWorkerId,
  ]);
}

/** May this worker take tasks of this codebase, whatever else they ask? */
export function holdsCodebase(codebaseId: string | null, worker: RoutableWorker): boolean {
  if (codebaseId === null) return false;
  return codebaseId === pendingCodebaseId || worker.servedCodebaseIds.has(codebaseId);
}

function isTarget(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.targetWorkerId === null || needs.targetWorkerId === worker.workerId;
}

function isNamedAgent(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.targetAgent === null || needs.targetAgent === worker.name || worker.agents.includes(needs.targetAgent);
}

function hasCapabilities(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.requiredCapabilities.every((capability) => worker.capabilities.includes(capability));
}

/** May this worker take such a task? The database's copy of this rule is functions/worker-routes.sql. */
export function mayServe(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return (
    holdsCodebase(needs.codebaseId, worker) &&
    isTarget(needs, worker) &&
    isNamedAgent(needs, worker) &&
    hasCapabilities(needs, worker)
  );
}

/**
 * Why a pending task is not running: the first thing that somebody must change.
 * @param workers the tenant's registered workers
 * @param heldBack the task was given back lately, or declined by somebody
 */
export function waitingReason(needs: RouteNeeds, workers: readonly RoutableWorker[], heldBack: boolean): WaitingReason {
  if (needs.codebaseId === null) return 'no_codebase';
  const targets = workers.filter((worker) => isTarget(needs, worker));
  if (targets.length === 0 && needs.targetWorkerId !== null) return 'no_such_worker';
  const holders = targets.filter((worker) => holdsCodebase(needs.codebaseId, worker));
  if (holders.length === 0) return 'no_worker_for_codebase';
  const named = holders.filter((worker) => isNamedAgent(needs, worker));
  if (named.length === 0) return 'no_such_agent';
  const able = named.filter((worker) => hasCapabilities(needs, worker));
  if (able.length === 0) return 'no_worker_with_capability';
  const online = able.filter((worker) => worker.online);
  if (online.length === 0) return 'worker_offline';
  if (heldBack && online.some((worker) => worker.freeSlots > 0)) return 'held_back';
  return 'workers_busy';
}
