// Rows of a task's attempts. Row-level security limits them to the tenant.
import type { AttemptRecord, TaskResultRows } from '../../../../../../domain/ports/task-results.ts';
import { isoTime } from '../../../../codec/task-json.ts';
import { artifactFromRow, type ArtifactRow } from '../event-rows.ts';
import type { Scope } from '../../scope.ts';

interface AttemptRow {
  readonly run_id: string;
  readonly attempt: number;
  readonly worker_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly status: AttemptRecord['status'];
  readonly error: AttemptRecord['error'];
  readonly usage: AttemptRecord['usage'];
}

export function attemptRows(scope: Scope): Pick<TaskResultRows, 'attempts' | 'attemptRange' | 'artifactsOf'> {
  return {
    async attempts(taskId, limit) {
      const rows = await scope.query<AttemptRow>(
        'task_attempts',
        `select run_id, attempt, worker_id, started_at, ended_at, status, error, usage from task_runs
         where task_id = $1 order by epoch limit $2`,
        [taskId, limit],
      );
      return rows.map((row) => ({
        attemptId: row.run_id,
        attempt: row.attempt,
        workerId: row.worker_id,
        startedAt: isoTime(row.started_at),
        endedAt: row.ended_at === null ? null : isoTime(row.ended_at),
        status: row.status,
        error: row.error,
        usage: row.usage,
      }));
    },
    async attemptRange(taskId, attemptId) {
      const [row] = await scope.query<{ first_seq: string; next_seq: string | null }>(
        'task_attempt_range',
        `select r.first_seq, (select n.first_seq from task_runs n
           where n.task_id = $1 and n.epoch > r.epoch order by n.epoch limit 1) as next_seq
         from task_runs r where r.task_id = $1 and r.run_id = $2`,
        [taskId, attemptId],
      );
      if (row === undefined) return undefined;
      return {
        after: Number(row.first_seq),
        before: row.next_seq === null ? Number.MAX_SAFE_INTEGER : Number(row.next_seq),
      };
    },
    async artifactsOf(taskId, { after, before }, { from, limit }) {
      const rows = await scope.query<ArtifactRow>(
        'task_attempt_artifacts',
        `with e as materialized (
           select seq, at, data, data->>'artifact_id' as id, coalesce((data->>'append')::boolean, false) as append
           from task_events where task_id = $1 and seq > $2 and seq < $3 and type = 'artifact'
         ), a as (
           select id, coalesce(max(seq) filter (where not append), min(seq)) as first_seq, max(seq) as last_seq
           from e group by id
         )
         select a.id as artifact_id, a.first_seq, a.last_seq, max(l.data->>'name') as name,
           max(l.data->>'mime_type') as mime_type, min(c.at) as created_at, sum(${contentSize}) as size
         from a join e l on l.id = a.id and l.seq = a.last_seq
         join e c on c.id = a.id and c.seq between a.first_seq and a.last_seq
         where a.first_seq > $4 group by a.id, a.first_seq, a.last_seq order by a.first_seq limit $5`,
        [taskId, after, before, from, limit],
      );
      return rows.map(artifactFromRow);
    },
  };
}

/** Bytes of the content of one event `c`, as its report counted them. */
const contentSize = `case when c.data ? 'text' then octet_length(c.data->>'text')
  when c.data ? 'bytes' then octet_length(decode(c.data->>'bytes', 'base64'))
  else octet_length(coalesce(c.data->>'uri', c.data->>'data', '')) end`;
