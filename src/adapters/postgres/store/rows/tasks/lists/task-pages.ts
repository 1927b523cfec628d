// Pages of sorted lists of tasks. A page walks one or several sources in their order and examines a bounded number of tasks
// of each, so that a page of rare tasks does not read all tasks of a tenant. Row-level security limits it to the tenant.
import type { Task } from '../../../../../../domain/model/task/task.ts';
import { isTerminal, type TaskStatus } from '../../../../../../domain/model/task/task-state.ts';
import type { PlacePage, TaskFilter, TaskPlace, TaskSort } from '../../../../../../domain/ports/tasks/task-lists.ts';
import { taskFromRow, type TaskJson } from '../../../../codec/task-json.ts';
import type { Scope } from '../../scope.ts';
import { allOf, anyStatus, conditionsOf, StatementValues, wantedStatuses } from './task-conditions.ts';

/** Tasks that a page examines in one source. */
const maxExamined = 20_000;

/** Tasks in an order that an index has. */
interface Source {
  /** Conditions that the index has. */
  readonly which: readonly string[];
  /** Conditions that it has not. */
  readonly but: readonly string[];
  /** The column of the order before the id; null: the id alone. */
  readonly column: 'updated_at' | 'completed_at' | 'priority' | null;
  /** Whether the bounds of ids shorten the walk. */
  readonly isById: boolean;
}

interface Found {
  readonly task: Task;
  readonly place: TaskPlace;
}

export async function readTaskPage(
  scope: Scope,
  filter: TaskFilter,
  sort: TaskSort,
  { limit, after }: PlacePage,
): Promise<{ tasks: Task[]; next: TaskPlace | null }> {
  // By id: a task that moves while the sources are read may be in two of them.
  const found = new Map<string, Found>();
  let floor: TaskPlace | null = null;
  for (const source of sourcesOf(filter, sort, after)) {
    const walk = walkOf(source, filter, after);
    const some = await readMatches(scope, walk, limit + 1);
    for (const each of some) found.set(each.task.id, each);
    if (some.length > limit) continue;
    // The source has no further match among the examined tasks: later ones belong to the next page.
    const end = await readEnd(scope, walk);
    if (end !== null && (floor === null || compare(end, floor) < 0)) floor = end;
  }
  const examined = [...found.values()]
    .toSorted((one, other) => compare(one.place, other.place))
    .filter(isWithin(floor));
  const cut = examined.slice(0, limit);
  const last = examined.length > limit ? (cut.at(-1)?.place ?? null) : floor;
  return { tasks: cut.map(({ task }) => task), next: last };
}

/** The order of a list: descending. */
function compare(one: TaskPlace, other: TaskPlace): number {
  if (one.rank !== other.rank) return other.rank - one.rank;
  if (one.taskId === other.taskId) return 0;
  return one.taskId < other.taskId ? 1 : -1;
}

function isWithin(floor: TaskPlace | null): (found: Found) => boolean {
  return ({ place }) => floor === null || compare(place, floor) <= 0;
}

function sourcesOf(filter: TaskFilter, sort: TaskSort, after: TaskPlace | undefined): Source[] {
  if (sort === 'created') return [{ which: [], but: [], column: null, isById: true }];
  if (sort === 'priority') {
    const plain: Source = { which: [], but: ['priority = 0'], column: null, isById: true };
    const prioritized: Source = { which: ['priority > 0'], but: [], column: 'priority', isById: false };
    return after?.rank === 0 ? [plain] : [prioritized, plain];
  }
  const statuses = wantedStatuses(filter);
  const wants = (which: (status: TaskStatus) => boolean): boolean => statuses === undefined || statuses.some(which);
  const unfinished = (one: TaskStatus, ...others: TaskStatus[]): Source[] =>
    wants((status) => status === one || others.includes(status))
      ? [{ which: [anyStatus([one, ...others])], but: [], column: 'updated_at', isById: false }]
      : [];
  const finished: Source = { which: ['completed_at is not null'], but: [], column: 'completed_at', isById: false };
  return [
    ...unfinished('pending'),
    // Few, and sorted when read.
    ...unfinished('running', 'needs_input'),
    ...(wants(isTerminal) ? [finished] : []),
  ];
}

interface Walk {
  /** The examined tasks: in their order, without a limit. */
  readonly examined: string;
  readonly order: string;
  readonly rank: string;
  readonly matches: string;
  readonly values: readonly unknown[];
}

function walkOf({ which, but, column, isById }: Source, filter: TaskFilter, after: TaskPlace | undefined): Walk {
  const parameters = new StatementValues();
  const { indexed, range, examined } = conditionsOf(filter, parameters);
  const place = after === undefined ? [] : placeConditions(column, after, parameters);
  const order = column === null ? 'id desc' : `${column} desc, id desc`;
  const from = [...indexed, ...which, ...place, ...(isById ? range : [])];
  return {
    examined: `from tasks where ${allOf(from)} order by ${order}`,
    order,
    rank: rankOf(column),
    matches: allOf([...examined, ...but, ...(isById ? [] : range)]),
    values: parameters.values,
  };
}

function placeConditions(column: Source['column'], { rank, taskId }: TaskPlace, parameters: StatementValues): string[] {
  if (column === 'priority') return [`(priority, id) < (${parameters.add(rank)}, ${parameters.add(taskId)})`];
  if (column === null) return rank > 0 ? [] : [`id < ${parameters.add(taskId)}`];
  const time = `timestamptz 'epoch' + ${parameters.add(rank)}::bigint * interval '1 microsecond'`;
  return [`(${column}, id) < (${time}, ${parameters.add(taskId)}::uuid)`];
}

function rankOf(column: Source['column']): string {
  if (column === null) return '0';
  return column === 'priority' ? 'priority::text' : `(extract(epoch from ${column}) * 1000000)::bigint::text`;
}

async function readMatches(scope: Scope, walk: Walk, limit: number): Promise<Found[]> {
  const rows = await scope.query<{ row: TaskJson; rank: string }>(
    '',
    `select to_jsonb(t) as row, ${walk.rank} as rank from (select * ${walk.examined} limit ${maxExamined}) t
     where ${walk.matches} order by ${walk.order} limit ${limit}`,
    walk.values,
  );
  return rows.map(({ row, rank }) => ({ task: taskFromRow(row), place: { rank: Number(rank), taskId: row.id } }));
}

/** The last of the tasks that the walk examined; null: it reached the end of its source. */
async function readEnd(scope: Scope, { examined, rank, values, matches }: Walk): Promise<TaskPlace | null> {
  const [row] = await scope.query<{ id: string; rank: string }>(
    '',
    // The matches are named so that the statement uses each of its parameters.
    `select id, ${rank} as rank, case when false then ${matches} end from (
       select * ${examined} limit 1 offset ${maxExamined - 1}) t`,
    values,
  );
  return row === undefined ? null : { rank: Number(row.rank), taskId: row.id };
}
