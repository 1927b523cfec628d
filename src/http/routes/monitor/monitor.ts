// Monitor operations on workers and counts. core-2.7, core-4.5.
import { monitorWorkerQuery, monitorWorkers, stats } from '../../../contracts/monitor.ts';
import { readStats } from '../../../domain/insight/stats.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { listWorkers } from '../../../domain/workers/read.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { encodeCursor, parsePage } from '../../pipeline/pagination.ts';

export function monitorOperations(deps: { readonly store: Store }): Operation[] {
  return [
    operation({
      name: 'monitor.workers',
      method: 'GET',
      path: '/v1/monitor/workers',
      summary: 'List registered workers in short form.',
      permission: 'monitor:read',
      query: monitorWorkerQuery,
      answers: { 200: monitorWorkers },
      run: async (caller, { query }) => {
        const { workers, next } = await listWorkers(deps, caller, {}, parsePage(query, 'uuid'));
        const entries = workers.map((worker) => ({
          id: worker.workerId,
          name: worker.name,
          status: worker.status,
          last_heartbeat: worker.lastHeartbeatAt,
          codebases: worker.codebaseIds.length,
          tasks_completed: worker.tasksCompleted,
        }));
        return { status: 200, body: { workers: entries, next_cursor: encodeCursor(next) } };
      },
    }),
    operation({
      name: 'monitor.stats',
      method: 'GET',
      path: '/v1/monitor/stats',
      summary: 'Count tasks, workers and codebases.',
      permission: 'monitor:read',
      answers: { 200: stats },
      run: async (caller) => {
        const { oldestPendingSeconds, ...counts } = await readStats(deps, caller);
        return { status: 200, body: { ...counts, oldest_pending_seconds: oldestPendingSeconds } };
      },
    }),
  ];
}
