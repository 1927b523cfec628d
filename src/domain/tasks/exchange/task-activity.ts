// The activity of tasks' agents, which is read beside the rows of the tasks: question, last line of output. ui-6.2.
import { lastLineOf } from '../../../lib/text/last-line.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Task } from '../../model/task/task.ts';
import type { TaskQuestion } from '../../model/task/task-question.ts';
import type { OutputEnd } from '../../ports/store/store.ts';
import { viewTask, type TaskView, type ViewDeps } from '../read.ts';

export interface TaskActivity {
  /** While the task needs input. */
  readonly question: TaskQuestion | null;
  /** One line of plain text; null: the agent has printed nothing. */
  readonly lastOutput: OutputEnd | null;
}

export type ActiveTaskView = TaskView & TaskActivity;

/** Most characters of the last line. */
const lastLineLength = 200;

/** @throws DomainError not_found */
export async function viewActiveTask(deps: ViewDeps, caller: Caller, taskId: string): Promise<ActiveTaskView> {
  return addActivity(deps, caller, await viewTask(deps, caller, taskId));
}

/** As `addActivities`, for one task. */
export async function addActivity(
  deps: Pick<ViewDeps, 'store'>,
  caller: Caller,
  view: TaskView,
): Promise<ActiveTaskView> {
  const [active = { ...view, ...noActivity }] = await addActivities(deps, caller, [view]);
  return active;
}

/** A task that was just created: nothing is read. */
export function withoutActivity(view: TaskView): ActiveTaskView {
  return { ...view, ...noActivity };
}

/**
 * Reads the activity of tasks that were just read: one transaction of at most two statements for a page, none where no
 * task has any. Must not be called within a transaction.
 */
export async function addActivities(
  { store }: Pick<ViewDeps, 'store'>,
  caller: Caller,
  views: readonly TaskView[],
): Promise<ActiveTaskView[]> {
  const tasks = views.map(({ task }) => task);
  const asking = tasks.filter(({ status }) => status === 'needs_input').map(({ id }) => id);
  const printed = tasks.flatMap(printedBy);
  if (asking.length === 0 && printed.length === 0) return views.map(withoutActivity);
  return store.within(caller, async (rows) => {
    const questions = asking.length === 0 ? new Map<string, TaskQuestion>() : await rows.tasks.questions(asking);
    const ends = printed.length === 0 ? new Map<string, OutputEnd>() : await rows.tasks.outputEnds(printed);
    return views.map((view) => ({
      ...view,
      question: questions.get(view.task.id) ?? null,
      lastOutput: toLastLine(ends.get(view.task.id)),
    }));
  });
}

const noActivity: TaskActivity = { question: null, lastOutput: null };

function printedBy({ id, outputSeq }: Task): { taskId: string; outputSeq: number }[] {
  return outputSeq === null ? [] : [{ taskId: id, outputSeq }];
}

function toLastLine(end: OutputEnd | undefined): OutputEnd | null {
  return end === undefined ? null : { at: end.at, text: lastLineOf(end.text, lastLineLength) };
}
