// Routing as pure rules: which workers may serve a task, and why a task still waits.
import { pendingCodebaseId } from '../codebase.ts';
import { prdCapability } from '../prd/prd-session.ts';
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
  'refused_by_worker',
  'claimable',
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** The facts about a worker that routing needs. */
export interface RoutableWorker {
  readonly workerId: string;
  /** Names of the worker and its agents that tasks may target, without names that belong to another credential. */
  readonly names: readonly string[];
  readonly agents: readonly string[];
  readonly capabilities: readonly string[];
  /** Codebases that it holds and may serve, without those that are exclusive to another worker. */
  readonly servedCodebaseIds: ReadonlySet<string>;
  readonly online: boolean;
  /** True: it is given nothing more, until it registers anew. */
  readonly drained: boolean;
}

/** Reasons that keep a worker that may serve a task from claiming it now. */
export interface ClaimBlockers {
  /** The worker has no free slot. */
  readonly isFull: (workerId: string) => boolean;
  /** The worker released this task: recently, or for good because it does not serve its folder. */
  readonly findHold: (workerId: string) => TaskHold | undefined;
}

/** How long a worker is not offered a task that it released. */
export type TaskHold = 'lately' | 'for_good';

/** Equal needs have equal keys, in any order of capabilities. The route's id is a hash of it. */
export function routeKey(needs: RouteNeeds): string {
  const capabilities = needs.requiredCapabilities;
  return JSON.stringify([
    needs.codebaseId,
    capabilities.length < 2 ? capabilities : [...new Set(capabilities)].toSorted(),
    needs.targetAgent,
    needs.targetWorkerId,
  ]);
}

/** Whether this worker may serve tasks of this codebase, regardless of their other needs. */
export function holdsCodebase(codebaseId: string | null, worker: RoutableWorker): boolean {
  if (codebaseId === null) return false;
  return codebaseId === pendingCodebaseId || worker.servedCodebaseIds.has(codebaseId);
}

function isTarget(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.targetWorkerId === null || needs.targetWorkerId === worker.workerId;
}

function isNamedAgent(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.targetAgent === null || worker.names.includes(needs.targetAgent);
}

function hasCapabilities(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return needs.requiredCapabilities.every((capability) => worker.capabilities.includes(capability));
}

/** A worker with the capability of PRD chats alone takes their turns and no other task: `serve` starts one. runs-13. */
function isOpenTo(needs: RouteNeeds, { capabilities }: RoutableWorker): boolean {
  const isDedicated = capabilities.length === 1 && capabilities[0] === prdCapability;
  return !isDedicated || needs.requiredCapabilities.includes(prdCapability);
}

/** Whether this worker may serve such a task. functions/worker-routes.sql implements the same rule in the database. */
export function mayServe(needs: RouteNeeds, worker: RoutableWorker): boolean {
  return (
    holdsCodebase(needs.codebaseId, worker) &&
    isTarget(needs, worker) &&
    isNamedAgent(needs, worker) &&
    hasCapabilities(needs, worker) &&
    isOpenTo(needs, worker) &&
    !worker.drained
  );
}

/** Whether these two workers may serve the same tasks. */
export function hasSameRouting(one: RoutableWorker, other: RoutableWorker): boolean {
  return (
    one.workerId === other.workerId &&
    one.drained === other.drained &&
    sameNames(one.names, other.names) &&
    sameNames(one.agents, other.agents) &&
    sameNames(one.capabilities, other.capabilities) &&
    one.servedCodebaseIds.size === other.servedCodebaseIds.size &&
    one.servedCodebaseIds.isSubsetOf(other.servedCodebaseIds)
  );
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, i) => name === others[i]);
}

/**
 * Why a pending task is not running: the first condition that somebody must change. The search stops at the first
 * worker that could claim the task now.
 * @param workers the tenant's registered workers
 */
export function findWaitingReason(
  needs: RouteNeeds,
  workers: Iterable<RoutableWorker>,
  blockers: ClaimBlockers,
): WaitingReason {
  if (needs.codebaseId === null) return 'no_codebase';
  let met = 0;
  for (const worker of workers) {
    // One full worker is enough, even among ten thousand.
    if (met >= fullMet && blockers.isFull(worker.workerId)) continue;
    met = Math.max(met, conditionsMet(needs, worker, blockers));
    if (met === allMet) break;
  }
  if (met === 0 && needs.targetWorkerId !== null) return 'no_such_worker';
  return reasonsByMet[met] ?? 'claimable';
}

const reasonsByMet: readonly WaitingReason[] = [
  'no_worker_for_codebase',
  'no_worker_for_codebase',
  'no_such_agent',
  'no_worker_with_capability',
  'refused_by_worker',
  'worker_offline',
  'workers_busy',
  'held_back',
];
const refusedMet = reasonsByMet.indexOf('refused_by_worker');
const fullMet = reasonsByMet.indexOf('workers_busy');
const allMet = reasonsByMet.length;

/** An obstacle between a task and one worker; `offline_since` and `held_back_until` have a time. */
export type Obstacle =
  'not_targeted' | 'no_codebase' | 'no_capability' | 'offline_since' | 'slots_full' | 'held_back_until';

/** By conditions met, as `reasonsByMet`. A worker that refused a task does not serve its folder. */
const obstaclesByMet: readonly Obstacle[] = [
  'not_targeted',
  'no_codebase',
  'not_targeted',
  'no_capability',
  'no_codebase',
  'offline_since',
  'slots_full',
  'held_back_until',
];

/** The first condition that a worker does not meet, and how many it meets before; null: it could claim the task now. */
export function findObstacle(
  needs: RouteNeeds,
  worker: RoutableWorker,
  blockers: ClaimBlockers,
): { readonly met: number; readonly obstacle: Obstacle | null } {
  const met = conditionsMet(needs, worker, blockers);
  // A worker for PRD chats alone may hold the codebase, and other tasks are not for it.
  const isDedicated = met === 1 && holdsCodebase(needs.codebaseId, worker);
  return { met, obstacle: isDedicated ? 'not_targeted' : (obstaclesByMet[met] ?? null) };
}

/** Counts the conditions that a worker meets, in their order, before the first that it does not meet. */
function conditionsMet(needs: RouteNeeds, worker: RoutableWorker, { isFull, findHold }: ClaimBlockers): number {
  if (!isTarget(needs, worker)) return 0;
  if (!holdsCodebase(needs.codebaseId, worker) || !isOpenTo(needs, worker)) return 1;
  if (!isNamedAgent(needs, worker)) return 2;
  if (!hasCapabilities(needs, worker)) return 3;
  const hold = findHold(worker.workerId);
  if (hold === 'for_good') return refusedMet;
  if (!worker.online || worker.drained) return refusedMet + 1;
  if (isFull(worker.workerId)) return fullMet;
  return hold === undefined ? allMet : fullMet + 1;
}
