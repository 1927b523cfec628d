// Reads of tasks, their messages and attempts. Row-level security limits a caller's reads to its tenant, so those statements
// have no condition for it. Statements on behalf of workers name the tenant.
import type { TaskRows } from '../../../../../domain/ports/store/store.ts';
import type { TaskHold } from '../../../../../domain/model/task/route.ts';
import {
  plainQuestion,
  type QuestionChoice,
  type TaskQuestion,
} from '../../../../../domain/model/task/task-question.ts';
import { pendingCodebaseId } from '../../../../../domain/model/codebase.ts';
import type { Scope } from '../scope.ts';
import {
  assignmentFromRow,
  isoTime,
  messageFromRow,
  taskFromRow,
  type AssignmentJson,
  type MessageJson,
  type TaskJson,
} from '../../../codec/task-json.ts';
import { eventRows } from './event-rows.ts';
import { taskLists } from './lists/task-lists.ts';

interface QuestionRow {
  readonly task_id: string;
  readonly message_id: string;
  readonly at: Date;
  /** Written from a `QuestionChoice`. */
  readonly question: QuestionChoice | null;
  readonly text: string | null;
}

function questionOf({ message_id: questionId, at, question }: QuestionRow, text: string): TaskQuestion {
  return { ...(question ?? plainQuestion), questionId, text, askedAt: isoTime(at) };
}

export function taskRows(scope: Scope): TaskRows {
  return {
    ...eventRows(scope),
    ...taskLists(scope),
    async find(taskId) {
      const rows = await scope.query<{ row: TaskJson }>(
        'task_find',
        'select to_jsonb(t) as row from tasks t where id = $1',
        [taskId],
      );
      return rows.map((r) => taskFromRow(r.row))[0];
    },
    async messages(taskId) {
      const rows = await scope.query<{ row: MessageJson }>(
        'task_messages',
        'select to_jsonb(m) as row from task_messages m where task_id = $1 order by n',
        [taskId],
      );
      return rows.map((r) => messageFromRow(r.row));
    },
    async findWithMessages(taskId) {
      // One statement reads one snapshot; a commit between two statements would be visible in the second only.
      const rows = await scope.query<{ row: TaskJson; messages: MessageJson[] }>(
        'task_find_with_messages',
        `select to_jsonb(t) as row, (select coalesce(json_agg(m order by m.n), '[]') from task_messages m
           where m.tenant_id = t.tenant_id and m.task_id = t.id) as messages
         from tasks t where id = $1`,
        [taskId],
      );
      return rows.map(({ row, messages }) => ({ task: taskFromRow(row), messages: messages.map(messageFromRow) }))[0];
    },
    async questions(taskIds) {
      const rows = await scope.query<QuestionRow>(
        'task_questions',
        `select x.id as task_id, m.message_id, m.at, m.question, (select string_agg(p->>'text', E'\n' order by o)
           from jsonb_array_elements(m.parts) with ordinality as e(p, o)) as text
         from unnest($1::uuid[]) as x(id) cross join lateral (
           select message_id, at, question, parts from later_messages m where m.task_id = x.id and m.role = 'agent'
           order by n desc limit 1) m`,
        [taskIds],
      );
      return new Map(rows.flatMap((row) => (row.text === null ? [] : [[row.task_id, questionOf(row, row.text)]])));
    },
    async findPendingRegistrations(workerId) {
      const rows = await scope.query<{ created_by: string; metadata: Record<string, unknown> }>(
        'task_registrations_assigned_to',
        `select created_by, metadata from tasks
         where tenant_id = $1 and worker_id = $2 and status = 'running' and codebase_id = $3`,
        [scope.tenantId, workerId, pendingCodebaseId],
      );
      return rows.map((row) => ({ createdBy: row.created_by, metadata: row.metadata }));
    },
    async runningOf(workerId) {
      const rows = await scope.query<{ id: string; epoch: string }>(
        'task_running_of',
        `select id, epoch from tasks where tenant_id = $1 and worker_id = $2 and status = 'running' order by id`,
        [scope.tenantId, workerId],
      );
      return rows.map((r) => ({ taskId: r.id, epoch: Number(r.epoch) }));
    },
    async findUnconfirmed(workerId) {
      const rows = await scope.query<{ row: AssignmentJson }>(
        'task_unseen_of',
        `select jsonb_build_object('task', to_jsonb(t), 'lease_token', t.lease_token,
           'lease_expires_at', t.lease_expires_at, 'codebase', assigned_codebase($1, $2, t.codebase_id),
           'messages', (select coalesce(jsonb_agg(to_jsonb(m) order by m.n), '[]')
             from task_messages m where m.tenant_id = $1 and m.task_id = t.id), 'checkpoint', (
             select jsonb_build_object('data', e.data->'data', 'at', e.at) from task_events e
             where e.tenant_id = $1 and e.task_id = t.id and e.seq = t.checkpoint_seq)) as row
         from tasks t where tenant_id = $1 and worker_id = $2 and status = 'running' and not lease_seen
           and lease_expires_at > clock_timestamp() order by id`,
        [scope.tenantId, workerId],
      );
      return rows.map((r) => assignmentFromRow(r.row));
    },
    // The conditions of functions/claims/queue-claim.sql: a claim of a returned worker would get a task.
    async findAwaitedWorkers(workerIds) {
      const rows = await scope.query<{ worker_id: string }>(
        'task_awaited',
        `select w.worker_id from unnest($2::uuid[]) as w(worker_id)
         where exists (
           select from worker_routes($1, w.worker_id) as o(route_id)
           cross join lateral (
             select from tasks t where t.tenant_id = $1 and t.route_id = o.route_id and t.status = 'pending'
               and (t.deadline_at is null or t.deadline_at > now())
               and (not t.held_back or not exists (
                 select from task_holds x where x.tenant_id = $1 and x.task_id = t.id
                   and x.worker_id = w.worker_id and x.held_until > now()))
             limit 1) head)`,
        [scope.tenantId, workerIds],
      );
      return rows.map((row) => row.worker_id);
    },
    async holds(taskIds) {
      const rows = await scope.query<{ task_id: string; holds: Record<string, TaskHold> }>(
        'task_holds',
        `select task_id, jsonb_object_agg(worker_id,
           case when held_until = 'infinity' then 'for_good' else 'lately' end) as holds from task_holds
         where task_id = any ($1::uuid[]) and held_until > now() group by task_id`,
        [taskIds],
      );
      return new Map(rows.map((row) => [row.task_id, new Map(Object.entries(row.holds))]));
    },
    async holdEnds(taskId) {
      const rows = await scope.query<{ worker_id: string; held_until: Date }>(
        'task_hold_ends',
        `select worker_id, held_until from task_holds
         where task_id = $1 and held_until > now() and held_until < 'infinity'`,
        [taskId],
      );
      return new Map(rows.map((row) => [row.worker_id, isoTime(row.held_until)]));
    },
  };
}
