// Rows of the steps of runs. Row-level security limits them to the tenant.
import type { RunStep } from '../../../../../domain/model/run/run.ts';
import type { RunStepRows } from '../../../../../domain/ports/store/runs.ts';
import { columnNames, objectOf, stepColumns, toColumns } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';

const given = {
  id: 'plain',
  kind: 'plain',
  storyId: 'plain',
  n: 'plain',
  try: 'plain',
  taskId: 'plain',
  base: 'plain',
  candidate: 'plain',
  head: 'plain',
  agent: 'plain',
  targetWorkerId: 'plain',
  infraTries: 'plain',
} as const satisfies Partial<typeof stepColumns>;

export function runStepRows(scope: Scope): RunStepRows {
  return {
    async list(runId, storyId) {
      const rows = await scope.query<{ step: RunStep }>(
        'run_steps',
        `select ${objectOf(stepColumns, 's')} as step from ralph_steps s
         where s.run_id = $1 and ($2::text is null or s.story_id = $2) order by s.id`,
        [runId, storyId ?? null],
      );
      return rows.map(({ step }) => step);
    },
    async insert(runId, step) {
      await scope.query(
        'run_step_insert',
        `insert into ralph_steps (tenant_id, run_id, ${columnNames(given)})
         select $1, $2, ${columnNames(given)} from jsonb_populate_record(null::ralph_steps, $3)`,
        [scope.tenantId, runId, toColumns(step)],
      );
    },
    async close(stepId, { status, code, result, workerId, bundleArtifactId }) {
      await scope.query(
        'run_step_close',
        `update ralph_steps set status = $2, code = $3, result = $4, worker_id = $5, bundle_artifact_id = $6,
           ended_at = case when $2 = 'asking' then null else clock_timestamp() end
         where id = $1`,
        [stepId, status, code, result === null ? null : JSON.stringify(result), workerId, bundleArtifactId],
      );
    },
    async reopen(stepId) {
      await scope.query(
        'run_step_reopen',
        `update ralph_steps set status = 'open' where id = $1 and status = 'asking'`,
        [stepId],
      );
    },
    async runToLook(taskId) {
      const [row] = await scope.query<{ run_id: string }>(
        'run_of_step_task',
        `select s.run_id from ralph_steps s join tasks t on t.tenant_id = s.tenant_id and t.id = s.task_id
         where s.task_id = $1 and (s.status = 'open' and t.status in ('completed', 'failed', 'cancelled', 'needs_input')
           or s.status = 'asking' and t.status <> 'needs_input')`,
        [taskId],
      );
      return row?.run_id;
    },
  };
}
