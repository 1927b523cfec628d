// Lists of tasks. A statement contains only the requested conditions, so that the planner knows them. Row-level security
// limits a caller's reads to its tenant.
import type { Page } from '../../../../../domain/ports/store/page.ts';
import type { StatusCursor, TaskFilter, TaskRows } from '../../../../../domain/ports/store/store.ts';
import { isTerminal, type TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { Scope } from '../scope.ts';
import { taskFromRow, type TaskJson } from '../../../codec/task-json.ts';
import { likeLiteral } from '../like-literal.ts';

export function taskLists(scope: Scope): Pick<TaskRows, 'list' | 'listByStatusTime' | 'count'> {
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
      const { conditions, values } = conditionsOf(filter);
      const text = `select count(*) as n from (select from tasks where ${all(conditions)} limit $${values.length + 1}) t`;
      const [row] = await scope.query<{ n: string }>('', text, [...values, atMost]);
      return Number(row?.n ?? 0);
    },
  };
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Newest first by id; ids are in time order. */
function listStatement(filter: TaskFilter, { limit, before }: Page): Statement {
  const { conditions, values, add } = conditionsOf(filter);
  add('id < ?', before);
  return {
    text: `select to_jsonb(t) as row from tasks t where ${all(conditions)} order by id desc limit $${values.length + 1}`,
    values: [...values, limit],
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
  const { conditions, values } = conditionsOf(filter);
  values.push(limit);
  const cut = `limit $${values.length}`;
  const place = `(timestamptz 'epoch' + $${values.length + 1}::bigint * interval '1 microsecond', $${values.length + 2}::uuid)`;
  if (after !== undefined) values.push(after.at, after.taskId);
  const listOf = (time: string, which: string): string => {
    const here = [which, ...conditions, ...(after === undefined ? [] : [`(${time}, id) < ${place}`])];
    return `(select t as task, ${time} as time, id from tasks t where ${all(here)}
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

interface Conditions {
  readonly conditions: string[];
  readonly values: unknown[];
  readonly add: (condition: string, value: unknown) => void;
}

function conditionsOf(filter: TaskFilter): Conditions {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition.replaceAll('?', `$${values.length}`));
  };
  add('step_run_id = ?', filter.stepRunId);
  if (filter.stepRunId === undefined && filter.steps !== true) conditions.push('step_run_id is null');
  add('status = ?', filter.status);
  add('codebase_id = ?', filter.codebaseId);
  add('worker_id = ?', filter.workerId);
  add('agent_type = ?', filter.agentType);
  add('conversation_id = ?', filter.conversationId);
  // Compared in milliseconds, the precision that callers see, so that a task is not after its own time.
  add(`date_trunc('milliseconds', created_at) > ?`, filter.createdAfter);
  add('coalesce(completed_at, updated_at) >= ?', filter.statusSince);
  add(`(title ilike ? or prompt ilike ?)`, filter.text === undefined ? undefined : `%${likeLiteral(filter.text)}%`);
  return { conditions, values, add };
}

function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}
