// Rows of the stories of runs and of their attempts. Row-level security limits them to the tenant.
import type { RunStory, StoryAttempt } from '../../../../../domain/model/run/run.ts';
import type { BundleSource } from '../../../../../domain/model/run/step.ts';
import type { RunStoryRows } from '../../../../../domain/ports/store/runs.ts';
import { attemptColumns, columnNames, objectOf, storyColumns, toColumns } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';

export function runStoryRows(scope: Scope): RunStoryRows {
  const updateAll: RunStoryRows['updateAll'] = async (runId, changes) => {
    const list = changes.map(
      ({ storyId, change }) => `{"story_id":${JSON.stringify(storyId)},"change":${toColumns(change)}}`,
    );
    await scope.query(
      'run_stories_update',
      `update ralph_stories s set (${columnNames(storyColumns)}) = (
         select ${columnNames(storyColumns, 'p.')} from jsonb_populate_record(s, c.change) p)
       from jsonb_to_recordset($2) as c(story_id text, change jsonb)
       where s.run_id = $1 and s.story_id = c.story_id`,
      [runId, `[${list.join(',')}]`],
    );
  };
  return {
    async list(runId) {
      const rows = await scope.query<{ story: RunStory }>(
        'run_stories',
        `select ${objectOf(storyColumns, 's')} as story from ralph_stories s where s.run_id = $1 order by s.position`,
        [runId],
      );
      return rows.map(({ story }) => story);
    },
    update: (runId, storyId, change) => updateAll(runId, [{ storyId, change }]),
    updateAll,
    async delete(runId, storyId) {
      await scope.query('run_story_delete', 'delete from ralph_stories where run_id = $1 and story_id = $2', [
        runId,
        storyId,
      ]);
    },
    async setLanded(runId, storyId, { taskId, artifactId }) {
      await scope.query(
        'run_story_landed',
        'update ralph_stories set landed = $3 where run_id = $1 and story_id = $2',
        [runId, storyId, JSON.stringify({ task_id: taskId, artifact_id: artifactId })],
      );
    },
    async landedBundles(runId) {
      const rows = await scope.query<{ source: BundleSource }>(
        'run_bundles',
        `select s.landed || jsonb_build_object('commit', s.commit) as source from ralph_stories s
         where s.run_id = $1 and s.commit is not null and s.landed->>'artifact_id' is not null and s.carried_from is null
         order by s.passed_at, s.position`,
        [runId],
      );
      return rows.map(({ source }) => source);
    },
    async attempts(runId, storyId) {
      const rows = await scope.query<{ attempt: StoryAttempt }>(
        'run_attempts',
        `select ${objectOf(attemptColumns, 'a')} as attempt from ralph_attempts a
         where a.run_id = $1 and ($2::text is null or a.story_id = $2) order by a.started_at, a.story_id, a.n, a.try`,
        [runId, storyId ?? null],
      );
      return rows.map(({ attempt }) => attempt);
    },
    async openAttempt(runId, attempt) {
      await scope.query(
        'run_attempt_open',
        `insert into ralph_attempts (tenant_id, run_id, story_id, n, try, base_commit) values ($1, $2, $3, $4, $5, $6)`,
        [scope.tenantId, runId, attempt.storyId, attempt.n, attempt.try, attempt.baseCommit],
      );
    },
    async updateAttempt(runId, { storyId, n, try: nth }, { ended, ...change }) {
      await scope.query(
        'run_attempt_update',
        `update ralph_attempts a set (${columnNames(attemptColumns)}) = (
           select ${columnNames(attemptColumns, 'p.')} from jsonb_populate_record(a, $5::jsonb
             || case when $6 then jsonb_build_object('ended_at', clock_timestamp()) else '{}' end) p)
         where a.run_id = $1 and a.story_id = $2 and a.n = $3 and a.try = $4`,
        [runId, storyId, n, nth, toColumns(change), ended === true],
      );
    },
  };
}
