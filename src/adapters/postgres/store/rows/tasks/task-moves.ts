// Changes of tasks outside the group commit: by their callers, by the reaper and by housekeeping. Each statement names the
// tenant.
import { pendingCodebaseId } from '../../../../../domain/model/codebase.ts';
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { NewTaskQuestion, Requeue, SubmitRefusal, TaskMoveRows } from '../../../../../domain/ports/store/store.ts';
import { taskFromRow, type TaskJson } from '../../../codec/task-json.ts';
import { distinctRoutes, submissionRow } from '../../../codec/submission-row.ts';
import type { Scope } from '../scope.ts';

/** `end`, `answer` and `requeue` each lock the task's row, move it and append the event. */
export function taskMoves(scope: Scope, offlineAfterSeconds: number): TaskMoveRows {
  return {
    async submit(submissions) {
      const submits = submissions.map(submissionRow);
      const [row] = await scope.query<{ answer: string }>(
        'queue_submit',
        // No submission has an idempotency key, so its age does not matter.
        `select queue_submit($1, $2, $3, interval '0') as answer`,
        [scope.tenantId, JSON.stringify(distinctRoutes(submits)), JSON.stringify(submits)],
      );
      // Trusted text: the function made it.
      const { others }: { others: Record<string, { verdict: SubmitRefusal }> } = JSON.parse(
        row?.answer ?? '{"others":{}}',
      );
      return new Map(Object.entries(others).map(([taskId, { verdict }]) => [taskId, verdict]));
    },
    async change(taskId, { priority, deadlineAt, title }) {
      const [row] = await scope.query<{ before: TaskStatus; row: TaskJson | null }>(
        'task_change',
        `with found as materialized (
           select tenant_id, id, status from tasks where tenant_id = $1 and id = $2 for update
         ), changed as (
           update tasks t set priority = coalesce($3, t.priority), title = coalesce($4, t.title),
             deadline_at = case when $5 then $6 else t.deadline_at end, updated_at = now()
           from found f where t.tenant_id = f.tenant_id and t.id = f.id and f.status = 'pending' returning t.*
         )
         select f.status as before, to_jsonb(c) as row from found f left join changed c using (tenant_id, id)`,
        [scope.tenantId, taskId, priority ?? null, title ?? null, deadlineAt !== undefined, deadlineAt ?? null],
      );
      if (row === undefined) return { verdict: 'missing' };
      if (row.row === null) return { verdict: 'not_pending', status: row.before };
      return { verdict: 'changed', task: taskFromRow(row.row) };
    },
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
        JSON.stringify({
          message_id: message.messageId,
          parts: message.parts,
          metadata: message.metadata,
          question_id: message.questionId,
          by: message.by,
        }),
      ]);
      if (row?.v.verdict === 'resumed' || row?.v.verdict === 'added') {
        return { verdict: row.v.verdict, status: row.v.status, workerId: row.v.worker_id ?? null };
      }
      if (row?.v.verdict === 'terminal' || row?.v.verdict === 'full' || row?.v.verdict === 'question_changed') {
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
    async clearRefusals(workerId) {
      // Each worker gets a registration by path once. choices-3.
      await scope.query(
        'task_offer_again',
        `delete from task_holds h using tasks t
         where h.tenant_id = $1 and h.worker_id = $2 and h.held_until = 'infinity'
           and t.tenant_id = h.tenant_id and t.id = h.task_id and t.codebase_id is distinct from $3`,
        [scope.tenantId, workerId, pendingCodebaseId],
      );
    },
    // Ids are in time order: a task that finished before the limit was created before it, so the primary key finds it.
    async dropFinished(olderThanDays, limit) {
      const [row] = await scope.query<{ n: string }>(
        'task_drop_finished',
        `with old as (
           select id from tasks where tenant_id = $1
             and id < (lpad(to_hex((extract(epoch from now() - make_interval(days => $2)) * 1000)::bigint), 12, '0')
               || '00000000000000000000')::uuid
             and completed_at < now() - make_interval(days => $2)
             -- The artifacts of its steps hold what an unfinished run is made of.
             and (step_run_id is null or not exists (
               select from ralph_runs r where r.tenant_id = $1 and r.id = step_run_id
                 and r.status in ('pending', 'running', 'paused', 'needs_input')))
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
        // Skips locked rows: a route that a submit is using right now is not unused.
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

function requeueValues(tenantId: string, requeue: Requeue, offlineAfterSeconds: number): unknown[] {
  const { lease, question, error } = requeue;
  return [
    tenantId,
    requeue.taskId,
    'token' in lease ? lease.token : null,
    'token' in lease ? lease.subject : null,
    'epoch' in lease ? lease.epoch : null,
    requeue.why,
    question === undefined ? null : questionJson(question),
    error === undefined ? null : JSON.stringify(error),
    offlineAfterSeconds,
    requeue.digest ?? null,
    JSON.stringify(requeue.sentences),
  ];
}

function questionJson({ messageId, parts, choice }: NewTaskQuestion): string {
  return JSON.stringify({ message_id: messageId, parts, question: choice ?? undefined });
}
