// Records a restore in the restored database, in the transaction that makes its rows: from then on its sends wait.
import type pg from 'pg';
import type { ChainHead } from '../../../../domain/model/audit-line.ts';

export interface RestoreFacts {
  readonly backupId: string;
  readonly kind: 'archive' | 'base';
  /** ISO 8601. */
  readonly backupAt: string;
  readonly asClone: boolean;
  /** The end of the audit chain in the restored files; undefined: the end that the database knows is taken. */
  readonly chain: ChainHead | undefined;
}

/** The chain whose replica reported last, with its last entry in the database. */
const newestChain = `select c.chain, l.last_seq as seq, l.last_hash as hash from audit_chains c
  join lateral (select last_seq, last_hash from audit_log l where l.chain = c.chain order by last_seq desc limit 1) l on true
  order by c.last_seen_at desc limit 1`;

/** @param client as the owner of the tables, to whom row-level security does not apply now, or as a superuser */
export async function recordRestore(client: pg.Client, facts: RestoreFacts): Promise<void> {
  const { backupId, kind, backupAt, asClone, chain } = facts;
  await client.query(
    `insert into restores (backup_id, kind, backup_at, as_clone, chain, chain_seq, chain_hash)
     select $1, $2, $3, $4, coalesce($5, n.chain), case when $5 is null then n.seq else $6 end, coalesce($7, n.hash)
     from (select) one left join (${newestChain}) n on true`,
    [backupId, kind, backupAt, asClone, chain?.chain ?? null, chain?.seq ?? null, chain?.hash ?? null],
  );
}
