// The backup that this database was restored from, and whether its sends wait: rows of no tenant, read under a2a_admin.
import type pg from 'pg';
import { heldLabel } from '../../../domain/model/held-sends.ts';
import type { Restore, Restores } from '../../../domain/ports/recovery/restores.ts';
import { intentToJson } from '../codec/audit-intents.ts';
import { isoTime } from '../codec/task-json.ts';
import { asAdmin } from './as-admin.ts';

interface Row {
  readonly restore_id: string;
  readonly backup_id: string;
  readonly kind: 'archive' | 'base';
  readonly backup_at: Date;
  readonly restored_at: Date;
  readonly as_clone: boolean;
  readonly chain: string | null;
  readonly chain_seq: string | null;
  readonly chain_hash: string | null;
  readonly settled_at: Date | null;
  readonly followed?: boolean;
  readonly released_at: Date | null;
}

const deadlineMs = 5_000;

export function postgresRestores(pool: pg.Pool): Restores {
  return {
    async newest() {
      const text = `select r.*, exists (select from audit_chains c where c.opened_at > r.restored_at) as followed
        from restores r order by r.restored_at desc limit 1`;
      return (await asAdmin<Row>(pool, text, [], deadlineMs)).map(toRestore)[0];
    },
    async areSendsHeld() {
      const text = 'select exists (select from restores where released_at is null) as held';
      return (await asAdmin<{ held: boolean }>(pool, text, [], deadlineMs))[0]?.held === true;
    },
    async release(by, intent) {
      intent?.trace.rows.push({ tenantId: intent.tenantId, id: intent.id, pending: 1 });
      const rows = await asAdmin<Row>(
        pool,
        // As within a tenant: the audit intent is committed with its change.
        `with released as (
           update restores set released_at = clock_timestamp(), released_by = $1 where released_at is null returning *),
         kept as (
           insert into audit_intents (tenant_id, id, replica_id, entries)
           select $2::text, $3::uuid, $4::text, $5::json from (select from released limit 1) r where $3 is not null
           on conflict do nothing)
         select * from released order by restored_at desc`,
        [
          by,
          intent?.tenantId ?? null,
          intent?.id ?? null,
          intent?.chain ?? null,
          intent === undefined ? null : JSON.stringify([intentToJson(intent)]),
        ],
      );
      return rows.map(toRestore)[0];
    },
    async freeHeldTasks() {
      const [row] = await asAdmin<{ n: string }>(pool, 'select free_held_tasks($1) as n', [heldLabel]);
      return Number(row?.n ?? 0);
    },
  };
}

function toRestore(row: Row): Restore {
  const { chain, chain_seq: seq, chain_hash: hash } = row;
  return {
    restoreId: row.restore_id,
    backupId: row.backup_id,
    kind: row.kind,
    backupAt: isoTime(row.backup_at),
    restoredAt: isoTime(row.restored_at),
    asClone: row.as_clone,
    chain: chain === null || seq === null || hash === null ? undefined : { chain, seq: Number(seq), hash },
    isFollowed: row.followed === true,
    isSettled: row.settled_at !== null,
    releasedAt: row.released_at === null ? undefined : isoTime(row.released_at),
  };
}
