// Rows of workers, codebases and sessions as records shared with other instances. Row-level security limits them to the
// tenant; the statements have no condition for it. Casts and constraints of the tables validate received records.
import type { LocalRecord, RecordKind, SharedRecordRows } from '../../../../domain/ports/shared-records.ts';
import type { Scope } from './scope.ts';

/** Newest messages that a session's record includes: with more, records would be too large to share. */
const messagesOfSession = 200;

/** One statement per kind; $1 is the tenant, $2 the id, $3 the body. Bindings are part of their worker's record. */
const applied: Record<RecordKind, readonly string[]> = {
  codebase: [
    `insert into workspaces (tenant_id, codebase_id, name, path, description, worker_id, workspace_mode, created_by, created_at)
     select $1, $2, x.name, x.path, x.description, x.worker_id, x.workspace_mode, x.created_by, x.created_at
     from jsonb_to_record($3::jsonb) as x(name text, path text, description text, worker_id uuid, workspace_mode text,
       created_by text, created_at timestamptz)
     on conflict (tenant_id, codebase_id) do update set name = excluded.name, path = excluded.path,
       description = excluded.description, worker_id = excluded.worker_id, workspace_mode = excluded.workspace_mode,
       created_by = excluded.created_by, created_at = excluded.created_at`,
  ],
  worker: [
    `insert into workers (tenant_id, worker_id, subject, name, capabilities, hostname, version, agents, models, slots,
       registered_at, last_heartbeat_at, unregistered_at, tasks_completed, codebase_roots)
     select $1, $2::uuid, x.subject, x.name, x.capabilities, x.hostname, x.version, x.agents, x.models, x.slots,
       x.registered_at, x.last_heartbeat_at, x.unregistered_at, x.tasks_completed,
       x.codebase_roots
     from jsonb_to_record($3::jsonb) as x(subject text, name text, capabilities text[], hostname text, version text,
       agents text[], models text[], slots integer, registered_at timestamptz, last_heartbeat_at timestamptz,
       unregistered_at timestamptz, tasks_completed bigint, codebase_roots text[])
     on conflict (tenant_id, worker_id) do update set subject = excluded.subject, name = excluded.name,
       capabilities = excluded.capabilities, hostname = excluded.hostname, version = excluded.version,
       agents = excluded.agents, models = excluded.models, slots = excluded.slots,
       registered_at = excluded.registered_at, last_heartbeat_at = excluded.last_heartbeat_at,
       unregistered_at = excluded.unregistered_at, tasks_completed = excluded.tasks_completed,
       codebase_roots = excluded.codebase_roots`,
    `with declared as (select x.codebase_id, x.path from jsonb_to_recordset($3::jsonb -> 'bindings')
         as x(codebase_id text, path text) join workspaces c on c.tenant_id = $1 and c.codebase_id = x.codebase_id),
       gone as (delete from codebase_bindings b where b.tenant_id = $1 and b.worker_id = $2::uuid
         and not exists (select from declared where declared.codebase_id = b.codebase_id))
     insert into codebase_bindings (tenant_id, codebase_id, worker_id, path) select $1, codebase_id, $2::uuid, path from declared
     on conflict (tenant_id, codebase_id, worker_id) do update set path = excluded.path`,
  ],
  session: [
    `insert into sessions (tenant_id, codebase_id, session_id, worker_id, title, agent, started_at, last_activity_at,
       message_count, tool_usage, metadata)
     select $1, x.codebase_id, x.session_id, x.worker_id, x.title, x.agent, x.started_at, x.last_activity_at,
       x.message_count, x.tool_usage, x.metadata
     from jsonb_to_record($3::jsonb) as x(codebase_id text, session_id text, worker_id uuid, title text, agent text,
       started_at timestamptz, last_activity_at timestamptz, message_count integer, tool_usage jsonb, metadata jsonb)
     where jsonb_build_array(x.codebase_id, x.session_id)::text = $2
     on conflict (tenant_id, codebase_id, session_id) do update set worker_id = excluded.worker_id, title = excluded.title,
       agent = excluded.agent, started_at = excluded.started_at, last_activity_at = excluded.last_activity_at,
       message_count = excluded.message_count, tool_usage = excluded.tool_usage, metadata = excluded.metadata`,
    `insert into session_messages (tenant_id, codebase_id, session_id, message_id, role, summary, tool_usage, at)
     select $1, $2::jsonb ->> 0, $2::jsonb ->> 1, x.message_id, x.role, x.summary, x.tool_usage, x.at
     from jsonb_to_recordset($3::jsonb -> 'messages')
       as x(message_id text, role text, summary text, tool_usage jsonb, at timestamptz)
     on conflict (tenant_id, codebase_id, session_id, message_id) do update set role = excluded.role,
       summary = excluded.summary, tool_usage = excluded.tool_usage, at = excluded.at`,
  ],
};

const removed: Record<RecordKind, string> = {
  codebase: 'delete from workspaces where codebase_id = $1',
  worker: 'delete from workers where worker_id = $1::uuid',
  session: 'delete from sessions where codebase_id = $1::jsonb ->> 0 and session_id = $1::jsonb ->> 1',
};

const allRecords = `select 'codebase' as kind, c.codebase_id as id,
    (to_jsonb(c) - '{tenant_id,codebase_id}'::text[])::text as body from workspaces c
  union all
  select 'worker', w.worker_id::text, (to_jsonb(w) - '{tenant_id,worker_id}'::text[] || jsonb_build_object('bindings',
    (select coalesce(jsonb_agg(jsonb_build_object('codebase_id', b.codebase_id, 'path', b.path) order by b.codebase_id), '[]')
     from codebase_bindings b where b.tenant_id = w.tenant_id and b.worker_id = w.worker_id)))::text from workers w
  union all
  select 'session', jsonb_build_array(s.codebase_id, s.session_id)::text, (to_jsonb(s) - 'tenant_id' ||
    jsonb_build_object('messages', (select coalesce(jsonb_agg(m.record order by m.message_id), '[]') from (
      select x.message_id, to_jsonb(x) - '{tenant_id,codebase_id,session_id}'::text[] as record from session_messages x
      where x.tenant_id = s.tenant_id and x.codebase_id = s.codebase_id and x.session_id = s.session_id
      order by x.message_id desc limit ${messagesOfSession}) m)))::text from sessions s`;

export function sharedRecordRows(scope: Scope): SharedRecordRows {
  return {
    all: () => scope.query<LocalRecord>('shared_all', allRecords, []),
    async apply({ kind, id, body }) {
      if (body === null) {
        await scope.query(`shared_remove_${kind}`, removed[kind], [id]);
        return;
      }
      for (const [n, text] of applied[kind].entries()) {
        await scope.query(`shared_${kind}_${n}`, text, [scope.tenantId, id, body]);
      }
    },
  };
}
