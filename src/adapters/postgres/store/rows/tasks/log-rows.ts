// The logs of all tasks of a tenant, and the changes of what is no task, in one order. Row-level security limits them to the tenant; the statements name it too,
// because the index begins with it.
//
// A statement reads its snapshot: everything committed when it began. All rows of transactions older than the snapshot's
// oldest running one are in it. So a reader takes the rows below that transaction and continues there: no later commit
// can add rows behind it. End and entries come from one statement, because the next one has another snapshot.
import type { ChangeEntry, LogEntry, LogPage, LogRequest, LogRows } from '../../../../../domain/ports/store/log.ts';
import { positionBefore, type LogPosition } from '../../../../../domain/model/task/log-position.ts';
import type { AttentionKind } from '../../../../../domain/model/attention.ts';
import type { RunStatus } from '../../../../../domain/model/run/run-state.ts';
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { WorkerStatus } from '../../../../../domain/model/worker.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

/** A change of something other than a task, as `add_monitor_event` wrote it. */
type ChangeJson = {
  readonly [K in ChangeEntry['type']]: { readonly type: K; readonly change: ChangeData[K] };
}[ChangeEntry['type']] &
  PlaceJson;

interface ChangeData {
  worker: { readonly worker_id: string; readonly name: string; readonly status: WorkerStatus };
  run: { readonly run_id: string; readonly project: string; readonly status: RunStatus };
  attention: { readonly kind: AttentionKind; readonly id: string; readonly state: 'open' | 'closed' };
}

interface PlaceJson {
  readonly task_id: string;
  readonly seq: number;
  readonly at: string;
  readonly xid: string;
  readonly created_by: string;
}

interface TaskEntryJson extends PlaceJson {
  readonly conversation_id: string | null;
  readonly title: string;
  readonly codebase_id: string | null;
  readonly attempt: number;
  readonly question_id: string | null;
  readonly type: 'status' | 'message';
  readonly status: TaskStatus | null;
  readonly role: 'user' | 'agent' | null;
  readonly text: string | null;
  readonly cut: boolean;
  readonly change: null;
}

interface PageRow {
  readonly entries: (TaskEntryJson | ChangeJson)[];
  readonly oldest: string;
  readonly beyond: boolean;
  readonly now: Date;
}

/** The text of an event; needs `e`, the event, and `t`, its task. */
export const eventText = `case
  when e.seq = 1 then t.prompt
  when e.type = 'message' then (select string_agg(coalesce(p->>'text', p->>'data', '[file ' || concat_ws(', ',
      p->'file'->>'name', p->'file'->>'mime_type', p->'file'->>'uri') || ']'), E'\\n' order by o)
    from jsonb_array_elements(e.data->'parts') with ordinality as x(p, o))
  else case e.data->>'status'
    when 'needs_input' then e.data->>'question'
    when 'completed' then e.data->>'result'
    when 'failed' then e.data->'error'->>'message'
    when 'cancelled' then e.data->>'reason'
  end
end`;

export function logRows(scope: Scope): LogRows {
  const read = async (from: From, request: LogRequest): Promise<LogPage> => {
    const { text, values } = pageStatement(scope.tenantId, from, request);
    const [row] = await scope.query<PageRow>('', text, values);
    if (row === undefined) throw new Error('a statement with one row returned none');
    const entries = row.entries.map(entryOf);
    const end = positionBefore(BigInt(row.oldest), row.now.getTime());
    return { entries: from === 'latest' ? entries.toReversed() : entries, end, beyond: row.beyond };
  };
  return { after: read, latest: (request) => read('latest', request) };
}

type From = LogPosition | { readonly time: string } | 'latest';

