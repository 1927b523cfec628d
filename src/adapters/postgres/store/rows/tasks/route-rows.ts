// Rows of routes. Row-level security limits them to the tenant; the statements have no condition for it.
import type { RouteNeeds } from '../../../../../domain/model/task/task.ts';
import type { RouteRows } from '../../../../../domain/ports/store/store.ts';
import type { Scope } from '../scope.ts';

export function routeRows(scope: Scope): RouteRows {
  return {
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
