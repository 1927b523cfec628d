// Partitions of the tables that are partitioned by the time in their ids, under a2a_admin. The functions of the owner decide
// everything but the time: ../schema/functions/partitions.
import type pg from 'pg';
import type { TenantScope } from '../../../domain/model/access/caller.ts';
import type { DuePartition, Partition, Partitions } from '../../../domain/ports/upkeep/partitions.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { adminTransaction, type Statement } from './admin-transaction.ts';

interface Row {
  readonly parent: string;
  readonly partition: string;
  readonly outcome: DuePartition['outcome'];
}

export function postgresPartitions(pool: pg.Pool): Partitions {
  return {
    async make(tenant) {
      const text = 'select parent, partition from make_partitions(clock_timestamp())';
      const [made = []] = await adminTransaction<Row>(pool, [{ text, values: [] }, ...intentOf(tenant)]);
      return made.map(partitionOf);
    },
    async drop(tenant, keepDays) {
      const retention: Statement = {
        text: `update partitioned_tables t set keep_days = k.value::integer from jsonb_each_text($1::jsonb) k
          where t.parent = k.key and t.keep_days is distinct from k.value::integer`,
        values: [JSON.stringify(keepDays)],
      };
      const text = 'select parent, partition, outcome from drop_partitions(clock_timestamp())';
      const [, due = []] = await adminTransaction<Row>(pool, [retention, { text, values: [] }, ...intentOf(tenant)]);
      return due.map((row) => ({ ...partitionOf(row), outcome: row.outcome }));
    },
  };
}

function partitionOf({ parent, partition }: Row): Partition {
  return { table: parent, partition };
}

/** As within a tenant: the intent is stored with the change, or not at all. */
function intentOf({ tenantId, intent }: TenantScope): Statement[] {
  if (intent === undefined) return [];
  intent.trace.rows.push({ tenantId, id: intent.id, pending: 1 });
  return [
    {
      text: `insert into audit_intents (tenant_id, id, replica_id, entries)
        select $1, $2, $3, $4 where pg_current_xact_id_if_assigned() is not null on conflict do nothing`,
      values: [tenantId, intent.id, intent.chain, JSON.stringify([intentToJson(intent)])],
    },
  ];
}