/** Contains only the requested conditions, so that the planner knows them. */
function pageStatement(tenantId: string, from: From, request: LogRequest): { text: string; values: unknown[] } {
  const values: unknown[] = [tenantId, request.limit, request.textLength];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const types = request.what === 'status' ? `('status')` : `('status', 'message')`;
  const conditions = [`e.tenant_id = $1 and e.xid < (select oldest from horizon)`];
  if (from !== 'latest' && 'time' in from) {
    const time = value(from.time);
    conditions.push(`e.xid >= (select log_xid_before($1, ${time})) and date_trunc('milliseconds', e.at) >= ${time}`);
  } else if (from !== 'latest') {
    const { xid, taskId, seq } = from;
    conditions.push(
      `(e.xid, e.task_id, e.seq) > (${value(String(xid))}::xid8, ${value(taskId)}::uuid, ${value(seq)}::bigint)`,
    );
  }
  const ofTasks = [`e.type in ${types}`, ...conditions].join(' and ');
  const order = from === 'latest' ? 'xid desc, task_id desc, seq desc' : 'xid, task_id, seq';
  const columns = `e.tenant_id, e.task_id, e.seq, e.type, e.at, e.data, e.xid`;
  // The logs of named tasks are read one by one, by key.
  const events =
    request.taskIds === undefined
      ? `select ${columns}, null as created_by from task_events e where ${ofTasks}`
      : `select e.* from unnest(${value([...new Set(request.taskIds)])}::uuid[]) as named(id) cross join lateral (
           select ${columns}, null as created_by from task_events e where e.task_id = named.id and ${ofTasks} offset 0) e`;
  // A change that no task's log has stands where its id would be a task's.
  const changes = `select e.tenant_id, e.task_id, e.seq, e.type, e.at, e.data, e.xid, e.created_by from (
      select m.*, m.id as task_id, 0::bigint as seq from monitor_events m) e where ${conditions.join(' and ')}`;
  const isAll = request.what === 'all';
  const sources = isAll
    ? `((${events} order by ${order} limit $2) union all (${changes} order by ${order} limit $2))`
    : `(${events})`;
  const beyond = `e.tenant_id = $1 and e.xid >= h.oldest and e.xid < h.newest`;
  const text = `with horizon as materialized (
      select pg_snapshot_xmin(s) as oldest, pg_snapshot_xmax(s) as newest from pg_current_snapshot() as s
    ), page as materialized (select * from ${sources} e order by ${order} limit $2)
    select h.oldest::text as oldest, clock_timestamp() as now,
      exists (select from task_events e where e.type in ('status', 'message') and ${beyond})
        ${isAll ? `or exists (select from monitor_events e where ${beyond})` : ''} as beyond,
      (select coalesce(json_agg(x order by ${order.replaceAll('xid', 'x.place')}), '[]') from (
        select e.task_id, e.seq, e.type, e.at, e.xid::text as xid, e.xid as place, t.conversation_id, t.title, t.codebase_id,
          coalesce(t.created_by, e.created_by) as created_by,
          coalesce((e.data->>'attempt')::integer, t.attempt) as attempt, e.data->>'question_id' as question_id,
          e.data->>'status' as status, e.data->>'role' as role, left(shown.text, $3) as text,
          coalesce(length(shown.text) > $3, false) as cut, case when t.id is null then e.data end as change
        from page e left join tasks t on t.tenant_id = $1 and t.id = e.task_id
        cross join lateral (select ${eventText} as text offset 0) shown
        where t.id is not null or e.type not in ('status', 'message')) x) as entries
    from horizon h`;
  return { text, values };
}

function entryOf(row: TaskEntryJson | ChangeJson): LogEntry {
  return row.change === null ? taskEntryOf(row) : changeOf(row);
}

function placeOf({ task_id: taskId, seq, at: given, xid, created_by: createdBy }: PlaceJson) {
  const at = isoTime(given);
  return { at, createdBy, position: { atMs: Date.parse(at), xid: BigInt(xid), taskId, seq } };
}

function changeOf(row: ChangeJson): ChangeEntry {
  const place = placeOf(row);
  switch (row.type) {
    case 'worker':
      return {
        ...place,
        type: 'worker',
        workerId: row.change.worker_id,
        name: row.change.name,
        status: row.change.status,
      };
    case 'run':
      return {
        ...place,
        type: 'run',
        runId: row.change.run_id,
        project: row.change.project,
        status: row.change.status,
      };
    default:
      return { ...place, type: 'attention', ...row.change };
  }
}

function taskEntryOf(row: TaskEntryJson): LogEntry {
  const base = {
    ...placeOf(row),
    taskId: row.task_id,
    conversationId: row.conversation_id,
    title: row.title,
    seq: row.seq,
    text: row.text,
    cut: row.cut,
  };
  if (row.type === 'message') return { ...base, type: 'message', role: row.role ?? 'agent' };
  if (row.status === null) throw new Error(`event ${row.seq} of task ${row.task_id} has no status`);
  const { status, codebase_id: codebaseId, attempt, question_id: questionId } = row;
  return { ...base, type: 'status', status, codebaseId, attempt, questionId };
}
