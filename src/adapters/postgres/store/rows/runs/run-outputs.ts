// The bundle and the diff that the last publish leaves to its run: copies that outlive the artifacts of the step's task.
import type { RunRows } from '../../../../../domain/ports/store/runs.ts';
import type { Scope } from '../scope.ts';

export function runOutputs(scope: Scope): Pick<RunRows, 'output' | 'hasBundle' | 'keepOutput'> {
  return {
    async output(runId, name) {
      const [row] = await scope.query<{ content: Buffer }>(
        'run_output',
        'select content from ralph_outputs where run_id = $1 and name = $2',
        [runId, name],
      );
      return row?.content;
    },
    async hasBundle(runId) {
      const text = `select 1 from ralph_outputs where run_id = $1 and name = 'bundle'`;
      return (await scope.query('run_has_bundle', text, [runId])).length > 0;
    },
    async keepOutput(runId, name, taskId) {
      // The content stays within the database: a bundle has up to 64 MiB, in chunks of the task's log.
      await scope.query(
        'run_keep_output',
        `insert into ralph_outputs (tenant_id, run_id, name, mime_type, content)
         select a.tenant_id, $2, $3, a.mime_type, string_agg(
           case when e.data ? 'bytes' then decode(e.data->>'bytes', 'base64')
             else convert_to(coalesce(e.data->>'text', ''), 'UTF8') end, '' order by e.seq)
         from task_artifacts a join task_events e on e.tenant_id = a.tenant_id and e.task_id = a.task_id
           and e.seq between a.first_seq and a.last_seq and e.type = 'artifact' and e.data->>'artifact_id' = a.artifact_id
         where a.tenant_id = $1 and a.task_id = $4 and a.name = $3
         group by a.tenant_id, a.artifact_id, a.mime_type order by a.artifact_id desc limit 1
         on conflict (tenant_id, run_id, name)
           do update set mime_type = excluded.mime_type, content = excluded.content, at = now()`,
        [scope.tenantId, runId, name, taskId],
      );
    },
  };
}
