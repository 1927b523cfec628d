// Verbs that read tasks together with the question that one in need of input asks.
import type { Caller } from '../model/caller.ts';
import type { Task } from '../model/task.ts';
import type { Rows, Store, TaskFilter } from '../ports/store.ts';
import { existing, viewOf, withReason, type TaskView } from './read.ts';

export interface AskingView extends TaskView {
  /** The text of its agent's question, while it needs input. */
  readonly question: string | null;
}

/** @throws DomainError not_found */
export async function viewAsking(deps: { readonly store: Store }, caller: Caller, taskId: string): Promise<AskingView> {
  return deps.store.within(caller, async (rows) => {
    const task = await existing(rows, taskId);
    const questions = await questionsOf(rows, [task]);
    return { ...(await viewOf(rows, task)), question: questions.get(task.id) ?? null };
  });
}

/** Newest first, as `listTasks`. @param page.before the id after which the page goes on */
export async function listAsking(
  deps: { readonly store: Store },
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ tasks: AskingView[]; next: string | null }> {
  return deps.store.within(caller, async (rows) => {
    const found = await rows.tasks.list(filter, { ...page, limit: page.limit + 1 });
    const tasks = found.slice(0, page.limit);
    const workers = tasks.some((task) => task.status === 'pending') ? await rows.workers.routable() : [];
    const questions = await questionsOf(rows, tasks);
    const next = found.length > page.limit ? (tasks.at(-1)?.id ?? null) : null;
    const views = tasks.map((task) => ({ ...withReason(task, workers), question: questions.get(task.id) ?? null }));
    return { tasks: views, next };
  });
}

function questionsOf(rows: Rows, tasks: readonly Task[]): Promise<ReadonlyMap<string, string>> {
  const asking = tasks.filter((task) => task.status === 'needs_input').map((task) => task.id);
  return asking.length === 0 ? Promise.resolve(new Map()) : rows.tasks.questions(asking);
}
