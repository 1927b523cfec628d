// Messages of a tenant's conversations, read from the logs of its tasks: prompts, answers, questions, agents' texts, outcomes.
// Row-level security limits them to the tenant; the statements name it too, because the indexes begin with it.
import type { MessageFilter, MessageRows, PositionedMessage } from '../../../../../domain/ports/store/log.ts';
import type { LogPosition } from '../../../../../domain/model/task/log-position.ts';
import type { Scope } from '../scope.ts';
import { isoTime } from '../../../codec/task-json.ts';
import { eventText } from './log-rows.ts';
import { likeLiteral } from '../like-literal.ts';

interface ConversationMessageRow {
  readonly message_id: string;
  readonly task_id: string;
  readonly conversation_id: string;
  readonly role: PositionedMessage['role'];
  readonly agent_name: string | null;
  readonly text: string;
  readonly at: string;
  readonly xid: string;
  readonly seq: number;
}

export interface PositionRow {
  readonly xid: string;
  readonly task_id: string;
  readonly seq: number;
  readonly at: string;
}

/** The condition of the index task_events_conversation. */
export const isConversationEvent = `(e.type = 'message' or (e.type = 'status' and (e.data ? 'question' or e.data @> '{"final": true}')))`;
/** The tasks of a conversation. A task without one is a conversation of its own, as in A2A's context id. */
const ofConversation = `(conversation_id = $2 or (conversation_id is null and id = (
  case when $2 ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then $2::uuid end)))`;

export function messageRows(scope: Scope): MessageRows {
  return {
    async search(filter, page) {
      const { text, values } = searchStatement(scope.tenantId, filter, page);
      const [found] = await scope.query<{
        messages: ConversationMessageRow[];
        last: PositionRow | null;
        scanned: number;
      }>('', text, values);
      const messages = (found?.messages ?? []).map(messageOf);
      const kept = messages.slice(0, page.limit);
      // With more messages than a page, continue after the last one shown. At the scan limit, continue after the last event.
      const over = messages.length > page.limit ? kept.at(-1)?.position : undefined;
      const last = found?.last ?? null;
      const further = found?.scanned === page.scanLimit && last !== null ? positionFromRow(last) : null;
      return { messages: kept, next: over ?? further };
    },
    async hasConversation(conversationId) {
      const [row] = await scope.query<{ found: boolean }>(
        'conversation_exists',
        `select exists (select from tasks where tenant_id = $1 and ${ofConversation}) as found`,
        [scope.tenantId, conversationId],
      );
      return row?.found ?? false;
    },
  };
}

export const newestFirst = 'e.xid desc, e.task_id desc, e.seq desc';

/** Scans the events of the tenant or of the conversation's tasks, newest first, and keeps those that are messages. */
function searchStatement(
  tenantId: string,
  filter: MessageFilter,
  page: { limit: number; before: LogPosition | undefined; scanLimit: number },
): { text: string; values: unknown[] } {
  const { conversationId } = filter;
  const values: unknown[] = [tenantId, ...(conversationId === undefined ? [] : [conversationId])];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const place = page.before;
  const older =
    place === undefined
      ? 'true'
      : `(e.xid, e.task_id, e.seq) < (${value(String(place.xid))}::xid8, ${value(place.taskId)}::uuid,
          ${value(place.seq)}::bigint)`;
  const events =
    conversationId === undefined
      ? `select e.* from task_events e where e.tenant_id = $1 and e.type in ('status', 'message') and ${older}`
      : `select e.* from (select id from tasks where tenant_id = $1 and ${ofConversation}) t cross join lateral (
           select e.* from task_events e where e.tenant_id = $1 and e.task_id = t.id and e.seq = 1 and ${older}
           union all
           select e.* from task_events e where e.tenant_id = $1 and e.task_id = t.id and ${isConversationEvent} and ${older}) e`;
  const matchesText = filter.text === undefined ? 'true' : `s.text ilike ${value(`%${likeLiteral(filter.text)}%`)}`;
  const text = `with seen as materialized (
      select e.* from (${events}) e order by ${newestFirst} limit ${value(page.scanLimit)}
    ), hits as (
      select e.xid, e.task_id, e.seq, e.at, coalesce(t.conversation_id, t.id::text) as conversation_id, s.text,
        case when e.seq = 1 then 'user' when e.type = 'message' then e.data->>'role'
          when e.data->>'status' in ('needs_input', 'completed') then 'agent' else 'system' end as role,
        case when e.seq = 1 then coalesce((select m.message_id from task_messages m where m.tenant_id = $1
            and m.task_id = t.id and m.n = 1 and m.role = 'user' and m.at = t.created_at), t.id || '.prompt')
          else coalesce(e.data->>'message_id', e.data->>'question_id', t.id || '.' || e.seq) end as message_id,
        coalesce(t.target_agent,
          (select w.name from workers w where w.tenant_id = $1 and w.worker_id = s.worker_id)) as agent_name
      from seen e join tasks t on t.tenant_id = $1 and t.id = e.task_id
      cross join lateral (
        select ${eventText} as text, coalesce((e.data->>'worker_id')::uuid, t.worker_id) as worker_id offset 0) s
      where s.text <> '' and ${matchesText}
      order by ${newestFirst} limit ${value(page.limit + 1)}
    )
    select (select count(*) from seen)::integer as scanned,
      (select json_build_object('xid', e.xid::text, 'task_id', e.task_id, 'seq', e.seq, 'at', e.at)
       from seen e order by e.xid, e.task_id, e.seq limit 1) as last,
      (select coalesce(json_agg(json_build_object('message_id', e.message_id, 'task_id', e.task_id,
         'conversation_id', e.conversation_id, 'role', e.role, 'agent_name', e.agent_name, 'text', e.text, 'at', e.at,
         'xid', e.xid::text, 'seq', e.seq) order by ${newestFirst}), '[]') from hits e) as messages`;
  return { text, values };
}

export function positionFromRow({ xid, task_id: taskId, seq, at }: PositionRow): LogPosition {
  return { atMs: Date.parse(at), xid: BigInt(xid), taskId, seq };
}

function messageOf(row: ConversationMessageRow): PositionedMessage {
  return {
    id: row.message_id,
    taskId: row.task_id,
    conversationId: row.conversation_id,
    role: row.role,
    ...(row.role === 'agent' && row.agent_name !== null ? { agentName: row.agent_name } : {}),
    text: row.text,
    at: isoTime(row.at),
    position: positionFromRow(row),
  };
}
