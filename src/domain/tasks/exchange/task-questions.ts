// Verbs that read tasks together with the question that a task in needs_input asks.
import type { Caller } from '../../model/access/caller.ts';
import type { Task } from '../../model/task/task.ts';
import type { TaskQuestion } from '../../model/task/task-question.ts';
import type { Rows } from '../../ports/store/store.ts';
import type { TaskFilter } from '../../ports/tasks/task-lists.ts';
import {
  requireTask,
  readRoutingState,
  buildTaskView,
  withWaitingReason,
  type TaskView,
  type ViewDeps,
} from '../read.ts';

export interface TaskViewWithQuestion extends TaskView {
  /** The text of the agent's question, while the task needs input. */
  readonly question: string | null;
}

/** @throws DomainError not_found */
export async function viewTaskWithQuestion(
  deps: ViewDeps,
  caller: Caller,
  taskId: string,
): Promise<TaskViewWithQuestion> {
  const { task, question } = await deps.store.within(caller, async (rows) => {
    const found = await requireTask(rows, taskId);
    const questions = await findQuestions(rows, [found]);
    return { task: found, question: questions.get(taskId)?.text ?? null };
  });
  return { ...(await buildTaskView(deps, caller, task)), question };
}

/** Newest first, as `listTasks`. @param page.before the id after which the page begins */
export async function listTasksWithQuestions(
  deps: ViewDeps,
  caller: Caller,
  filter: TaskFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ tasks: TaskViewWithQuestion[]; next: string | null }> {
  const { tasks, next, questions } = await deps.store.within(caller, async (rows) => {
    const found = await rows.tasks.list(filter, { ...page, limit: page.limit + 1 });
    const cut = found.slice(0, page.limit);
    const last = found.length > page.limit ? (cut.at(-1)?.id ?? null) : null;
    return { tasks: cut, next: last, questions: await findQuestions(rows, cut) };
  });
  const routing = await readRoutingState(deps, caller, tasks);
  const views = tasks.map((task) => ({
    ...withWaitingReason(task, routing),
    question: questions.get(task.id)?.text ?? null,
  }));
  return { tasks: views, next };
}

function findQuestions(rows: Rows, tasks: readonly Task[]): Promise<ReadonlyMap<string, TaskQuestion>> {
  const needInput = tasks.filter((task) => task.status === 'needs_input').map((task) => task.id);
  return needInput.length === 0 ? Promise.resolve(new Map()) : rows.tasks.questions(needInput);
}
