// Rows of agents' sessions and their message summaries. Row-level security limits them to the tenant; the statements have no
// condition for it.
import type { Session, SessionMessage } from '../../../../domain/model/session.ts';
import type { SessionRows } from '../../../../domain/ports/store/store.ts';
import type { Scope } from './scope.ts';
import { isoTime } from '../../codec/task-json.ts';
import { likeLiteral } from './like-literal.ts';

interface SessionRow {
  readonly session_id: string;
  readonly codebase_id: string;
  readonly worker_id: string | null;
  readonly title: string;
  readonly agent: string | null;
  readonly started_at: Date | null;
  readonly last_activity_at: Date;
  readonly message_count: number;
  readonly tool_usage: Record<string, number>;
  readonly metadata: Record<string, unknown>;
}

interface MessageRow {
  readonly message_id: string;
  readonly role: string;
  readonly summary: string;
  readonly at: Date;
  readonly tool_usage: Record<string, number>;
}

export function sessionRows(scope: Scope): SessionRows {
  return {
    async find(codebaseId, sessionId) {
      const rows = await scope.query<SessionRow>(
        'session_find',
        'select * from sessions where codebase_id = $1 and session_id = $2',
        [codebaseId, sessionId],
      );
      return rows.map(sessionOf)[0];
    },
    async list(codebaseId, page, text) {
      const rows = await scope.query<SessionRow>(
        'session_list',
        `select * from sessions s where codebase_id = $1 and ($2::text is null or session_id < $2)
           and ($4::text is null or title ilike $4 or agent ilike $4 or exists (
             select from session_messages m where m.tenant_id = s.tenant_id and m.codebase_id = s.codebase_id
               and m.session_id = s.session_id and m.summary ilike $4))
         order by session_id desc limit $3`,
        [codebaseId, page.before ?? null, page.limit, text === undefined ? null : `%${likeLiteral(text)}%`],
      );
      return rows.map(sessionOf);
    },
    async messages(codebaseId, sessionId, page) {
      const rows = await scope.query<MessageRow>(
        'session_messages',
        `select * from session_messages where codebase_id = $1 and session_id = $2
           and ($3::text is null or message_id < $3) order by message_id desc limit $4`,
        [codebaseId, sessionId, page.before ?? null, page.limit],
      );
      return rows.map(messageOf);
    },
    async upsert(codebaseId, sessions) {
      await scope.query(
        'session_upsert',
        `insert into sessions (tenant_id, codebase_id, session_id, worker_id, title, agent, started_at,
           last_activity_at, message_count, tool_usage, metadata)
         select $1, $2, x."sessionId", x."workerId", x.title, x.agent, x."startedAt", x."lastActivityAt",
           x."messageCount", x."toolUsage", x.metadata
         from jsonb_to_recordset($3::jsonb) as x("sessionId" text, "workerId" uuid, title text, agent text,
           "startedAt" timestamptz, "lastActivityAt" timestamptz, "messageCount" integer, "toolUsage" jsonb, metadata jsonb)
         on conflict (tenant_id, codebase_id, session_id) do update set worker_id = excluded.worker_id,
           title = excluded.title, agent = excluded.agent, started_at = excluded.started_at,
           last_activity_at = excluded.last_activity_at, message_count = excluded.message_count,
           tool_usage = excluded.tool_usage, metadata = excluded.metadata`,
        [scope.tenantId, codebaseId, JSON.stringify(sessions)],
      );
    },
    async upsertMessages(codebaseId, sessionId, messages) {
      await scope.query(
        'session_upsert_messages',
        `insert into session_messages (tenant_id, codebase_id, session_id, message_id, role, summary, tool_usage, at)
         select $1, $2, $3, x."messageId", x.role, x.summary, x."toolUsage", x.at
         from jsonb_to_recordset($4::jsonb) as x("messageId" text, role text, summary text, "toolUsage" jsonb, at timestamptz)
         on conflict (tenant_id, codebase_id, session_id, message_id) do update set role = excluded.role,
           summary = excluded.summary, tool_usage = excluded.tool_usage, at = excluded.at`,
        [scope.tenantId, codebaseId, sessionId, JSON.stringify(messages)],
      );
    },
  };
}

function sessionOf(row: SessionRow): Session {
  return {
    sessionId: row.session_id,
    codebaseId: row.codebase_id,
    workerId: row.worker_id,
    title: row.title,
    agent: row.agent,
    startedAt: row.started_at === null ? null : isoTime(row.started_at),
    lastActivityAt: isoTime(row.last_activity_at),
    messageCount: row.message_count,
    toolUsage: row.tool_usage,
    metadata: row.metadata,
  };
}

function messageOf(row: MessageRow): SessionMessage {
  return {
    messageId: row.message_id,
    role: row.role,
    summary: row.summary,
    at: isoTime(row.at),
    toolUsage: row.tool_usage,
  };
}
