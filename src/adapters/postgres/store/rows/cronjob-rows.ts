// Rows of cronjobs and their runs. Row-level security limits them to the tenant.
import type { Cronjob, CronjobRun } from '../../../../domain/model/schedule/cronjob.ts';
import type { CronjobRows, LockedCronjob } from '../../../../domain/ports/store/schedules/cronjobs.ts';
import { columnNames, objectOf, toColumns, type RecordColumns } from '../../codec/run-columns.ts';
import { likeLiteral } from './like-literal.ts';
import type { Scope } from './scope.ts';

const jobColumns: RecordColumns<Cronjob> = {
  cronjobId: 'plain',
  name: 'plain',
  description: 'plain',
  cron: 'plain',
  timezone: 'plain',
  enabled: 'plain',
  overlap: 'plain',
  catchUp: 'plain',
  catchUpWindowSeconds: 'plain',
  jitterSeconds: 'plain',
  startsAt: 'time',
  endsAt: 'time',
  taskTemplate: 'plain',
  createdBy: 'plain',
  actsAs: 'plain',
  createdAt: 'time',
  updatedAt: 'time',
  dueAt: 'time',
  lastDueAt: 'time',
  lastRunId: 'plain',
  lastError: 'plain',
  runCount: 'plain',
  failureCount: 'plain',
  version: 'plain',
};
const runColumns: RecordColumns<CronjobRun> = {
  runId: 'plain',
  cronjobId: 'plain',
  dueAt: 'time',
  trigger: 'plain',
  status: 'plain',
  taskId: 'plain',
  reason: 'plain',
  missedCount: 'plain',
  startedAt: 'time',
  endedAt: 'time',
  error: 'plain',
};
const {
  createdAt: _c,
  updatedAt: _u,
  lastDueAt: _d,
  lastRunId: _l,
  lastError: _e,
  runCount: _r,
  failureCount: _f,
  version: _v,
  ...insertedJob
} = jobColumns;
const { startedAt: _s, endedAt: _n, ...insertedRun } = runColumns;
const jobObject = objectOf(jobColumns, 'j');
const runObject = objectOf(runColumns, 'r');
const insertedJobColumns = columnNames(insertedJob);
const insertedRunColumns = columnNames(insertedRun);

const locked = `select ${jobObject} as job, (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    (extract(epoch from j.fire_at - j.due_at) * 1000)::float8 as "jitterMs"
  from cronjobs j where j.tenant_id = $1 and j.cronjob_id = $2`;

export function cronjobRows(scope: Scope): CronjobRows {
  return { ...jobs(scope), ...runs(scope) };
}

type Jobs = Pick<
  CronjobRows,
  'now' | 'insert' | 'find' | 'lock' | 'lockDue' | 'list' | 'countForAdding' | 'update' | 'delete'
>;

function jobs(scope: Scope): Jobs {
  const lockBy = async (name: string, clause: string, id: string): Promise<LockedCronjob | undefined> => {
    const [row] = await scope.query<LockedCronjob>(name, `${locked} ${clause}`, [scope.tenantId, id]);
    return row && { ...row, now: Math.floor(row.now), jitterMs: row.jitterMs ?? 0 };
  };
  return {
    async now() {
      const [row] = await scope.query<{ now: number }>(
        'cronjob_now',
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
        [],
      );
      return Math.floor(row?.now ?? 0);
    },
    async insert(job) {
      await scope.query(
        'cronjob_insert',
        `insert into cronjobs (tenant_id, ${insertedJobColumns})
         select $1, ${insertedJobColumns} from jsonb_populate_record(null::cronjobs, $2)`,
        [scope.tenantId, toColumns({ ...job })],
      );
    },
    async find(cronjobId) {
      const [row] = await scope.query<{ job: Cronjob }>(
        'cronjob_find',
        `select ${jobObject} as job from cronjobs j where j.tenant_id = $1 and j.cronjob_id = $2`,
        [scope.tenantId, cronjobId],
      );
      return row?.job;
    },
    lock: (cronjobId) => lockBy('cronjob_lock', 'for update', cronjobId),
    lockDue: (cronjobId) =>
      lockBy('cronjob_lock_due', 'and j.enabled and j.fire_at <= clock_timestamp() for update skip locked', cronjobId),
    async list({ enabled, text }, { limit, before }) {
      const rows = await scope.query<{ job: Cronjob }>(
        'cronjob_list',
        `select ${jobObject} as job from cronjobs j where j.tenant_id = $1 and ($2::boolean is null or j.enabled = $2)
           and ($3::text is null or j.name ilike $3) and ($4::uuid is null or j.cronjob_id < $4)
         order by j.cronjob_id desc limit $5`,
        [scope.tenantId, enabled ?? null, text === undefined ? null : `%${likeLiteral(text)}%`, before ?? null, limit],
      );
      return rows.map(({ job }) => job);
    },
    async countForAdding(upTo) {
      // Held until the new job is committed: two callers cannot both be the last one.
      await scope.query('cronjob_add_lock', `select pg_advisory_xact_lock(hashtextextended('cronjobs of ' || $1, 0))`, [
        scope.tenantId,
      ]);
      const [row] = await scope.query<{ n: number }>(
        'cronjob_count',
        'select count(*)::integer as n from (select from cronjobs where tenant_id = $1 limit $2) j',
        [scope.tenantId, upTo],
      );
      return row?.n ?? 0;
    },
    async update(cronjobId, change, edits) {
      const names = columnNames(jobColumns);
      const [row] = await scope.query<{ job: Cronjob }>(
        'cronjob_update',
        `update cronjobs j set (${names}) = (
           select ${columnNames(jobColumns, 'p.')} from jsonb_populate_record(j, $3::jsonb || case when $4
             then jsonb_build_object('version', j.version + 1, 'updated_at', clock_timestamp()) else '{}' end) p)
         where j.tenant_id = $1 and j.cronjob_id = $2 returning ${jobObject} as job`,
        [scope.tenantId, cronjobId, toColumns({ ...change }), edits],
      );
      if (row === undefined) throw new Error('a locked cronjob is gone');
      return row.job;
    },
    async delete(cronjobId) {
      await scope.query('cronjob_delete', 'delete from cronjobs where tenant_id = $1 and cronjob_id = $2', [
        scope.tenantId,
        cronjobId,
      ]);
    },
  };
}

