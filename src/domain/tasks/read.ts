// Verbs that read tasks: one, many, the exchange, why one waits.
import type { Caller } from '../model/access/caller.ts';
import { notFound } from '../model/errors.ts';
import { mayServe, waitingReason, type TaskHold, type WaitingReason } from '../model/task/route.ts';
import type { Task, TaskMessage } from '../model/task/task.ts';
import type { Rows, Store, TaskFilter } from '../ports/store/store.ts';
import type { Roster, WorkersById } from './routing/roster.ts';

/** A task with the reason why it is not running, while it is pending. */
export interface TaskView {
  readonly task: Task;
  readonly waitingReason: WaitingReason | null;
}

interface ReadDeps {
  readonly store: Store;
}

export interface ViewDeps extends ReadDeps {
  readonly roster: Roster;
}

/** @throws DomainError not_found, for another tenant's too */
export async function getTask(deps: ReadDeps, caller: Caller, taskId: string): Promise<Task> {
  return deps.store.within(caller, (rows) => existing(rows, taskId));
}

/** The task, or the refusal that a missing and a foreign one share. */
export async function existing(rows: Rows, taskId: string): Promise<Task> {
  const task = await rows.tasks.find(taskId);
  if (task === undefined) throw notFound('task');
  return task;
}

/** @throws DomainError not_found */
export async function viewTask(deps: ViewDeps, caller: Caller, taskId: string): Promise<TaskView> {
  return viewOf(deps, caller, await getTask(deps, caller, taskId));
}

/** A task as it was just read, with its reason. */
export async function viewOf(deps: ViewDeps, caller: Caller, task: Task): Promise<TaskView> {
  return withReason(task, await outlookFor(deps, caller, [task]));
}

/** A task that was just made, with its reason: of free slots it knows those of a moment ago. */
export async function viewOfNew({ roster }: ViewDeps, caller: Caller, task: Task): Promise<TaskView> {
  if (task.status !== 'pending') return withReason(task, nothingWaits);
  const workers = await roster.workersOf(caller);
  if (!isServed(task, workers)) return withReason(task, { ...nothingWaits, workers });
  return withReason(task, { ...nothingWaits, workers, full: await roster.full.of(caller) });
}

/** Facts about workers and holds that waiting reasons are computed from. */
export interface Outlook {
  readonly workers: WorkersById;
  /** Workers without a free slot. */
  readonly full: ReadonlySet<string>;
  /** By task, the workers that it is held from. */
  readonly holds: ReadonlyMap<string, ReadonlyMap<string, TaskHold>>;
}

const nothingWaits: Outlook = { workers: new Map(), full: new Set(), holds: new Map() };

/**
 * Reads the facts that the waiting reasons of these tasks need. Not to be called within a transaction: it may take one of its own.
 * @returns an empty one when no task waits
 */
export async function outlookFor(
  { store, roster }: ViewDeps,
  caller: Caller,
  tasks: readonly Task[],
): Promise<Outlook> {
  const waiting = tasks.filter((task) => task.status === 'pending');
  if (waiting.length === 0) return nothingWaits;
  const workers = await roster.workersOf(caller);
  // Where nobody could take one with all slots free, nobody asks for free slots.
  const served = waiting.filter((task) => isServed(task, workers));
  if (served.length === 0) return { ...nothingWaits, workers };
  const back = served.filter((task) => task.heldBack).map((task) => task.id);
  return store.within(caller, async (rows) => ({
    workers,
    full: await rows.workers.full(),
    holds: back.length === 0 ? nothingWaits.holds : await rows.tasks.holds(back),
  }));
}

function isServed(task: Task, workers: WorkersById): boolean {
  for (const worker of workers.values()) if (worker.online && mayServe(task, worker)) return true;
  return false;
}

/** @param outlook as `outlookFor` has it */
export function withReason(task: Task, { workers, full, holds }: Outlook): TaskView {
  const held = holds.get(task.id);
  const hindrances = {
    isFull: (workerId: string) => full.has(workerId),
    holdOf: (workerId: string) => held?.get(workerId),
  };
  return { task, waitingReason: task.status === 'pending' ? waitingReason(task, workers.values(), hindrances) : null };
}

/** Newest first. @param page.before the id after which the page goes on */
export async function listTasks(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ tasks: TaskView[]; next: string | null }> {
  const found = await deps.store.within(caller, (rows) => rows.tasks.list(filter, { ...page, limit: page.limit + 1 }));
  const tasks = found.slice(0, page.limit);
  const outlook = await outlookFor(deps, caller, tasks);
  const next = found.length > page.limit ? (tasks.at(-1)?.id ?? null) : null;
  return { tasks: tasks.map((task) => withReason(task, outlook)), next };
}

/** The task and the exchange with its agent beyond the prompt. @throws DomainError not_found */
export async function getExchange(
  deps: ReadDeps,
  caller: Caller,
  taskId: string,
): Promise<{ task: Task; messages: TaskMessage[] }> {
  const found = await deps.store.within(caller, (rows) => rows.tasks.findWithMessages(taskId));
  if (found === undefined) throw notFound('task');
  return found;
}
