// Rows of interventions. Row-level security limits a caller's reads to its tenant; those statements have no condition for it.
import type { Intervention, InterventionAction, InterventionStatus } from '../../../../../domain/model/intervention.ts';
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { InterventionRows } from '../../../../../domain/ports/store/interventions.ts';
import type { Scope } from '../scope.ts';
import { isoTime, sentInterventionFromRow, type SentInterventionJson } from '../../../codec/task-json.ts';

/** Open interventions that one task may have. */
const mostOpen = 1000;

interface InterventionRow {
  readonly intervention_id: string;
  readonly task_id: string;
  readonly action: InterventionAction;
  readonly message: string | null;
  readonly message_id: string | null;
  readonly status: InterventionStatus;
  readonly reason: string | null;
  readonly worker_id: string | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly settled_at: Date | null;
  readonly silent: boolean;
}

/** A worker that has not confirmed a cancel within two minutes is gone: it renews its leases more often than that. */
const columns = `intervention_id, task_id, action, message, message_id, status, reason, worker_id, created_by, created_at,
  sent_at, settled_at,
  action = 'cancel' and status in ('queued', 'sent') and created_at < now() - interval '2 minutes' as silent`;

export function interventionRows(scope: Scope): InterventionRows {
  return {
    async add({ id, taskId, action, message, messageId, createdBy }) {
      const [row] = await scope.query<{
        v: {
          verdict: 'queued' | 'missing' | 'terminal' | 'idle' | 'full';
          status: TaskStatus;
          worker_id?: string | null;
        };
      }>('intervention_add', 'select intervene($1, $2, $3, $4, $5, $6, $7, $8) as v', [
        scope.tenantId,
        taskId,
        id,
        action,
        message,
        messageId,
        createdBy,
        mostOpen,
      ]);
      if (row === undefined || row.v.verdict === 'missing') return { verdict: 'missing' };
      return { verdict: row.v.verdict, status: row.v.status, workerId: row.v.worker_id ?? null };
    },
    async find(id) {
      const rows = await scope.query<InterventionRow>(
        'intervention_find',
        `select ${columns} from interventions where intervention_id = $1`,
        [id],
      );
      return rows.map(interventionOf)[0];
    },
    async list(filter, page) {
      const rows = await scope.query<InterventionRow>(
        'intervention_list',
        `select ${columns} from interventions where ($1::uuid is null or task_id = $1) and ($2::text is null or status = $2)
           and ($3::uuid is null or intervention_id < $3) order by intervention_id desc limit $4`,
        [filter.taskId ?? null, filter.status ?? null, page.before ?? null, page.limit],
      );
      return rows.map(interventionOf);
    },
    async markSent(workerId) {
      const [row] = await scope.query<{ sent: SentInterventionJson[] }>(
        'intervention_send',
        `select interventions_send($1, $2, array(select id from tasks t where t.tenant_id = $1 and t.worker_id = $2
           and t.status = 'running' and t.has_interventions)) as sent`,
        [scope.tenantId, workerId],
      );
      return (row?.sent ?? []).map(sentInterventionFromRow);
    },
    async findRunningAttempts(agent, limit) {
      const rows = await scope.query<{ task_id: string; worker_id: string; name: string }>(
        'intervention_runs_of',
        // The name of an attempt's agent: the one that its task names if its worker has it, else the worker's first.
        `with running as (
           select t.id as task_id, w.worker_id, w.name, case
             when w.worker_id::text = $2 then 1 when w.name = $2 then 2
             when coalesce(case when t.target_agent = any (w.agents) then t.target_agent end,
               case when t.agent_type = any (w.agents) then t.agent_type end, w.agents[1]) = $2 then 3 end as rank
           from tasks t join workers w on w.tenant_id = $1 and w.worker_id = t.worker_id
           where t.tenant_id = $1 and t.status = 'running'
         )
         select task_id, worker_id, name from running where rank = (select min(rank) from running)
         order by task_id limit $3`,
        [scope.tenantId, agent, limit],
      );
      return rows.map((row) => ({ taskId: row.task_id, workerId: row.worker_id, workerName: row.name }));
    },
    async hasAgent(agent) {
      const rows = await scope.query(
        'intervention_knows_agent',
        `select from workers where unregistered_at is null
           and (worker_id::text = $1 or name = $1 or $1 = any (agents)) limit 1`,
        [agent],
      );
      return rows.length > 0;
    },
  };
}

function maybeTime(at: Date | null): string | null {
  return at === null ? null : isoTime(at);
}

function interventionOf(row: InterventionRow): Intervention {
  return {
    id: row.intervention_id,
    taskId: row.task_id,
    action: row.action,
    message: row.message,
    messageId: row.message_id,
    status: row.silent ? 'failed' : row.status,
    reason: row.silent ? 'worker_silent' : row.reason,
    workerId: row.worker_id,
    createdBy: row.created_by,
    createdAt: isoTime(row.created_at),
    sentAt: maybeTime(row.sent_at),
    settledAt: maybeTime(row.settled_at),
  };
}
