// The conditions of a filter of tasks, by what serves them: an index, the order of the primary key, or a look at each task.
import { taskStatuses, type TaskStatus } from '../../../../../../domain/model/task/task-state.ts';
import type { TaskFilter } from '../../../../../../domain/ports/tasks/task-lists.ts';
import { likeLiteral } from '../../like-literal.ts';

/** The values of a statement's parameters. */
export class StatementValues {
  readonly values: unknown[] = [];

  /** Adds a value. @returns its place in the statement */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

export interface TaskConditions {
  /** Served by indexes of their own, or by those of rare statuses: they decide which tasks are examined. */
  readonly indexed: readonly string[];
  /** Bounds of ids, which are in time order: they decide where a walk by id begins and ends. */
  readonly range: readonly string[];
  /** Decided by looking at each task. */
  readonly examined: readonly string[];
}

/** A task's id has the time of a replica's clock, its time of creation the database's: they may differ by this much. */
const clockSkewMs = 3_600_000;

/** The conditions of a filter, with their values among these parameters. */
export function conditionsOf(filter: TaskFilter, parameters: StatementValues): TaskConditions {
  const statuses = wantedStatuses(filter);
  const isRare = statuses?.every((status) => status !== 'completed') === true;
  const status = statuses === undefined ? [] : [anyStatus(statuses)];
  return {
    indexed: [...(isRare ? status : []), ...indexedConditions(filter, parameters)],
    range: rangeConditions(filter, parameters),
    examined: [...(isRare ? [] : status), ...examinedConditions(filter, parameters)],
  };
}

/** All conditions of a filter, for lists that are not walked in steps. */
export function allConditionsOf(filter: TaskFilter, parameters: StatementValues): string[] {
  const { indexed, examined } = conditionsOf(filter, parameters);
  return [...indexed, ...examined];
}

/** The statuses that a task of this filter may have, in the order of the state table; undefined: any. */
export function wantedStatuses(filter: TaskFilter): readonly TaskStatus[] | undefined {
  const { status, statuses = status === undefined ? undefined : [status] } = filter;
  const possible = possibleStatuses(filter);
  if (statuses === undefined) return possible;
  return taskStatuses.filter((each) => statuses.includes(each) && (possible?.includes(each) ?? true));
}

function possibleStatuses(filter: TaskFilter): readonly TaskStatus[] | undefined {
  const { silentSince, paused, errorCode, endedAfter, endedBefore } = filter;
  if (silentSince !== undefined || paused === true) return ['running'];
  if (errorCode !== undefined) return ['failed', 'cancelled'];
  return endedAfter === undefined && endedBefore === undefined ? undefined : ['completed', 'failed', 'cancelled'];
}

/** One condition for each status, to match the partial indexes; each is one of the table's words. */
export function anyStatus(statuses: readonly TaskStatus[]): string {
  return statuses.length === 0 ? 'false' : `(${statuses.map((status) => `status = '${status}'`).join(' or ')})`;
}

function indexedConditions(filter: TaskFilter, parameters: StatementValues): string[] {
  return conditions(parameters, [
    ['id = any (?::uuid[])', filter.ids],
    ['retry_of = ?', filter.retryOf],
    ['follows = ?', filter.follows],
    ['conversation_id = ?', filter.conversationId],
    ['step_run_id = ?', filter.stepRunId],
  ]);
}

function rangeConditions(filter: TaskFilter, parameters: StatementValues): string[] {
  const { createdAfter, createdBefore, endedBefore } = filter;
  return conditions(parameters, [
    ['id > ?', createdAfter === undefined ? undefined : idAt(Date.parse(createdAfter) - clockSkewMs)],
    ['id < ?', createdBefore === undefined ? undefined : idAt(Date.parse(createdBefore) + clockSkewMs)],
    // A task is created before it ends.
    ['id < ?', endedBefore === undefined ? undefined : idAt(Date.parse(endedBefore) + clockSkewMs)],
  ]);
}

/** The smallest id of a time. */
function idAt(ms: number): string {
  const time = Math.min(Math.max(ms, 0), 0xffff_ffff_ffff);
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function examinedConditions(filter: TaskFilter, parameters: StatementValues): string[] {
  const words = filter.text === undefined ? undefined : `%${likeLiteral(filter.text)}%`;
  return [
    ...(filter.stepRunId === undefined && filter.steps !== true ? ['step_run_id is null'] : []),
    ...(filter.paused === undefined ? [] : [`paused_at is ${filter.paused ? 'not null' : 'null'}`]),
    ...conditions(parameters, [
      ['codebase_id = ?', filter.codebaseId],
      ['worker_id = ?', filter.workerId],
      ['agent_type = ?', filter.agentType],
      ['target_agent = ?', filter.targetAgent],
      ['created_by = ?', filter.createdBy],
      [`error->>'code' = ?`, filter.errorCode],
      ['attempt >= ?', filter.attemptMin],
      ['deadline_at < ?', filter.deadlineBefore],
      ['last_event_at < ?', filter.silentSince],
      // Compared in milliseconds, the precision that callers see, so that a task is not after its own time.
      [`date_trunc('milliseconds', created_at) > ?`, filter.createdAfter],
      [`date_trunc('milliseconds', created_at) < ?`, filter.createdBefore],
      [`date_trunc('milliseconds', completed_at) >= ?`, filter.endedAfter],
      [`date_trunc('milliseconds', completed_at) < ?`, filter.endedBefore],
      ['coalesce(completed_at, updated_at) >= ?', filter.statusSince],
      ['(title ilike ? or prompt ilike ?)', words],
    ]),
  ];
}

/** The conditions with a value, each `?` replaced by its parameter. */
function conditions(parameters: StatementValues, all: readonly (readonly [string, unknown])[]): string[] {
  return all.flatMap(([text, value]) => (value === undefined ? [] : [text.replaceAll('?', parameters.add(value))]));
}

/** A conjunction. */
export function allOf(parts: readonly string[]): string {
  return parts.length === 0 ? 'true' : parts.join(' and ');
}
