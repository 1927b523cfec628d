// Rows of routes. Row-level security limits them to the tenant; the statements have no condition for it.
import type { RouteNeeds } from '../../../../../domain/model/task/task.ts';
import type { RouteRows, WaitingRoute } from '../../../../../domain/ports/store/store.ts';
import { isoTime } from '../../../codec/task-json.ts';
import type { Scope } from '../scope.ts';

interface WaitingRow {
  readonly route_id: string;
  readonly codebase_id: string | null;
  readonly required_capabilities: string[];
  readonly target_agent: string | null;
  readonly target_worker_id: string | null;
  readonly agent_type: string | null;
  readonly n: string;
  readonly oldest: Date;
  readonly held_task_id: string | null;
}

/**
 * Steps from route to route through tasks_pending, then counts a bounded number of tasks of each. $1: tenant, $2: routes,
 * $3: tasks of one route, $4: tasks.
 */
const listWaiting = `with recursive steps as (
    (select route_id from tasks where tenant_id = $1 and status = 'pending' order by route_id limit 1)
    union all
    select (select t.route_id from tasks t where t.tenant_id = $1 and t.status = 'pending' and t.route_id > s.route_id
            order by t.route_id limit 1)
    from steps s where s.route_id is not null
  ), found as (
    select route_id from steps where route_id is not null limit $2
  ), counted as (
    select route_id, agent_type, count(*) as n, min(created_at) as oldest,
      case when bool_and(held_back) then min(id::text) end as held_task_id
    from (
      select t.* from found f cross join lateral (
        select x.route_id, x.agent_type, x.created_at, x.held_back, x.id from tasks x
        where x.tenant_id = $1 and x.route_id = f.route_id and x.status = 'pending'
        order by x.priority desc, x.id limit $3) t
      limit $4) t
    group by route_id, agent_type
  )
  select c.*, r.codebase_id, r.required_capabilities, r.target_agent, r.target_worker_id
  from counted c join routes r on r.tenant_id = $1 and r.route_id = c.route_id order by c.oldest, c.route_id, c.agent_type`;

function waitingRouteOf(row: WaitingRow): WaitingRoute {
  return {
    needs: {
      codebaseId: row.codebase_id,
      requiredCapabilities: row.required_capabilities,
      targetAgent: row.target_agent,
      targetWorkerId: row.target_worker_id,
    },
    agentType: row.agent_type,
    count: Number(row.n),
    oldestAt: isoTime(row.oldest),
    heldTaskId: row.held_task_id,
  };
}

export function routeRows(scope: Scope): RouteRows {
  return {
    async listWaiting({ routes: maxRoutes, tasksOfRoute, tasks: maxTasks }) {
      const rows = await scope.query<WaitingRow>('route_list_waiting', listWaiting, [
        scope.tenantId,
        maxRoutes,
        tasksOfRoute,
        maxTasks,
      ]);
      const routes = rows.map(waitingRouteOf);
      const total = routes.reduce((sum, { count }) => sum + count, 0);
      const perRoute = Map.groupBy(rows, (row) => row.route_id);
      const isFull = (group: readonly WaitingRow[]): boolean =>
        group.reduce((sum, { n }) => sum + Number(n), 0) >= tasksOfRoute;
      const capped = total >= maxTasks || perRoute.size >= maxRoutes || [...perRoute.values()].some(isFull);
      return { routes, capped };
    },
    async countAhead(routeIds, { priority, taskId }, limit) {
      // Two ranges of tasks_pending: it has priorities descending and ids ascending.
      const [row] = await scope.query<{ n: string }>(
        'route_count_ahead',
        `select count(*) as n from (
           (select from unnest($2::text[]) as r(id) cross join lateral (
              select from tasks where tenant_id = $1 and route_id = r.id and status = 'pending' and priority > $3
              limit $5) t)
           union all
           (select from unnest($2::text[]) as r(id) cross join lateral (
              select from tasks where tenant_id = $1 and route_id = r.id and status = 'pending' and priority = $3
                and id < $4 limit $5) t)
           limit $5) ahead`,
        [scope.tenantId, routeIds, priority, taskId, limit],
      );
      return Number(row?.n ?? 0);
    },
    async waiting(codebaseId, limit) {
      return scope.query<RouteNeeds>(
        'route_waiting',
        `select r.codebase_id as "codebaseId", r.required_capabilities as "requiredCapabilities",
           r.target_agent as "targetAgent", r.target_worker_id as "targetWorkerId"
         from routes r where r.tenant_id = $1 and r.codebase_id = $2 and exists (
           select from tasks t where t.tenant_id = r.tenant_id and t.route_id = r.route_id and t.status = 'pending')
         limit $3`,
        [scope.tenantId, codebaseId, limit],
      );
    },
  };
}
