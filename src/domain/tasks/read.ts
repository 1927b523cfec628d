// Verbs that read tasks: one, many, the exchange, why one waits.
import type { Caller } from '../model/caller.ts';
import { notFound } from '../model/errors.ts';
import { waitingReason, type WaitingReason } from '../model/route.ts';
import type { Task, TaskMessage } from '../model/task.ts';
import type { Rows, Store, TaskFilter } from '../ports/store.ts';
import { byId, type Roster, type WorkersById } from './roster.ts';

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

/** A task as it was just made or read, with its reason. */
export async function viewOf(deps: ViewDeps, caller: Caller, task: Task): Promise<TaskView> {
  return withReason(task, await workersFor(deps, caller, [task]));
}

/**
 * The workers that the reasons of these tasks ask for. Not to be called within a transaction: it may take one of its own.
 * @returns none when no task waits
 */
export async function workersFor(
  { store, roster }: ViewDeps,
  caller: Caller,
  tasks: readonly Task[],
): Promise<WorkersById> {
  const waiting = tasks.filter((task) => task.status === 'pending');
  if (waiting.length === 0) return new Map();
  // What was given back is held from whoever is free: it asks for the free slots of now.
  if (waiting.some((task) => task.heldBack)) return byId(await store.within(caller, (rows) => rows.workers.routable()));
  return roster.workersOf(caller);
}

/** @param workers as `workersFor` has them */
export function withReason(task: Task, workers: WorkersById): TaskView {
  return {
    task,
    waitingReason: task.status === 'pending' ? waitingReason(task, workers.values(), task.heldBack) : null,
  };
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
  const workers = await workersFor(deps, caller, tasks);
  const next = found.length > page.limit ? (tasks.at(-1)?.id ?? null) : null;
  return { tasks: tasks.map((task) => withReason(task, workers)), next };
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
