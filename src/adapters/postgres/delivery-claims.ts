// The sender's crossing: claims deliveries that are due over all tenants, under a2a_admin, and answers ids alone.
import type pg from 'pg';
import type { DeliveryClaims } from '../../domain/ports/deliveries.ts';
import { asAdmin } from './as-admin.ts';

/** Receivers that one claim looks at: each costs it a few reads of an index. */
const hostsAtOnce = 500;

type Row =
  | { tenant_id: string; delivery_id: string; epoch: string; host: string; is_claim: true }
  | { tenant_id: string; host: string; is_claim: false };

export function deliveryClaims(pool: pg.Pool): DeliveryClaims {
  return {
    async claimDue({ limit, perHost, perTenant, leaseSeconds, busy, after }) {
      const rows = await asAdmin<Row>(
        pool,
        'select * from deliveries_claim($1, $2, $3, $4, make_interval(secs => $5), $6, $7, $8)',
        [
          limit,
          perHost,
          perTenant,
          hostsAtOnce,
          leaseSeconds,
          JSON.stringify(busy),
          after?.tenantId ?? '',
          after?.host ?? '',
        ],
      );
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