type Runs = Pick<CronjobRows, 'addRun' | 'hasRunAt' | 'findRun' | 'listRuns' | 'openTasks' | 'endRunOf' | 'dropRuns'>;

function runs(scope: Scope): Runs {
  return {
    async addRun(run) {
      const rows = await scope.query(
        'cronjob_run_add',
        `with added as (
           insert into cronjob_runs (tenant_id, ${insertedRunColumns}, ended_at)
           select $1, ${insertedRunColumns}, case when status <> 'started' then clock_timestamp() end
           from jsonb_populate_record(null::cronjob_runs, $2) on conflict do nothing returning *
         ), counted as (
           update cronjobs j set run_count = run_count + (a.task_id is not null)::integer,
             failure_count = failure_count + (a.status = 'failed')::integer
           from added a where j.tenant_id = $1 and j.cronjob_id = a.cronjob_id
         ) select from added`,
        [scope.tenantId, toColumns({ ...run })],
      );
      return rows.length > 0;
    },
    async hasRunAt(cronjobId, dueAt) {
      const rows = await scope.query(
        'cronjob_run_at',
        `select from cronjob_runs where tenant_id = $1 and cronjob_id = $2 and due_at = $3 and trigger <> 'manual'`,
        [scope.tenantId, cronjobId, dueAt],
      );
      return rows.length > 0;
    },
    async findRun(cronjobId, runId) {
      const [row] = await scope.query<{ run: CronjobRun }>(
        'cronjob_run_find',
        `select ${runObject} as run from cronjob_runs r where r.tenant_id = $1 and r.cronjob_id = $2 and r.run_id = $3`,
        [scope.tenantId, cronjobId, runId],
      );
      return row?.run;
    },
    async listRuns(cronjobId, status, { limit, before }) {
      const rows = await scope.query<{ run: CronjobRun }>(
        'cronjob_run_list',
        `select ${runObject} as run from cronjob_runs r where r.tenant_id = $1 and r.cronjob_id = $2
           and ($3::text is null or r.status = $3) and ($4::uuid is null or r.run_id < $4)
         order by r.run_id desc limit $5`,
        [scope.tenantId, cronjobId, status ?? null, before ?? null, limit],
      );
      return rows.map(({ run }) => run);
    },
    async openTasks(cronjobId) {
      return scope.query<{ runId: string; taskId: string }>(
        'cronjob_open_tasks',
        `select r.run_id as "runId", r.task_id as "taskId" from cronjob_runs r
         join tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id
         where r.tenant_id = $1 and r.cronjob_id = $2 and r.status = 'started'
           and t.status not in ('completed', 'failed', 'cancelled')`,
        [scope.tenantId, cronjobId],
      );
    },
    async endRunOf(taskId, { status, reason, error }) {
      const [row] = await scope.query<{ cronjob_id: string }>(
        'cronjob_run_end',
        // The job is locked before its run, as a firing locks them.
        `with job as materialized (
           select j.tenant_id, j.cronjob_id from cronjobs j where j.tenant_id = $1 and j.cronjob_id =
             (select o.cronjob_id from cronjob_runs o where o.tenant_id = $1 and o.task_id = $2 and o.status = 'started')
           for update
         ), ended as (
           update cronjob_runs r set status = $3, reason = $4, error = $5, ended_at = clock_timestamp() from job
           where r.tenant_id = $1 and r.cronjob_id = job.cronjob_id and r.task_id = $2 and r.status = 'started'
           returning r.cronjob_id
         ), counted as (
           update cronjobs j set failure_count = failure_count + ($3 = 'failed')::integer,
             last_error = case when $3 = 'failed' then $5 else last_error end
           from ended e where j.tenant_id = $1 and j.cronjob_id = e.cronjob_id and $3 = 'failed'
         ) select cronjob_id from ended`,
        [scope.tenantId, taskId, status, reason, error === null ? null : JSON.stringify(error)],
      );
      return row?.cronjob_id;
    },
    async dropRuns(olderThanDays, limit) {
      const [row] = await scope.query<{ n: number }>(
        'cronjob_run_drop',
        `with old as (
           select cronjob_id, due_at, run_id from cronjob_runs
           where tenant_id = $1 and ended_at < now() - make_interval(days => $2) order by ended_at limit $3
         ), gone as (
           delete from cronjob_runs r using old o where r.tenant_id = $1 and r.cronjob_id = o.cronjob_id
             and r.due_at = o.due_at and r.run_id = o.run_id returning 1
         ) select count(*)::integer as n from gone`,
        [scope.tenantId, olderThanDays, limit],
      );
      return row?.n ?? 0;
    },
  };
}
