// The sender's cross-tenant query: finds due deliveries of all tenants, under a2a_admin, and returns only ids.
import type pg from 'pg';
import type { DueDeliveries } from '../../../domain/ports/store/deliveries.ts';
import { adminTransaction } from './admin-transaction.ts';

/** Receivers per poll: each costs a few index reads. */
const hostsAtOnce = 500;

/** A row without an id is the receiver after which the next poll continues. */
interface Row {
  readonly tenant_id: string;
  readonly task_id: string;
  readonly delivery_id: string | null;
  readonly host: string;
}

export function dueDeliveries(pool: pg.Pool): DueDeliveries {
  return {
    async findDue({ limit, perHost, perTenant, busy, after }) {
      const { tenantId = '', host = '' } = after ?? {};
      const values = [limit, perHost, perTenant, hostsAtOnce, JSON.stringify(busy), tenantId, host];
      const text = 'select * from find_due_deliveries($1, $2, $3, $4, $5, $6, $7)';
      const [rows = []] = await adminTransaction<Row>(pool, [{ name: 'find_due_deliveries', text, values }]);
      const found = rows.flatMap((row) =>
        row.delivery_id === null
          ? []
          : [{ tenantId: row.tenant_id, taskId: row.task_id, deliveryId: row.delivery_id, host: row.host }],
      );
      const last = rows.find((row) => row.delivery_id === null);
      return { found, next: last === undefined ? undefined : { tenantId: last.tenant_id, host: last.host } };
    },
  };
}
