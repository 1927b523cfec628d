// The sender's crossing: claims deliveries that are due over all tenants, under a2a_admin, and answers ids alone.
import type pg from 'pg';
import type { DeliveryClaims } from '../../domain/ports/deliveries.ts';
import { adminTransaction } from './admin-transaction.ts';

/** Receivers that one claim looks at: each costs it a few reads of an index. */
const hostsAtOnce = 500;

const claimStatement = 'select * from deliveries_claim($1, $2, $3, $4, make_interval(secs => $5), $6, $7, $8)';

type Row =
  | { tenant_id: string; delivery_id: string; epoch: string; host: string; is_claim: true }
  | { tenant_id: string; host: string; is_claim: false };

export function deliveryClaims(pool: pg.Pool): DeliveryClaims {
  return {
    async claimDue({ limit, perHost, perTenant, leaseSeconds, busy, after }) {
      const { tenantId = '', host = '' } = after ?? {};
      const values = [limit, perHost, perTenant, hostsAtOnce, leaseSeconds, JSON.stringify(busy), tenantId, host];
      const statements = [
        // Nothing is sent before `begin` has committed, and that carries this to the disk with it.
        { text: 'set local synchronous_commit = off', values: [] },
        { name: 'deliveries_claim', text: claimStatement, values },
      ];
      const [, rows = []] = await adminTransaction<Row>(pool, statements);
      const claims = rows.flatMap((row) =>
        row.is_claim
          ? [{ tenantId: row.tenant_id, deliveryId: row.delivery_id, epoch: Number(row.epoch), host: row.host }]
          : [],
      );
      const last = rows.find((row) => !row.is_claim);
      return { claims, next: last === undefined ? undefined : { tenantId: last.tenant_id, host: last.host } };
    },
  };
}
