// Lists of tasks. A statement contains only the requested conditions, so that the planner knows them. Row-level security
// limits a caller's reads to its tenant.
import type { Page } from '../../../../../../domain/ports/store/page.ts';
import type { StatusCursor, TaskFilter, TaskListRows } from '../../../../../../domain/ports/tasks/task-lists.ts';
import { isTerminal, type TaskStatus } from '../../../../../../domain/model/task/task-state.ts';
import type { Scope } from '../../scope.ts';
import { taskFromRow, type TaskJson } from '../../../../codec/task-json.ts';
import { allConditionsOf, allOf, StatementValues } from './task-conditions.ts';
import { countEachStatus } from './task-counts.ts';
import { readTaskPage } from './task-pages.ts';

export function taskLists(scope: Scope): TaskListRows {
  return {
    async list(filter, page) {
      const { text, values } = listStatement(filter, page);
      const rows = await scope.query<{ row: TaskJson }>('', text, values);
      return rows.map((r) => taskFromRow(r.row));
    },
    async listByStatusTime(filter, page) {
      const { text, values } = byStatusTime(filter, page);
      const rows = await scope.query<{ row: TaskJson; at: string }>('', text, values);
      return rows.map(({ row, at }) => ({ task: taskFromRow(row), cursor: { at, taskId: row.id } }));
    },
    async count(filter, atMost) {
      const parameters = new StatementValues();
      const which = allOf(allConditionsOf(filter, parameters));
      const text = `select count(*) as n from (select from tasks where ${which} limit ${parameters.add(atMost)}) t`;
      const [row] = await scope.query<{ n: string }>('', text, parameters.values);
      return Number(row?.n ?? 0);
    },
    page: (filter, sort, page) => readTaskPage(scope, filter, sort, page),
    countEach: (filter, limit) => countEachStatus(scope, filter, limit),
  };
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Newest first by id; ids are in time order. */
function listStatement(filter: TaskFilter, { limit, before }: Page): Statement {
  const parameters = new StatementValues();
  const conditions = allConditionsOf(filter, parameters);
  if (before !== undefined) conditions.push(`id < ${parameters.add(before)}`);
  return {
    text: `select to_jsonb(t) as row from tasks t where ${allOf(conditions)} order by id desc limit ${parameters.add(limit)}`,
    values: parameters.values,
  };
}

/**
 * Merges one list per kind of status, each limited to the page. Finished and pending tasks are read in the order of their
 * indexes. Tasks in running and needs_input are found by theirs and sorted: every report of a worker would have to write an
 * index in the order of their last change.
 */
function byStatusTime(
  filter: TaskFilter,
  { limit, after }: { limit: number; after: StatusCursor | undefined },
): Statement {
  const parameters = new StatementValues();
  const { values } = parameters;
  const conditions = allConditionsOf(filter, parameters);
  const cut = `limit ${parameters.add(limit)}`;
  const place = `(timestamptz 'epoch' + $${values.length + 1}::bigint * interval '1 microsecond', $${values.length + 2}::uuid)`;
  if (after !== undefined) values.push(after.at, after.taskId);
  const listOf = (time: string, which: string): string => {
    const here = [which, ...conditions, ...(after === undefined ? [] : [`(${time}, id) < ${place}`])];
    return `(select t as task, ${time} as time, id from tasks t where ${allOf(here)}
      order by ${time} desc, id desc ${cut})`;
  };
  const { status } = filter;
  const lists = [
    ...(status === undefined || status === 'pending' ? [listOf('updated_at', `status = 'pending'`)] : []),
    ...(status === undefined || isUnderWay(status) ? [listOf('updated_at', underWay)] : []),
    ...(status === undefined || isTerminal(status) ? [listOf('completed_at', 'completed_at is not null')] : []),
  ];
  return {
    text: `select to_jsonb(task) as row, (extract(epoch from time) * 1000000)::bigint::text as at
      from (${lists.join(' union all ')}) l order by time desc, id desc ${cut}`,
    values,
  };
}

/** One condition per status, to match their indexes. */
const underWay = `(status = 'running' or status = 'needs_input')`;

function isUnderWay(status: TaskStatus): boolean {
  return status === 'running' || status === 'needs_input';
}
