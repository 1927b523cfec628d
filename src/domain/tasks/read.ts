// Verbs that read tasks: one, many, the exchange, why one waits.
import type { Caller } from '../model/caller.ts';
import { notFound } from '../model/errors.ts';
import { waitingReason, type RoutableWorker, type WaitingReason } from '../model/route.ts';
import type { Task, TaskMessage } from '../model/task.ts';
import type { Rows, Store, TaskFilter } from '../ports/store.ts';
import type { Roster } from './roster.ts';

/** A task with the reason why it is not running, while it is pending. */
export interface TaskView {
  readonly task: Task;
  readonly waitingReason: WaitingReason | null;
}

interface ReadDeps {
  readonly store: Store;
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
export async function viewTask(deps: ReadDeps, caller: Caller, taskId: string): Promise<TaskView> {
  return deps.store.within(caller, async (rows) => viewOf(rows, await existing(rows, taskId)));
}

/** A task as it was just read, with its reason. */
export async function viewOf(rows: Rows, task: Task): Promise<TaskView> {
  const workers = task.status === 'pending' ? await rows.workers.routable() : [];
  return withReason(task, workers);
}

/** @param workers the tenant's registered workers */
export function withReason(task: Task, workers: readonly RoutableWorker[]): TaskView {
  return { task, waitingReason: task.status === 'pending' ? waitingReason(task, workers, task.heldBack) : null };
}

/** A task that was just made, with its reason, from what is known of the workers. */
export async function viewFresh(
  deps: ReadDeps & { readonly roster: Roster },
  caller: Caller,
  task: Task,
): Promise<TaskView> {
  if (task.status !== 'pending') return { task, waitingReason: null };
  // One held back is not fresh (an idempotency key brought it back), and its reason asks for the free slots of now.
  if (task.heldBack) return deps.store.within(caller, (rows) => viewOf(rows, task));
  return withReason(task, await deps.roster.workersOf(caller));
}

/** Newest first. @param page.before the id after which the page goes on */
export async function listTasks(
  deps: ReadDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ tasks: TaskView[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    const found = await rows.tasks.list(filter, { ...page, limit: page.limit + 1 });
    const tasks = found.slice(0, page.limit);
    const workers = tasks.some((task) => task.status === 'pending') ? await rows.workers.routable() : [];
    const next = found.length > page.limit ? (tasks.at(-1)?.id ?? null) : null;
    return { tasks: tasks.map((task) => withReason(task, workers)), next };
  });
}

/** The task and the exchange with its agent beyond the prompt. @throws DomainError not_found */
export async function getExchange(
  deps: ReadDeps,
  caller: Caller,
  taskId: string,
): Promise<{ task: Task; messages: TaskMessage[] }> {
  return deps.store.within(caller, async (rows) => {
    const task = await existing(rows, taskId);
    return { task, messages: await rows.tasks.messages(taskId) };
  });
}
