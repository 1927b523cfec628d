// Rows of the drafts of reviews. Row-level security limits them to the tenant.
import type { ReviewComment } from '../../../../../../domain/model/review.ts';
import type { ReviewDraft, ReviewRows } from '../../../../../../domain/ports/task-results.ts';
import { isoTime } from '../../../../codec/task-json.ts';
import type { Scope } from '../../scope.ts';

interface ReviewRow {
  readonly comments: ReviewComment[];
  readonly viewed: string[];
  readonly updated_at: Date;
}

export function reviewRows(scope: Scope): ReviewRows {
  return {
    async find(taskId, subject) {
      const rows = await scope.query<ReviewRow>(
        'review_find',
        'select comments, viewed, updated_at from task_reviews where task_id = $1 and subject = $2',
        [taskId, subject],
      );
      return rows.map(draftFromRow)[0];
    },
    async save(taskId, subject, { comments, viewed }) {
      const rows = await scope.query<ReviewRow>(
        'review_save',
        `insert into task_reviews (tenant_id, task_id, subject, comments, viewed) values ($1, $2, $3, $4, $5)
         on conflict (tenant_id, task_id, subject) do update
           set comments = excluded.comments, viewed = excluded.viewed, updated_at = excluded.updated_at
         returning comments, viewed, updated_at`,
        [scope.tenantId, taskId, subject, JSON.stringify(comments), JSON.stringify(viewed)],
      );
      const [saved] = rows.map(draftFromRow);
      if (saved === undefined) throw new Error('an insert with one row returned none');
      return saved;
    },
    async attach(taskId, comments) {
      const name = 'review.md';
      const data = { artifact_id: name, name, mime_type: 'text/markdown', text: comments };
      await scope.query(
        'review_attach',
        `with moved as (
           update tasks t set last_seq = t.last_seq + 1, artifact_bytes = t.artifact_bytes + $4::bigint
           where t.tenant_id = $1::text and t.id = $2::uuid and t.status in ('pending', 'running') and not exists (
             select from task_artifacts a where a.tenant_id = $1 and a.task_id = $2 and a.artifact_id = $5::text)
           returning t.last_seq
         ), written as (
           insert into task_events (tenant_id, task_id, seq, type, data)
           select $1, $2, last_seq, 'artifact', $3::jsonb from moved
         )
         select index_artifacts($1::text, $2::uuid, jsonb_build_array(jsonb_build_object('seq', last_seq, 'size', $4::bigint,
           'artifact_id', $5::text, 'name', $5::text, 'mime_type', 'text/markdown', 'append', false))) from moved`,
        [scope.tenantId, taskId, JSON.stringify(data), Buffer.byteLength(comments), name],
      );
    },
    async drop(taskId, subject, unchangedSince) {
      await scope.query(
        'review_drop',
        `delete from task_reviews where task_id = $1 and subject = $2
           and date_trunc('milliseconds', updated_at) <= $3`,
        [taskId, subject, unchangedSince],
      );
    },
  };
}

function draftFromRow({ comments, viewed, updated_at }: ReviewRow): ReviewDraft {
  return { comments, viewed, updatedAt: isoTime(updated_at) };
}
