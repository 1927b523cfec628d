// Statistics over a tenant's tasks without the steps of runs. Row-level security limits them to the tenant.
import type { TaskStatus } from '../../../../../domain/model/task/task-state.ts';
import type { TaskStatsRows } from '../../../../../domain/ports/store/store.ts';
import type { Scope } from '../scope.ts';

export function taskStats(scope: Scope): TaskStatsRows {
  return {
    async countByStatus() {
      const rows = await scope.query<{ status: TaskStatus; n: string; oldest: number | null }>(
        'task_counts',
        `select status, count(*) as n, extract(epoch from now() - min(created_at) filter (where status = 'pending'))::float8
           as oldest from tasks where step_run_id is null group by status`,
        [],
      );
      const counts = { pending: 0, running: 0, needs_input: 0, completed: 0, failed: 0, cancelled: 0 };
      for (const row of rows) counts[row.status] = Number(row.n);
      return { counts, oldestPendingSeconds: rows.find((r) => r.status === 'pending')?.oldest ?? null };
    },
    async depthByCodebase(limit) {
      const rows = await scope.query<{ status: TaskStatus; codebase: string; n: string }>(
        'task_depth',
        `with open as (
           select status, coalesce(codebase_id, 'none') as codebase, count(*) as n from tasks
           where status in ('pending', 'running', 'needs_input') and step_run_id is null group by 1, 2
         ), shown as (
           select codebase from open group by codebase order by sum(n) desc, codebase limit $1
         )
         select o.status, coalesce(s.codebase, 'other') as codebase, sum(o.n) as n
         from open o left join shown s using (codebase) group by 1, 2 order by 2, 1`,
        [limit],
      );
      return rows.map(({ status, codebase, n }) => ({ status, codebase, tasks: Number(n) }));
    },
  };
}
