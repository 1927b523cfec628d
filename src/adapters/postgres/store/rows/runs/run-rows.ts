// Rows of runs: creation, lists, the row lock, changes by compare-and-set. Row-level security limits them to the tenant.
import { DomainError } from '../../../../../domain/model/errors.ts';
import type { RunStatus, StoryStatus } from '../../../../../domain/model/run/run-state.ts';
import type { PrdRun } from '../../../../../domain/model/run/run.ts';
import type { RunFilter, RunRows } from '../../../../../domain/ports/store/runs.ts';
import type { Page } from '../../../../../domain/ports/store/page.ts';
import { columnNames, objectOf, runColumns, storyColumns, toColumns } from '../../../codec/run-columns.ts';
import { likeLiteral } from '../like-literal.ts';
import type { Scope } from '../scope.ts';
import { runOutputs } from './run-outputs.ts';
import { runState } from './run-state-rows.ts';

const runObject = objectOf(runColumns, 'r');
const inserted = columnNames(withoutDefaults(runColumns));
const changed = columnNames(runColumns);

export function runRows(scope: Scope, offlineAfterSeconds: number): RunRows {
  const runsBy = async (name: string, text: string, values: readonly unknown[]): Promise<PrdRun[]> => {
    const rows = await scope.query<{ run: PrdRun }>(name, text, values);
    return rows.map(({ run }) => run);
  };
  const byId = `select ${runObject} as run from ralph_runs r where r.id = $1`;
  return {
    ...runOutputs(scope),
    async insert(run, stories) {
      await scope.query(
        'run_insert',
        `insert into ralph_runs (tenant_id, ${inserted})
         select $1, ${inserted} from jsonb_populate_record(null::ralph_runs, $2)`,
        [scope.tenantId, toColumns(run)],
      );
      const columns = columnNames(storyColumns);
      await scope.query(
        'run_insert_stories',
        `insert into ralph_stories (tenant_id, run_id, ${columns})
         select $1, $2, ${columns} from jsonb_populate_recordset(null::ralph_stories, $3)`,
        [scope.tenantId, run.id, `[${stories.map((story) => toColumns({ ...story })).join(',')}]`],
      );
    },
    async find(runId) {
      return (await runsBy('run_find', byId, [runId]))[0];
    },
    async lock(runId) {
      return (await runsBy('run_lock', `${byId} for update`, [runId]))[0];
    },
    async lockIfFree(runId) {
      return (await runsBy('run_lock_if_free', `${byId} for update skip locked`, [runId]))[0];
    },
    state: (run) => runState(scope, run, offlineAfterSeconds),
    list(filter, page) {
      const { text, values } = listStatement(filter, page);
      return runsBy('', text, values);
    },
    async countByStatus() {
      const rows = await scope.query<{ status: RunStatus; n: number }>(
        'run_count',
        'select status, count(*)::integer as n from ralph_runs group by status',
        [],
      );
      const counts = { pending: 0, running: 0, paused: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 };
      for (const { status, n } of rows) counts[status] = n;
      return counts;
    },
    async countStories(runIds) {
      const rows = await scope.query<{ run_id: string; status: StoryStatus; n: number }>(
        'run_count_stories',
        `select run_id, status, count(*)::integer as n from ralph_stories where run_id = any ($1::uuid[])
         group by run_id, status`,
        [runIds],
      );
      const counts = new Map(runIds.map((runId) => [runId, { pending: 0, running: 0, passed: 0, failed: 0 }]));
      for (const { run_id: runId, status, n } of rows) {
        const ofRun = counts.get(runId);
        if (ofRun !== undefined) ofRun[status] = n;
      }
      return counts;
    },
    async update({ id, version }, change) {
      const [run] = await runsBy(
        'run_update',
        `update ralph_runs r set (${changed}) = (
           select ${columnNames(runColumns, 'p.')} from jsonb_populate_record(r, $3::jsonb
             || jsonb_build_object('version', r.version + 1, 'updated_at', clock_timestamp())) p)
         where r.id = $1 and r.version = $2 returning ${runObject} as run`,
        [id, version, toColumns(change)],
      );
      if (run === undefined) throw versionConflict();
      return run;
    },
    async postpone(runId, seconds) {
      await scope.query(
        'run_postpone',
        'update ralph_runs set due_at = clock_timestamp() + make_interval(secs => $2) where id = $1',
        [runId, seconds],
      );
    },
    async makeDueOf(of) {
      const [owner, keyId] = 'owner' in of ? [of.owner, null] : [null, of.keyId];
      await scope.query(
        'run_make_due_of',
        `update ralph_runs set due_at = clock_timestamp() where tenant_id = $1
           and status in ('pending', 'running', 'paused', 'needs_input') and (created_by = $2 or key_id = $3)`,
        [scope.tenantId, owner, keyId],
      );
    },
    async delete(runId) {
      await scope.query(
        'run_delete',
        `with sent as (delete from deliveries where tenant_id = $1 and task_id = $2)
         delete from ralph_runs where tenant_id = $1 and id = $2`,
        [scope.tenantId, runId],
      );
    },
    async dropFinished(olderThanDays, limit) {
      const [row] = await scope.query<{ n: number }>(
        'run_drop_finished',
        `with old as (
           select id from ralph_runs where tenant_id = $1 and completed_at < now() - make_interval(days => $2)
           order by completed_at limit $3 for update skip locked
         ), gone as (delete from ralph_runs r using old where r.tenant_id = $1 and r.id = old.id returning r.id
         ), sent as (delete from deliveries d using old where d.tenant_id = $1 and d.task_id = old.id)
         select count(*)::integer as n from gone`,
        [scope.tenantId, olderThanDays, limit],
      );
      return row?.n ?? 0;
    },
  };
}

/** The columns that the database sets at the insert are left to it. */
function withoutDefaults(
  columns: typeof runColumns,
): Omit<typeof runColumns, 'createdAt' | 'updatedAt' | 'version' | 'lastSeq'> {
  const { createdAt: _created, updatedAt: _updated, version: _version, lastSeq: _seq, ...rest } = columns;
  return rest;
}

/** Newest first by id; ids are in time order. */
function listStatement(filter: RunFilter, { limit, before }: Page): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = ['true'];
  const add = (condition: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition.replaceAll('?', `$${values.length}`));
  };
  add('r.codebase_id = ?', filter.codebaseId);
  add('r.status = ?', filter.status);
  add('r.project = ?', filter.project);
  add('r.conversation_id = ?', filter.conversationId);
  add('r.prd_session_id = ?', filter.prdSessionId);
  const words = filter.text === undefined ? undefined : `%${likeLiteral(filter.text)}%`;
  add('(r.project ilike ? or r.branch ilike ? or r.description ilike ?)', words);
  add('r.id < ?', before);
  values.push(limit);
  const text = `select ${runObject} as run from ralph_runs r where ${conditions.join(' and ')}
    order by r.id desc limit $${values.length}`;
  return { text, values };
}

function versionConflict(): DomainError {
  return new DomainError(
    'conflict',
    'version_conflict',
    'The run has changed meanwhile. Read it again and repeat the call.',
  );
}
