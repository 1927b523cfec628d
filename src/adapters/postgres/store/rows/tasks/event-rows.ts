// Rows of a task's log and of the artifacts indexed from it. Row-level security limits them to the tenant; the statements
// have no condition for it.
import type { TaskRows } from '../../../../../domain/ports/store/store.ts';
import type { ArtifactSummary } from '../../../../../domain/model/task/artifact-summary.ts';
import type { Scope } from '../scope.ts';
import { eventFromRow, isoTime, type EventRow } from '../../../codec/task-json.ts';

type EventRows = Pick<TaskRows, 'events' | 'eventsBefore' | 'outputEnds' | 'artifacts' | 'artifactEvents'>;

/** The end of an output is read from so many events and so many characters of each: it shows a line of them. */
const endEvents = 8;
const endCharacters = 1_000;

export function eventRows(scope: Scope): EventRows {
  return {
    async events(taskId, after, limit, types) {
      const rows = await scope.query<EventRow>(
        'task_events',
        `select seq, type, at, data from task_events where task_id = $1 and seq > $2
           and ($4::text[] is null or type = any ($4)) order by seq limit $3`,
        [taskId, after, limit, types ?? null],
      );
      return rows.map(eventFromRow);
    },
    async eventsBefore(taskId, before, limit, types) {
      const rows = await scope.query<EventRow>(
        'task_events_before',
        `select seq, type, at, data from task_events where task_id = $1 and ($2::bigint is null or seq < $2)
           and ($4::text[] is null or type = any ($4)) order by seq desc limit $3`,
        [taskId, before ?? null, limit, types ?? null],
      );
      return rows.map(eventFromRow).toReversed();
    },
    async outputEnds(tasks) {
      const rows = await scope.query<{ task_id: string; at: Date | null; text: string | null }>(
        'task_output_ends',
        `select x.id as task_id, e.at, e.text
         from unnest($1::uuid[], $2::bigint[]) as x(id, seq) cross join lateral (
           select max(at) as at, string_agg(right(data->>'text', ${endCharacters}), '' order by seq) as text
           from task_events where task_id = x.id and seq > x.seq - ${endEvents} and seq <= x.seq and type = 'output') e`,
        [tasks.map(({ taskId }) => taskId), tasks.map(({ outputSeq }) => outputSeq)],
      );
      return new Map(
        rows.flatMap(({ task_id: taskId, at, text }) =>
          at === null ? [] : [[taskId, { at: isoTime(at), text: text ?? '' }] as const],
        ),
      );
    },
    async artifacts(taskId, page) {
      const rows = await scope.query<ArtifactRow>(
        'task_artifacts',
        `select artifact_id, name, mime_type, size, created_at, first_seq, last_seq from task_artifacts
         where task_id = $1 and first_seq > $2 order by first_seq limit $3`,
        [taskId, page?.after ?? 0, page?.limit ?? null],
      );
      return rows.map(artifactFromRow);
    },
    async artifactEvents(taskId, artifact) {
      const rows = await scope.query<EventRow>(
        'task_artifact_events',
        `select seq, type, at, data from task_events where task_id = $1 and seq between $2 and $3
           and type = 'artifact' and data->>'artifact_id' = $4 order by seq`,
        [taskId, artifact.firstSeq, artifact.lastSeq, artifact.artifactId],
      );
      return rows.map(eventFromRow);
    },
  };
}

export interface ArtifactRow {
  readonly artifact_id: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size: string;
  readonly created_at: Date;
  readonly first_seq: string;
  readonly last_seq: string;
}

export function artifactFromRow(row: ArtifactRow): ArtifactSummary {
  return {
    artifactId: row.artifact_id,
    name: row.name,
    mimeType: row.mime_type,
    size: Number(row.size),
    createdAt: isoTime(row.created_at),
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
  };
}
