// Conversations as lists show them: their last words, read from the newest end of the tenant's log, and their tasks.
import type { LogPosition } from '../../../../../domain/model/task/log-position.ts';
import type { LastWord, ThreadRows } from '../../../../../domain/ports/store/monitor/threads.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';
import { eventText } from './log-rows.ts';
import { isConversationEvent, newestFirst, positionFromRow, type PositionRow } from './message-rows.ts';

interface WordRow extends PositionRow {
  readonly conversation_id: string;
  readonly text: string;
}

/** Characters of a last word. */
const textLength = 500;
const maxParticipants = 50;

export function threadRows(scope: Scope): ThreadRows {
  return {
    async lastWords(page) {
      const { text, values } = lastWordsStatement(scope.tenantId, page);
      const [found] = await scope.query<{ words: WordRow[]; last: PositionRow | null; scanned: number }>(
        '',
        text,
        values,
      );
      const last = found?.last ?? null;
      const isCut = found?.scanned === page.scanLimit && last !== null;
      return { words: (found?.words ?? []).map(wordOf), next: isCut ? positionFromRow(last) : null };
    },
    async describe(conversationIds, taskLimit) {
      const rows = await scope.query<{ id: string; title: string; participants: string[]; open_tasks: number }>(
        'threads_describe',
        describeStatement,
        [scope.tenantId, conversationIds, taskLimit, maxParticipants],
      );
      return rows.map(({ id, title, participants, open_tasks: openTasks }) => ({ id, title, participants, openTasks }));
    },
  };
}

/**
 * Scans words, newest first, and reads their tasks by key (`offset 0`), and keeps the newest of each conversation. Steps of runs are no conversations. Behind a cursor a
 * conversation that has a newer word is left out: an earlier page has it.
 */
function lastWordsStatement(
  tenantId: string,
  page: { limit: number; before: LogPosition | undefined; scanLimit: number },
): { text: string; values: unknown[] } {
  const values: unknown[] = [tenantId, page.scanLimit, page.limit, textLength];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { before } = page;
  const place =
    before === undefined
      ? undefined
      : `(${value(String(before.xid))}::xid8, ${value(before.taskId)}::uuid, ${value(before.seq)}::bigint)`;
  const older = place === undefined ? 'true' : `(e.xid, e.task_id, e.seq) < ${place}`;
  const isLast = place === undefined ? 'true' : `not exists (${newerWord(place)})`;
  const text = `with seen as materialized (
      select e.xid, e.task_id, e.seq, e.at from task_events e
      where e.tenant_id = $1 and e.type in ('status', 'message') and (e.seq = 1 or ${isConversationEvent}) and ${older}
      order by ${newestFirst} limit $2
    ), tops as materialized (
      select distinct on (coalesce(t.conversation_id, t.id::text)) coalesce(t.conversation_id, t.id::text) as id,
        t.conversation_id, e.xid, e.task_id, e.seq, e.at
      from seen e cross join lateral (
        select x.id, x.conversation_id, x.step_run_id from tasks x
        where x.tenant_id = $1 and x.id = e.task_id offset 0) t
      where t.step_run_id is null
      order by coalesce(t.conversation_id, t.id::text), ${newestFirst}
    ), page as materialized (
      select * from tops e where ${isLast} order by ${newestFirst} limit $3
    )
    select (select count(*) from seen)::integer as scanned,
      (select json_build_object('xid', e.xid::text, 'task_id', e.task_id, 'seq', e.seq, 'at', e.at)
       from seen e order by e.xid, e.task_id, e.seq limit 1) as last,
      (select coalesce(json_agg(json_build_object('conversation_id', p.id, 'text', p.text, 'at', p.at, 'xid', p.xid::text,
         'task_id', p.task_id, 'seq', p.seq) order by p.xid desc, p.task_id desc, p.seq desc), '[]') from (
        select n.*, left(coalesce(${eventText}, ''), $4) as text
        from page n
        cross join lateral (select x.id, x.prompt from tasks x where x.tenant_id = $1 and x.id = n.task_id offset 0) t
        cross join lateral (select x.* from task_events x
          where x.tenant_id = $1 and x.task_id = n.task_id and x.seq = n.seq offset 0) e) p) as words`;
  return { text, values };
}

/** A word at or after a place in the conversation of \`e\`. Of each task only the first and the last word are read. */
function newerWord(place: string): string {
  const columns = 'e.xid, e.task_id, e.seq';
  return `select from (
      select x.id from tasks x where x.tenant_id = $1 and x.conversation_id = e.conversation_id
      union all select e.task_id where e.conversation_id is null) o
    cross join lateral (
      (select ${columns} from task_events e where e.tenant_id = $1 and e.task_id = o.id and e.seq = 1)
      union all
      (select ${columns} from task_events e where e.tenant_id = $1 and e.task_id = o.id and ${isConversationEvent}
       order by e.tenant_id desc, e.task_id desc, e.seq desc limit 1)) w
    where (w.xid, w.task_id, w.seq) >= ${place}`;
}

const isTaskId = `c.id ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'`;

/** A task without a conversation is a conversation of its own. */
const describeStatement = `select c.id, first.title,
    (select count(*) from tasks t where t.tenant_id = $1 and t.id = any (own.ids)
      and t.status in ('pending', 'running', 'needs_input'))::integer as open_tasks,
    array(select distinct p.name from tasks t
      left join workers w on w.tenant_id = $1 and w.worker_id = t.worker_id
      cross join lateral (values (t.created_by), (t.target_agent), (w.name)) as p(name)
      where t.tenant_id = $1 and t.id = any (own.ids) and p.name is not null order by 1 limit $4) as participants
  from unnest($2::text[]) as c(id)
  cross join lateral (select array(
    (select t.id from tasks t where t.tenant_id = $1 and t.conversation_id = c.id order by t.id desc limit $3)
    union all
    select t.id from tasks t where t.tenant_id = $1 and t.conversation_id is null
      and t.id = case when ${isTaskId} then c.id::uuid end) as ids offset 0) own
  cross join lateral (
    (select t.title from tasks t where t.tenant_id = $1 and t.conversation_id = c.id order by t.id limit 1)
    union all
    (select t.title from tasks t where t.tenant_id = $1 and t.id = own.ids[1])
    limit 1) first`;

function wordOf({ conversation_id: conversationId, text, ...place }: WordRow): LastWord {
  return { conversationId, text, at: isoTime(place.at), position: positionFromRow(place) };
}
