// Verbs that read tasks: one, a list, the exchange, the waiting reason.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import { mayServe, findWaitingReason, type TaskHold, type WaitingReason } from '../model/task/route.ts';
import type { Task, TaskMessage } from '../model/task/task.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { PlacePage, TaskFilter, TaskPlace, TaskSort } from '../ports/tasks/task-lists.ts';
import type { SeqRange } from '../ports/task-results.ts';
import type { WorkerDirectory, WorkersById } from './routing/worker-directory.ts';

/** A task, and while it is pending the reason why it is not running. */
export interface TaskView {
  readonly task: Task;
  readonly waitingReason: WaitingReason | null;
}

interface ReadDeps {
  readonly store: Store;
}

export interface ViewDeps extends ReadDeps {
  readonly workerDirectory: WorkerDirectory;
}

/** @throws DomainError not_found, for another tenant's too */
export async function getTask(deps: ReadDeps, caller: Caller, taskId: string): Promise<Task> {
  return deps.store.within(caller, (rows) => requireTask(rows, taskId));
}

/** Finds a task. A missing task and another tenant's have the same error. @throws DomainError not_found */
export async function requireTask(rows: Rows, taskId: string): Promise<Task> {
  const task = await rows.tasks.find(taskId);
  if (task === undefined) throw notFound('task');
  return task;
}

const wholeLog: SeqRange = { after: 0, before: Number.MAX_SAFE_INTEGER };

/** The events of one attempt of a task, or its whole log without an attempt. @throws DomainError not_found */
export async function findAttemptRange(rows: Rows, taskId: string, attemptId: string | undefined): Promise<SeqRange> {
  if (attemptId === undefined) return wholeLog;
  const range = await rows.taskResults.attemptRange(taskId, attemptId);
  if (range === undefined) throw notFound('attempt');
  return range;
}

/** @throws DomainError not_found */
export async function viewTask(deps: ViewDeps, caller: Caller, taskId: string): Promise<TaskView> {
  return buildTaskView(deps, caller, await getTask(deps, caller, taskId));
}

/** A task that was just read, with its waiting reason. */
export async function buildTaskView(deps: ViewDeps, caller: Caller, task: Task): Promise<TaskView> {
  return withWaitingReason(task, await readRoutingState(deps, caller, [task]));
}

/** A task that was just created, with its waiting reason: free slots are those of the cache. */
export async function buildNewTaskView({ workerDirectory }: ViewDeps, caller: Caller, task: Task): Promise<TaskView> {
  if (task.status !== 'pending') return withWaitingReason(task, emptyRoutingState);
  const workers = await workerDirectory.workersOf(caller);
  if (!isServed(task, workers)) return withWaitingReason(task, { ...emptyRoutingState, workers });
  return withWaitingReason(task, { ...emptyRoutingState, workers, full: await workerDirectory.fullWorkers.of(caller) });
}

/** The state of workers and holds that waiting reasons are computed from. */
export interface RoutingState {
  readonly workers: WorkersById;
  /** Workers without a free slot. */
  readonly full: ReadonlySet<string>;
  /** The workers that may not have a task now, by task. */
  readonly holds: ReadonlyMap<string, ReadonlyMap<string, TaskHold>>;
}

const emptyRoutingState: RoutingState = { workers: new Map(), full: new Set(), holds: new Map() };

/**
 * Reads the state that the waiting reasons of these tasks need. Must not be called within a transaction: it may open
 * its own.
 * @returns an empty state when no task waits
 */
export async function readRoutingState(
  { store, workerDirectory }: ViewDeps,
  caller: Caller,
  tasks: readonly Task[],
): Promise<RoutingState> {
  const waiting = tasks.filter((task) => task.status === 'pending');
  if (waiting.length === 0) return emptyRoutingState;
  const workers = await workerDirectory.workersOf(caller);
  // Free slots matter only for a task that some worker could take with all slots free.
  const served = waiting.filter((task) => isServed(task, workers));
  if (served.length === 0) return { ...emptyRoutingState, workers };
  const heldBack = served.filter((task) => task.heldBack).map((task) => task.id);
  return store.within(caller, async (rows) => ({
    workers,
    full: await rows.workers.full(),
    holds: heldBack.length === 0 ? emptyRoutingState.holds : await rows.tasks.holds(heldBack),
  }));
}

function isServed(task: Task, workers: WorkersById): boolean {
  for (const worker of workers.values()) if (worker.online && mayServe(task, worker)) return true;
  return false;
}

/** @param routing as `readRoutingState` returned it for this task */
export function withWaitingReason(task: Task, { workers, full, holds }: RoutingState): TaskView {
  const held = holds.get(task.id);
  const blockers = {
    isFull: (workerId: string) => full.has(workerId),
    findHold: (workerId: string) => held?.get(workerId),
  };
  return {
    task,
    waitingReason: task.status === 'pending' ? findWaitingReason(task, workers.values(), blockers) : null,
  };
}

/** Newest first. @param page.before the id after which the page begins */
export async function listTasks(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ tasks: TaskView[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.tasks.list(filter, { ...page, limit: page.limit + 1 }));
  const tasks = found.slice(0, page.limit);
  const routing = await readRoutingState(deps, caller, tasks);
  const next = found.length > page.limit ? (tasks.at(-1)?.id ?? null) : null;
  return { tasks: tasks.map((task) => withWaitingReason(task, routing)), next };
}

/**
 * A page of a sorted list. It examines a bounded number of tasks: a page of rare tasks may be short and still have a `next`.
 * ui-6.1.
 */
export async function pageTasks(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  sort: TaskSort,
  page: PlacePage,
): Promise<{ tasks: TaskView[]; next: TaskPlace | null }> {
  const { tasks, next } = await deps.store.within(caller, (rows) => rows.tasks.page(filter, sort, page));
  const routing = await readRoutingState(deps, caller, tasks);
  return { tasks: tasks.map((task) => withWaitingReason(task, routing)), next };
}

/** The task, and the messages of its exchange after the prompt. @throws DomainError not_found */
export async function getTaskWithMessages(
  deps: ReadDeps,
  caller: Caller,
  taskId: string,
): Promise<{ task: Task; messages: TaskMessage[] }> {
  const found = await deps.store.within(caller, (rows) => rows.tasks.findWithMessages(taskId));
  if (found === undefined) throw notFound('task');
  return found;
}
