// Rows of PRD chats. Row-level security limits them to the tenant; the statements have no condition for it.
import type { PrdSession, PrdTurn, PrdVersion } from '../../../../domain/model/prd/prd-session.ts';
import type { PrdSessionRows } from '../../../../domain/ports/store/prd-sessions.ts';
import { prdSessionColumns, prdTurnColumns, prdVersionColumns } from '../../codec/prd-columns.ts';
import { objectOf, toColumns } from '../../codec/run-columns.ts';
import type { Scope } from './scope.ts';

const runIds = `(select coalesce(json_agg(r.id order by r.id), '[]') from ralph_runs r where r.prd_session_id = s.id)`;
const sessionObject = objectOf(prdSessionColumns, 's', { runIds });
const turnObject = objectOf(prdTurnColumns, 't');
const versionObject = objectOf(prdVersionColumns, 'v');

export function prdSessionRows(scope: Scope): PrdSessionRows {
  return { ...sessions(scope), ...turns(scope), ...versions(scope) };
}

type Sessions = Pick<PrdSessionRows, 'create' | 'find' | 'lock' | 'list' | 'update' | 'delete' | 'dropUnchanged'>;

function sessions(scope: Scope): Sessions {
  const findBy = async (name: string, clause: string, id: string): Promise<PrdSession | undefined> => {
    const [row] = await scope.query<{ session: PrdSession }>(
      name,
      `select ${sessionObject} as session from prd_sessions s where s.id = $1 ${clause}`,
      [id],
    );
    return row?.session;
  };
  return {
    async create({ id, listedId, codebaseId, title, createdBy }) {
      const rows = await scope.query(
        'prd_session_create',
        `insert into prd_sessions (tenant_id, id, listed_id, codebase_id, title, created_by)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
        [scope.tenantId, id, listedId, codebaseId, title, createdBy],
      );
      return rows.length > 0;
    },
    find: (id) => findBy('prd_session_find', '', id),
    lock: (id) => findBy('prd_session_lock', 'for update of s', id),
    list: (codebaseId, { limit, before }) =>
      scope.query<{ session: PrdSession; listedId: string }>(
        'prd_session_list',
        `select ${sessionObject} as session, s.listed_id as "listedId" from prd_sessions s
         where ($1::text is null or s.codebase_id = $1) and ($2::uuid is null or s.listed_id < $2)
         order by s.listed_id desc limit $3`,
        [codebaseId ?? null, before ?? null, limit],
      ),
    async update(id, change) {
      await scope.query(
        'prd_session_update',
        `update prd_sessions s set (status, version, ready, title, updated_at) = (
           select c.status, c.version, c.ready, c.title, now() from jsonb_populate_record(s, $2) c) where s.id = $1`,
        [id, toColumns(change)],
      );
    },
    async delete(id) {
      await scope.query('prd_session_delete', 'delete from prd_sessions where id = $1', [id]);
    },
    async dropUnchanged(olderThanDays, limit) {
      const [row] = await scope.query<{ n: number }>(
        'prd_session_drop',
        `with old as (
           select id from prd_sessions where updated_at < now() - make_interval(days => $1) and status <> 'answering'
           order by updated_at limit $2 for update skip locked
         ), gone as (delete from prd_sessions s using old where s.id = old.id returning s.id)
         select count(*)::integer as n from gone`,
        [olderThanDays, limit],
      );
      return row?.n ?? 0;
    },
  };
}

type Turns = Pick<PrdSessionRows, 'turns' | 'addTurn' | 'updateTurn' | 'findByMessage' | 'findByTask'>;

function turns(scope: Scope): Turns {
  return {
    async turns(id) {
      const rows = await scope.query<{ turn: PrdTurn }>(
        'prd_turns',
        `select ${turnObject} as turn from prd_turns t where t.session_id = $1 order by t.n`,
        [id],
      );
      return rows.map(({ turn }) => turn);
    },
    async addTurn(id, turn, messageId) {
      const rows = await scope.query<{ n: number }>(
        'prd_turn_add',
        `with counted as (
           update prd_sessions set messages = messages + ($5 = 'user')::integer, updated_at = now() where id = $2
         )
         insert into prd_turns (tenant_id, session_id, n, role, text, attachments, task_id, questions, status, source,
           base_version, made_version, is_repair, warnings, message_id, acts_as)
         select $1, $2, coalesce(max(n), 0) + 1, $3, $4, $6, $7, $8, $9, $5, $10, $11, $12, $13, $14, $15
         from prd_turns where session_id = $2 returning n`,
        [
          scope.tenantId,
          id,
          turn.role,
          turn.text,
          turn.source,
          JSON.stringify(turn.attachments),
          turn.taskId,
          JSON.stringify(turn.questions),
          turn.status,
          turn.baseVersion,
          turn.madeVersion,
          turn.isRepair,
          JSON.stringify(turn.warnings),
          messageId ?? null,
          turn.actsAs === null ? null : JSON.stringify(turn.actsAs),
        ],
      );
      return rows[0]?.n ?? 0;
    },
    async updateTurn(id, n, change) {
      await scope.query(
        'prd_turn_update',
        `update prd_turns t set (text, questions, status, made_version, is_repair, warnings, task_id) = (
           select c.text, c.questions, c.status, c.made_version, c.is_repair, c.warnings, c.task_id
           from jsonb_populate_record(t, $3) c) where t.session_id = $1 and t.n = $2`,
        [id, n, toColumns(change)],
      );
    },
    async findByMessage(messageId) {
      const [row] = await scope.query<{ sessionId: string; n: number }>(
        'prd_turn_by_message',
        'select session_id as "sessionId", n from prd_turns where message_id = $1',
        [messageId],
      );
      return row;
    },
    async findByTask(taskId) {
      const [row] = await scope.query<{ session_id: string }>(
        'prd_turn_by_task',
        'select session_id from prd_turns where task_id = $1',
        [taskId],
      );
      return row?.session_id;
    },
  };
}

type Versions = Pick<PrdSessionRows, 'addVersion' | 'version' | 'versions'>;

function versions(scope: Scope): Versions {
  return {
    async addVersion(id, { version, document, author, turn, operations, warnings }) {
      await scope.query(
        'prd_version_add',
        `insert into prd_versions (tenant_id, session_id, version, document, author, turn, operations, warnings)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          scope.tenantId,
          id,
          version,
          JSON.stringify(document),
          author,
          turn,
          JSON.stringify(operations),
          JSON.stringify(warnings),
        ],
      );
    },
    async version(id, version) {
      const [row] = await scope.query<{ version: PrdVersion }>(
        'prd_version',
        `select ${versionObject} as version from prd_versions v where v.session_id = $1 and v.version = $2`,
        [id, version],
      );
      return row?.version;
    },
    async versions(id) {
      const rows = await scope.query<{ version: PrdVersion }>(
        'prd_versions',
        `select ${versionObject} as version from prd_versions v where v.session_id = $1 order by v.version desc`,
        [id],
      );
      return rows.map(({ version }) => version);
    },
  };
}
