// The logs of all tasks of a tenant in one order. Row-level security limits them to the tenant; the statements name it too,
// because the index begins with it.
//
// A statement reads its snapshot: everything committed when it began. All rows of transactions older than the snapshot's
// oldest running one are in it. So a reader takes the rows below that transaction and continues there: no later commit
// can add rows behind it. End and entries come from one statement, because the next one has another snapshot.
import type { LogEntry, LogPage, LogRequest, LogRows } from '../../../../../domain/ports/store/log.ts';
import { positionBefore, type LogPosition } from '../../../../../domain/model/task/log-position.ts';
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';

interface EntryJson {
  readonly task_id: string;
  readonly conversation_id: string | null;
  readonly title: string;
  readonly codebase_id: string | null;
  readonly created_by: string;
  readonly attempt: number;
  readonly question_id: string | null;
  readonly seq: number;
  readonly at: string;
  readonly xid: string;
  readonly type: 'status' | 'message';
  readonly status: TaskStatus | null;
  readonly role: 'user' | 'agent' | null;
  readonly text: string | null;
  readonly cut: boolean;
}

interface PageRow {
  readonly entries: EntryJson[];
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
  const conditions = [`e.tenant_id = $1 and e.type in ${types} and e.xid < (select oldest from horizon)`];
  if (from !== 'latest' && 'time' in from) {
    const time = value(from.time);
    conditions.push(`e.xid >= (select log_xid_before($1, ${time})) and date_trunc('milliseconds', e.at) >= ${time}`);
  } else if (from !== 'latest') {
    const { xid, taskId, seq } = from;
    const place = `(${value(String(xid))}::xid8, ${value(taskId)}::uuid, ${value(seq)}::bigint)`;
    conditions.push(`(e.xid, e.task_id, e.seq) > ${place}`);
  }
  const where = conditions.join(' and ');
  // The logs of named tasks are read one by one, by key.
  const events =
    request.taskIds === undefined
      ? `select e.* from task_events e where ${where}`
      : `select e.* from unnest(${value([...new Set(request.taskIds)])}::uuid[]) as named(id) cross join lateral (
           select e.* from task_events e where e.task_id = named.id and ${where} offset 0) e`;
  const order = from === 'latest' ? 'xid desc, task_id desc, seq desc' : 'xid, task_id, seq';
  const text = `with horizon as materialized (
      select pg_snapshot_xmin(s) as oldest, pg_snapshot_xmax(s) as newest from pg_current_snapshot() as s
    ), page as materialized (select * from (${events}) e order by ${order} limit $2)
    select h.oldest::text as oldest, clock_timestamp() as now, exists (
        select from task_events e where e.tenant_id = $1 and e.type in ('status', 'message')
          and e.xid >= h.oldest and e.xid < h.newest) as beyond,
      (select coalesce(json_agg(x order by ${order.replaceAll('xid', 'x.place')}), '[]') from (
        select e.task_id, e.seq, e.type, e.at, e.xid::text as xid, e.xid as place, t.conversation_id, t.title, t.codebase_id,
          t.created_by, coalesce((e.data->>'attempt')::integer, t.attempt) as attempt, e.data->>'question_id' as question_id,
          e.data->>'status' as status, e.data->>'role' as role, left(said.text, $3) as text,
          coalesce(length(said.text) > $3, false) as cut
        from page e join tasks t on t.tenant_id = $1 and t.id = e.task_id
        cross join lateral (select ${eventText} as text offset 0) said) x) as entries
    from horizon h`;
  return { text, values };
}

function entryOf(row: EntryJson): LogEntry {
  const at = isoTime(row.at);
  const position = { atMs: Date.parse(at), xid: BigInt(row.xid), taskId: row.task_id, seq: row.seq };
  const base = {
    taskId: row.task_id,
    conversationId: row.conversation_id,
    title: row.title,
    createdBy: row.created_by,
    seq: row.seq,
    at,
    position,
    text: row.text,
    cut: row.cut,
  };
  if (row.type === 'message') return { ...base, type: 'message', role: row.role ?? 'agent' };
  if (row.status === null) throw new Error(`event ${row.seq} of task ${row.task_id} has no status`);
  const { status, codebase_id: codebaseId, attempt, question_id: questionId } = row;
  return { ...base, type: 'status', status, codebaseId, attempt, questionId };
}
