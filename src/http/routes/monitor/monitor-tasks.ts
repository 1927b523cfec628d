// Monitor operations on tasks: counts by status, and the routes that tasks wait on. ui-6.1.
import { countQuery, taskCounts, waiting } from '../../../contracts/monitor.ts';
import { countTasks } from '../../../domain/insight/stats.ts';
import type { ViewDeps } from '../../../domain/tasks/read.ts';
import { findWaitingRoutes, type WaitingRouteView } from '../../../domain/tasks/waiting/waiting-routes.ts';
import { operation, type Operation } from '../../pipeline/operation.ts';
import { filterFromWire } from '../tasks/task-filter.ts';

export function monitorTaskOperations(deps: ViewDeps): Operation[] {
  return [
    operation({
      name: 'monitor.counts',
      method: 'GET',
      path: '/v1/monitor/counts',
      summary: 'Count tasks by status, with the filters of their list.',
      description: 'Counts each status up to 10,000; capped is true where a count is a lower bound.',
      permission: 'monitor:read',
      query: countQuery,
      answers: { 200: taskCounts },
      run: async (caller, { query }) => ({
        status: 200,
        body: await countTasks(deps, caller, filterFromWire(query, '/query')),
      }),
    }),
    operation({
      name: 'monitor.waiting',
      method: 'GET',
      path: '/v1/monitor/waiting',
      summary: 'List the routes of pending tasks, with reason and remedy.',
      description: 'Tasks of one route wait for the same workers. Includes steps of runs.',
      permission: 'monitor:read',
      answers: { 200: waiting },
      run: async (caller) => {
        const { routes, capped } = await findWaitingRoutes(deps, caller);
        return { status: 200, body: { routes: routes.map(routeToWire), capped } };
      },
    }),
  ];
}

function routeToWire({ needs, agentType, count, oldestAt, reason, remedy }: WaitingRouteView): Record<string, unknown> {
  return {
    codebase_id: needs.codebaseId,
    agent_type: agentType,
    target: needs.targetAgent ?? needs.targetWorkerId,
    required_capabilities: needs.requiredCapabilities,
    count,
    oldest_at: oldestAt,
    waiting_reason: reason,
    remedy,
  };
}
