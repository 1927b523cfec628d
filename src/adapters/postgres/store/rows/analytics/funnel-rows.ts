// Rows of funnels, and the count of people along one. Row-level security limits them to the tenant.
import type { Funnel, FunnelStep } from '../../../../../domain/model/analytics/funnel.ts';
import type { FunnelRows } from '../../../../../domain/ports/store/analytics/funnel-rows.ts';
import { isoText } from '../../../codec/run-columns.ts';
import type { Scope } from '../scope.ts';
import { unavailable } from '../../../../../domain/model/errors.ts';
import { errorCode } from '../../../../../lib/system/error-code.ts';
import { funnelStatement } from './funnel-statement.ts';

const funnelObject = `json_build_object('funnelId', f.funnel_id, 'name', f.name, 'steps', f.steps,
  'windowHours', f.window_hours, 'written', json_build_object('by', f.created_by,
    'createdAt', ${isoText('f.created_at')}, 'updatedAt', ${isoText('f.updated_at')}))`;

/** The statement took longer than the connection allows. */
const queryCanceled = '57014';

interface Counts {
  readonly reached: number[];
  readonly median: number | null;
}

export function funnelRows(scope: Scope): FunnelRows {
  return {
    async list() {
      const rows = await scope.query<{ funnel: Funnel }>(
        'funnel_list',
        `select ${funnelObject} as funnel from analytics_funnels f where f.tenant_id = $1 order by f.funnel_id`,
        [scope.tenantId],
      );
      return rows.map(({ funnel }) => funnel);
    },
    async find(funnelId) {
      const [row] = await scope.query<{ funnel: Funnel }>(
        'funnel_find',
        `select ${funnelObject} as funnel from analytics_funnels f where f.tenant_id = $1 and f.funnel_id = $2`,
        [scope.tenantId, funnelId],
      );
      return row?.funnel;
    },
    async put(funnelId, { name, steps, windowHours }, by) {
      const [row] = await scope.query<{ funnel: Funnel }>(
        'funnel_put',
        `insert into analytics_funnels as f (tenant_id, funnel_id, name, steps, window_hours, created_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, funnel_id) do update set name = excluded.name, steps = excluded.steps,
           window_hours = excluded.window_hours, updated_at = clock_timestamp()
         returning ${funnelObject} as funnel`,
        [scope.tenantId, funnelId, name, JSON.stringify(steps), windowHours, by],
      );
      if (row === undefined) throw new Error('a written funnel is gone');
      return row.funnel;
    },
    async delete(funnelId) {
      const rows = await scope.query(
        'funnel_delete',
        'delete from analytics_funnels where tenant_id = $1 and funnel_id = $2 returning 1',
        [scope.tenantId, funnelId],
      );
      return rows.length > 0;
    },
    async measure({ steps, from, to, windowHours }) {
      const asked = steps.flatMap(({ event, where }: FunnelStep) => [event, JSON.stringify(where)]);
      const [row] = await scope
        .query<Counts>(`funnel_of_${steps.length}`, funnelStatement(steps.length), [
          scope.tenantId,
          from,
          to,
          windowHours,
          ...asked,
        ])
        .catch((error: unknown) => {
          throw errorCode(error) === queryCanceled ? tooLarge(error) : error;
        });
      return { reached: row?.reached ?? steps.map(() => 0), medianSeconds: row?.median ?? null };
    },
  };
}

function tooLarge(cause: unknown): Error {
  const message = 'Counting this funnel takes too long. Ask for fewer days, or take steps that are less frequent.';
  return unavailable('funnel_too_large', message, 60, cause);
}
