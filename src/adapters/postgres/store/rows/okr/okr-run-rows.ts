// Rows of the runs of objectives. Row-level security limits them to the tenant.
import type { OkrRun } from '../../../../../domain/model/okr/okr.ts';
import type { EarlierReport, OkrRunRows } from '../../../../../domain/ports/store/okr/okrs.ts';
import { columnNames, isoText, objectOf, toColumns, type RecordColumns } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';

const runColumns: RecordColumns<OkrRun> = {
  okrId: 'plain',
  runId: 'plain',
  status: 'plain',
  mode: 'plain',
  items: 'plain',
  instructions: 'plain',
  taskTemplate: 'plain',
  createdBy: 'plain',
  actsAs: 'plain',
  createdAt: 'time',
  endedAt: 'time',
  error: 'plain',
};
const { createdAt: _c, endedAt: _e, error: _r, ...inserted } = runColumns;
const insertedColumns = columnNames(inserted);
const runObject = objectOf(runColumns, 'r');
const itemsOf = `from okr_runs r cross join lateral jsonb_array_elements(r.items) i
  where r.tenant_id = $1 and r.okr_id = $2 and i->>'keyResultId' = $3`;

export function okrRunRows(scope: Scope): OkrRunRows {
  return {
    async insert(run) {
      await scope.query(
        'okr_run_insert',
        `insert into okr_runs (tenant_id, ${insertedColumns})
         select $1, ${insertedColumns} from jsonb_populate_record(null::okr_runs, $2)`,
        [scope.tenantId, toColumns({ ...run })],
      );
    },
    async find(okrId, runId) {
      const [row] = await scope.query<{ run: OkrRun }>(
        'okr_run_find',
        `select ${runObject} as run from okr_runs r where r.tenant_id = $1 and r.okr_id = $2 and r.run_id = $3`,
        [scope.tenantId, okrId, runId],
      );
      return row?.run;
    },
    async list(okrId, status, { limit, before }) {
      const rows = await scope.query<{ run: OkrRun }>(
        'okr_run_list',
        `select ${runObject} as run from okr_runs r where r.tenant_id = $1 and r.okr_id = $2
           and ($3::text is null or r.status = $3) and ($4::uuid is null or r.run_id < $4)
         order by r.run_id desc limit $5`,
        [scope.tenantId, okrId, status ?? null, before ?? null, limit],
      );
      return rows.map(({ run }) => run);
    },
    async update({ okrId, runId }, change) {
      const names = columnNames(runColumns);
      await scope.query(
        'okr_run_update',
        `update okr_runs r set (${names}) = (
           select ${columnNames(runColumns, 'p.')} from jsonb_populate_record(r, $4::jsonb || case
             when $4::jsonb->>'status' in ('completed', 'failed', 'cancelled')
             then jsonb_build_object('ended_at', clock_timestamp()) else '{}' end) p)
         where r.tenant_id = $1 and r.okr_id = $2 and r.run_id = $3`,
        [scope.tenantId, okrId, runId, toColumns({ ...change })],
      );
    },
    async reports(okrId, keyResultId, limit) {
      return scope.query<EarlierReport>(
        'okr_reports',
        `select i->>'summary' as summary, i->'evidence' as evidence, (i->>'progressBefore')::float8 as "progressBefore",
           (i->>'progressAfter')::float8 as "progressAfter", ${isoText('coalesce(r.ended_at, r.created_at)')} as at
         ${itemsOf} and i->>'status' = 'completed' and i->>'summary' is not null
         order by r.run_id desc limit $4`,
        [scope.tenantId, okrId, keyResultId, limit],
      );
    },
    async countTasks(okrId, keyResultId) {
      const [row] = await scope.query<{ ended: number; completed: number }>(
        'okr_count_tasks',
        `select count(*)::integer as ended,
           count(*) filter (where i->>'status' in ('completed', 'unreported'))::integer as completed
         ${itemsOf} and i->>'taskId' is not null and i->>'status' not in ('pending', 'running')`,
        [scope.tenantId, okrId, keyResultId],
      );
      return row ?? { ended: 0, completed: 0 };
    },
    async drop(olderThanDays, limit) {
      const [row] = await scope.query<{ n: number }>(
        'okr_run_drop',
        `with old as (
           select okr_id, run_id from okr_runs
           where tenant_id = $1 and ended_at < now() - make_interval(days => $2) order by ended_at limit $3
         ), gone as (
           delete from okr_runs r using old o where r.tenant_id = $1 and r.okr_id = o.okr_id and r.run_id = o.run_id
           returning 1
         ) select count(*)::integer as n from gone`,
        [scope.tenantId, olderThanDays, limit],
      );
      return row?.n ?? 0;
    },
  };
}
