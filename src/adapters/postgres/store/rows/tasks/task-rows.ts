// Rows of tasks, their messages and runs. What a caller reads is kept to its tenant by row-level security: no condition
// does; what acts for a tenant (the queue, housekeeping) names it.
import type { Requeue, TaskRows } from '../../../../../domain/ports/store/store.ts';
import type { TaskHold } from '../../../../../domain/model/task/route.ts';
import { pendingCodebaseId } from '../../../../../domain/model/codebase.ts';
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { Scope } from '../scope.ts';
import {
  assignmentFromRow,
  messageFromRow,
  taskFromRow,
  type AssignmentJson,
  type MessageJson,
  type TaskJson,
} from '../../../codec/task-json.ts';
import { eventRows } from './event-rows.ts';
import { taskLists } from './task-lists.ts';

export function taskRows(scope: Scope, offlineAfterSeconds: number): TaskRows {
  return {
    ...eventRows(scope),
    ...taskLists(scope),
    ...verdicts(scope, offlineAfterSeconds),
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
      // One statement sees one moment; two would see what was committed between them.
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
      const rows = await scope.query<{ task_id: string; text: string | null }>(
        'task_questions',
        `select x.id as task_id, (select string_agg(p->>'text', E'\n' order by o)
           from jsonb_array_elements(m.parts) with ordinality as e(p, o)) as text
         from unnest($1::uuid[]) as x(id) cross join lateral (
           select parts from task_messages m where m.task_id = x.id and m.role = 'agent' order by n desc limit 1) m`,
        [taskIds],
      );
      return new Map(rows.flatMap((r) => (r.text === null ? [] : [[r.task_id, r.text] as const])));
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
    async clearRefusals(workerId) {
      // A registration by path is asked of each worker once. choices-3.
      await scope.query(
        'task_offer_again',
        `delete from task_holds h using tasks t
         where h.tenant_id = $1 and h.worker_id = $2 and h.held_until = 'infinity'
           and t.tenant_id = h.tenant_id and t.id = h.task_id and t.codebase_id is distinct from $3`,
        [scope.tenantId, workerId, pendingCodebaseId],
      );
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
           'lease_expires_at', t.lease_expires_at, 'codebase', assigned_codebase($1, $2, t.codebase_id), 'messages', (select coalesce(jsonb_agg(to_jsonb(m) order by m.n), '[]')
             from task_messages m where m.tenant_id = $1 and m.task_id = t.id), 'checkpoint', (
             select jsonb_build_object('data', e.data->'data', 'at', e.at) from task_events e
             where e.tenant_id = $1 and e.task_id = t.id and e.seq = t.checkpoint_seq)) as row
         from tasks t where tenant_id = $1 and worker_id = $2 and status = 'running' and not lease_seen
           and lease_expires_at > clock_timestamp() order by id`,
        [scope.tenantId, workerId],
      );
      return rows.map((r) => assignmentFromRow(r.row));
    },
    // The conditions of functions/queue-claim.sql: who is named here gets something when it claims.
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
    async countByStatus() {
      const rows = await scope.query<{ status: TaskStatus; n: string; oldest: number | null }>(
        'task_counts',
        `select status, count(*) as n, extract(epoch from now() - min(created_at) filter (where status = 'pending'))::float8
           as oldest from tasks group by status`,
        [],
      );
      const counts = { pending: 0, running: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 };
      for (const row of rows) counts[row.status] = Number(row.n);
      return { counts, oldestPendingSeconds: rows.find((r) => r.status === 'pending')?.oldest ?? null };
    },
    async depthByCodebase(limit) {
      const rows = await scope.query<{ status: TaskStatus; codebase: string; n: string }>(
        'task_depth',
        `with open as (
           select status, coalesce(codebase_id, 'none') as codebase, count(*) as n from tasks
           where status in ('pending', 'running', 'needs_input') group by 1, 2
         ), shown as (
           select codebase from open group by codebase order by sum(n) desc, codebase limit $1
         )
         select o.status, coalesce(s.codebase, 'other') as codebase, sum(o.n) as n
         from open o left join shown s using (codebase) group by 1, 2 order by 2, 1`,
        [limit],
      );
      return rows.map(({ status, codebase, n }) => ({ status, codebase, tasks: Number(n) }));
    },
    ...retention(scope),
  };
}

type Verdicts = Pick<TaskRows, 'end' | 'answer' | 'requeue'>;

/** The queue's functions for one task; each locks the row, moves it and appends the event. */
function verdicts(scope: Scope, offlineAfterSeconds: number): Verdicts {
  return {
    async end(taskId, status, error, reason) {
      const [row] = await scope.query<{ v: { verdict: string; status: TaskStatus; worker_id?: string | null } }>(
        'queue_end',
        'select queue_end($1, $2, $3, $4, $5) as v',
        [scope.tenantId, taskId, status, error === null ? null : JSON.stringify(error), reason],
      );
      if (row?.v.verdict === 'ended') {
        return { verdict: 'ended', status: row.v.status, workerId: row.v.worker_id ?? null };
      }
      return row?.v.verdict === 'terminal' ? { verdict: 'terminal', status: row.v.status } : { verdict: 'missing' };
    },
    async answer(taskId, message) {
      const [row] = await scope.query<{
        v: { verdict: string; status: TaskStatus; worker_id?: string | null };
      }>('add_task_message', 'select add_task_message($1, $2, $3) as v', [
        scope.tenantId,
        taskId,
        JSON.stringify({ message_id: message.messageId, parts: message.parts, metadata: message.metadata }),
      ]);
      if (row?.v.verdict === 'resumed' || row?.v.verdict === 'added') {
        return { verdict: row.v.verdict, status: row.v.status, workerId: row.v.worker_id ?? null };
      }
      if (row?.v.verdict === 'terminal' || row?.v.verdict === 'full') {
        return { verdict: row.v.verdict, status: row.v.status };
      }
      return { verdict: 'missing' };
    },
    async requeue(requeue) {
      const [row] = await scope.query<{
        v: { verdict: 'requeued' | 'failed' | 'asked' | 'repeated' | 'lease_lost'; status?: TaskStatus; seq?: number };
      }>(
        'queue_requeue',
        'select queue_requeue($1, $2, $3, $4, $5, $6, $7, $8, make_interval(secs => $9), $10, $11::jsonb) as v',
        requeueValues(scope.tenantId, requeue, offlineAfterSeconds),
      );
      return { verdict: row?.v.verdict ?? 'lease_lost', status: row?.v.status ?? null, seq: row?.v.seq ?? 0 };
    },
  };
}

function requeueValues(tenantId: string, requeue: Requeue, offlineAfterSeconds: number): unknown[] {
  const { lease, question, error } = requeue;
  return [
    tenantId,
    requeue.taskId,
    'token' in lease ? lease.token : null,
    'token' in lease ? lease.subject : null,
    'epoch' in lease ? lease.epoch : null,
    requeue.why,
    question === undefined ? null : JSON.stringify({ message_id: question.messageId, parts: question.parts }),
    error === undefined ? null : JSON.stringify(error),
    offlineAfterSeconds,
    requeue.digest ?? null,
    JSON.stringify(requeue.sentences),
  ];
}

type Retention = Pick<TaskRows, 'dropFinished' | 'dropUnusedRoutes'>;

/** Housekeeping of one tenant. */
function retention(scope: Scope): Retention {
  return {
    // Ids are in time order: what finished before the line was created before it, so the primary key finds it.
    async dropFinished(olderThanDays, limit) {
      const [row] = await scope.query<{ n: string }>(
        'task_drop_finished',
        `with old as (
           select id from tasks where tenant_id = $1
             and id < (lpad(to_hex((extract(epoch from now() - make_interval(days => $2)) * 1000)::bigint), 12, '0')
               || '00000000000000000000')::uuid
             and completed_at < now() - make_interval(days => $2)
           order by id limit $3 for update skip locked
         ), gone as (delete from tasks t using old where t.tenant_id = $1 and t.id = old.id returning t.id
         ), runs as (delete from task_runs r using old where r.tenant_id = $1 and r.task_id = old.id
         ), events as (delete from task_events e using old where e.tenant_id = $1 and e.task_id = old.id
         ), sent as (delete from deliveries d using old where d.tenant_id = $1 and d.task_id = old.id)
         select count(*) as n from gone`,
        [scope.tenantId, olderThanDays, limit],
      );
      return Number(row?.n ?? 0);
    },
    async dropUnusedRoutes() {
      const rows = await scope.query(
        'route_drop_unused',
        // Waits for nobody: a route that a submit is just taking into use is not unused.
        `delete from routes where tenant_id = $1 and route_id in (
           select route_id from routes r where tenant_id = $1 and used_at < now() - interval '1 day' and not exists (
             select from tasks t where t.tenant_id = $1 and t.route_id = r.route_id and t.status = 'pending')
           for update skip locked)
         returning route_id`,
        [scope.tenantId],
      );
      return rows.length;
    },
  };
}
