// The verb that lists what pending tasks wait for: their routes, each with one reason and one remedy. ui-6.1.
import type { Caller } from '../../model/access/caller.ts';
import { findWaitingReason, type WaitingReason } from '../../model/task/route.ts';
import type { Rows, WaitingRoute } from '../../ports/store/store.ts';
import type { ViewDeps } from '../read.ts';
import { remedyFor } from './remedy.ts';

export interface WaitingRouteView extends WaitingRoute {
  readonly reason: WaitingReason;
  readonly remedy: string;
}

/** Bounds the rows of the pending index that one call reads. */
const limits = { routes: 200, tasksOfRoute: 10_000, tasks: 100_000 };

/** The routes of pending tasks, the oldest first, and whether some tasks are left out. */
export async function findWaitingRoutes(
  { store, workerDirectory }: ViewDeps,
  caller: Caller,
): Promise<{ routes: WaitingRouteView[]; capped: boolean }> {
  const workers = await workerDirectory.workersOf(caller);
  const { found, full, holds } = await store.within(caller, async (rows) => {
    const waiting = await rows.routes.listWaiting(limits);
    return { found: waiting, full: await rows.workers.full(), holds: await readHolds(rows, waiting.routes) };
  });
  const routes = found.routes.map((route) => {
    const held = route.heldTaskId === null ? undefined : holds.get(route.heldTaskId);
    const reason = findWaitingReason(route.needs, workers.values(), {
      isFull: (workerId) => full.has(workerId),
      findHold: (workerId) => held?.get(workerId),
    });
    return { ...route, reason, remedy: remedyFor(reason, route.needs) };
  });
  return { routes, capped: found.capped };
}

/** If every task of a route is held back, one of them stands for all. */
async function readHolds(rows: Rows, routes: readonly WaitingRoute[]): ReturnType<Rows['tasks']['holds']> {
  const held = routes.flatMap(({ heldTaskId }) => heldTaskId ?? []);
  return held.length === 0 ? new Map() : rows.tasks.holds(held);
}
