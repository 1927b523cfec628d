// Capped counts of tasks by status: each count reads a bounded part of the index of its status.
import { taskStatuses, type TaskStatus } from '../../../../../../domain/model/task/task-state.ts';
import type { CappedCounts, TaskFilter } from '../../../../../../domain/ports/tasks/task-lists.ts';
import type { Scope } from '../../scope.ts';
import { allOf, anyStatus, conditionsOf, StatementValues, wantedStatuses } from './task-conditions.ts';

/** Tasks of a status that a count examines. */
const maxExamined = 50_000;

/** The order in which an index has the tasks of a status. */
const orders: Readonly<Record<TaskStatus, string>> = {
  pending: 'order by updated_at desc, id desc',
  running: '',
  needs_input: '',
  completed: 'order by id desc',
  failed: 'order by id desc',
  cancelled: 'order by id desc',
};

export async function countEachStatus(scope: Scope, filter: TaskFilter, limit: number): Promise<CappedCounts> {
  const counts = { pending: 0, running: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 };
  const parameters = new StatementValues();
  const parts = (wantedStatuses(filter) ?? taskStatuses).map((status) => countOf(status, filter, limit, parameters));
  if (parts.length === 0) return { counts, capped: false };
  const rows = await scope.query<{ status: TaskStatus; n: string; more: boolean }>(
    '',
    parts.join(' union all '),
    parameters.values,
  );
  for (const { status, n } of rows) counts[status] = Math.min(Number(n), limit);
  return { counts, capped: rows.some(({ more }) => more) };
}

function countOf(status: TaskStatus, filter: TaskFilter, limit: number, parameters: StatementValues): string {
  const { indexed, range, examined } = conditionsOf({ ...filter, status: undefined, statuses: [status] }, parameters);
  // Completed tasks are most tasks: the newest tasks are examined, whatever their status.
  const which = status === 'completed' ? 'true' : anyStatus([status]);
  const source = `from tasks where ${allOf([which, ...indexed, ...range])} ${orders[status]}`;
  const matches = `select from (select * ${source} limit ${maxExamined}) t where ${allOf(examined)} limit ${limit + 1}`;
  return `(select '${status}' as status, n, n > ${limit} or exists (select ${source} limit 1 offset ${maxExamined}) as more
    from (select count(*) as n from (${matches}) m) c)`;
}
