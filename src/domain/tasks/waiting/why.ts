// The verb why: the reason that a task waits, each worker's own obstacle, and what to do about it. ui-6.7.
import type { Caller } from '../../model/access/caller.ts';
import {
  findObstacle,
  findWaitingReason,
  mayServe,
  type ClaimBlockers,
  type Obstacle,
  type RoutableWorker,
  type WaitingReason,
} from '../../model/task/route.ts';
import type { RouteNeeds } from '../../model/task/task.ts';
import type { Rows } from '../../ports/store/store.ts';
import { getTask, type ViewDeps } from '../read.ts';
import { remedyFor, remedyOfStatus } from './remedy.ts';
import { routeIdOf } from '../routing/route-id.ts';

export interface WorkerVerdict {
  readonly workerId: string;
  readonly name: string;
  /** Null: the worker can take the task now. */
  readonly obstacle: Obstacle | null;
  /** ISO 8601: the last heartbeat of an offline worker, the end of a hold. */
  readonly at: string | null;
}

export interface WhyView {
  /** Null: the task does not wait. */
  readonly reason: WaitingReason | null;
  /** Pending tasks that a common worker takes first, counted up to 10,000. */
  readonly ahead: number;
  readonly workers: readonly WorkerVerdict[];
  readonly remedy: string;
}

/** The waiting thing: a task, or a draft, which comes after all tasks of its priority. */
interface Waiting {
  readonly needs: RouteNeeds;
  readonly priority: number;
  readonly taskId: string | undefined;
  readonly heldBack: boolean;
}

/** Workers in an answer, of thousands that a tenant may have. */
const maxWorkers = 200;
/** Other routes of a codebase that are compared with the task's own. */
const maxRoutes = 100;
const maxAhead = 10_000;
const afterAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** @throws DomainError not_found, for another tenant's too */
export async function explainTask(deps: ViewDeps, caller: Caller, taskId: string): Promise<WhyView> {
  const task = await getTask(deps, caller, taskId);
  if (task.status !== 'pending') {
    return { reason: null, ahead: 0, workers: [], remedy: remedyOfStatus(task.status, taskId) };
  }
  return explain(deps, caller, { needs: task, priority: task.priority, taskId, heldBack: task.heldBack });
}

/** As `explainTask`, for a task that is not created yet. */
export function explainDraft(
  deps: ViewDeps,
  caller: Caller,
  draft: RouteNeeds & { readonly priority: number },
): Promise<WhyView> {
  return explain(deps, caller, { needs: draft, priority: draft.priority, taskId: undefined, heldBack: false });
}

async function explain({ store, workerDirectory }: ViewDeps, caller: Caller, waiting: Waiting): Promise<WhyView> {
  const { needs, taskId } = waiting;
  const workers = [...(await workerDirectory.workersOf(caller)).values()];
  return store.within(caller, async (rows) => {
    const blockers = await readBlockers(rows, waiting);
    const reason = findWaitingReason(needs, workers, blockers);
    return {
      reason,
      ahead: await countAhead(rows, waiting, workers),
      workers: await judgeWorkers(rows, waiting, workers, blockers),
      remedy: remedyFor(reason, needs, taskId),
    };
  });
}

async function readBlockers(rows: Rows, { taskId, heldBack }: Waiting): Promise<ClaimBlockers> {
  const full = await rows.workers.full();
  const held = heldBack && taskId !== undefined ? (await rows.tasks.holds([taskId])).get(taskId) : undefined;
  return { isFull: (workerId) => full.has(workerId), findHold: (workerId) => held?.get(workerId) };
}

/** The workers that come closest to claiming the task, each with its first obstacle. */
async function judgeWorkers(
  rows: Rows,
  { needs, taskId }: Waiting,
  workers: readonly RoutableWorker[],
  blockers: ClaimBlockers,
): Promise<WorkerVerdict[]> {
  const judged = workers
    .map((worker) => ({ workerId: worker.workerId, ...findObstacle(needs, worker, blockers) }))
    .toSorted((one, other) => other.met - one.met)
    .slice(0, maxWorkers);
  const named = await rows.workers.named(judged.map(({ workerId }) => workerId));
  const byId = new Map(named.map((worker) => [worker.workerId, worker]));
  const isHeld = taskId !== undefined && judged.some(({ obstacle }) => obstacle === 'held_back_until');
  const holdEnds = isHeld ? await rows.tasks.holdEnds(taskId) : new Map<string, string>();
  return judged.flatMap(({ workerId, obstacle }) => {
    const worker = byId.get(workerId);
    if (worker === undefined) return [];
    const times = { offline_since: worker.lastHeartbeatAt, held_back_until: holdEnds.get(workerId) };
    const at = obstacle === 'offline_since' || obstacle === 'held_back_until' ? times[obstacle] : undefined;
    return [{ workerId, name: worker.name, obstacle, at: at ?? null }];
  });
}

async function countAhead(rows: Rows, waiting: Waiting, workers: readonly RoutableWorker[]): Promise<number> {
  const { needs, priority, taskId = afterAllIds } = waiting;
  const able = workers.filter((worker) => mayServe(needs, worker));
  const routes =
    needs.codebaseId === null || able.length === 0 ? [] : await rows.routes.waiting(needs.codebaseId, maxRoutes);
  const rivals = routes.filter((route) => able.some((worker) => mayServe(route, worker)));
  const routeIds = new Set([needs, ...rivals].map(routeIdOf));
  return rows.routes.countAhead([...routeIds], { priority, taskId }, maxAhead);
}
