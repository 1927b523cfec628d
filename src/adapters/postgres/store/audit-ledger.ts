// The copies of the audit in the database, over all tenants: named cross-tenant queries, each under a2a_admin.
import type pg from 'pg';
import type { Checkpoint } from '../../../domain/model/audit-line.ts';
import type { AuditLedger, CopyBatch, KnownChain, OrphanedIntentRow } from '../../../domain/ports/audit-chain.ts';
import { adminTransaction, type Statement } from './admin-transaction.ts';
import { parseIntents } from '../codec/audit-intents.ts';
import { isoTime } from '../codec/task-json.ts';

interface IntentRowJson extends pg.QueryResultRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly entries: string;
}

interface CheckpointRow extends pg.QueryResultRow {
  readonly chain: string;
  readonly seq: string;
  readonly hash: string;
  readonly at: string;
  readonly key: string;
  readonly signature: string;
}

interface ChainRow extends pg.QueryResultRow {
  readonly chain: string;
  readonly public_key: string;
  readonly file: string;
  readonly opened_at: Date;
  readonly last_seq: string | null;
  readonly last_hash: string | null;
  readonly closed_seq: string | null;
  readonly closed_hash: string | null;
  readonly verified_hash: string | null;
}

export function postgresAuditLedger(pool: pg.Pool): AuditLedger {
  const rowsOf = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]> => {
    const [rows] = await adminTransaction(pool, [{ text, values }]);
    // The caller's type describes the columns of its own statement.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (rows ?? []) as R[];
  };
  return {
    async touchChain(chain, publicKey, file) {
      await rowsOf(
        `insert into audit_chains (tenant_id, chain, public_key, file) values ('system', $1, $2, $3)
         on conflict (tenant_id, chain) do update set last_seen_at = now(), public_key = $2, file = $3,
           closed_seq = null, closed_hash = null, verified_hash = null`,
        [chain, publicKey, file],
      );
    },
    async closeChain({ chain, seq, hash }) {
      await rowsOf(
        `update audit_chains set closed_seq = $2, closed_hash = $3 where tenant_id = 'system' and chain = $1`,
        [chain, seq, hash],
      );
    },
    async sealChain({ chain, seq, hash }) {
      await rowsOf(
        `update audit_chains set verified_hash = closed_hash
         where tenant_id = 'system' and chain = $1 and closed_seq = $2 and closed_hash = $3`,
        [chain, seq, hash],
      );
    },
    async findCopiedHead(chain) {
      const [row] = await rowsOf<{ last_seq: string; last_hash: string }>(
        'select last_seq, last_hash from audit_log where chain = $1 order by last_seq desc limit 1',
        [chain],
      );
      return row === undefined ? undefined : { seq: Number(row.last_seq), hash: row.last_hash };
    },
    async copy(chain, batches, checkpoints, rows) {
      const statements = [
        ...batches.map((batch) => copyStatement(chain, batch)),
        ...(checkpoints.length === 0 ? [] : [insertCheckpoints(checkpoints)]),
        ...(rows.length === 0 ? [] : [dropIntents(rows)]),
      ];
      if (statements.length > 0) await adminTransaction(pool, statements);
    },
    async findOrphanedRows(chain, limit) {
      const rows = await rowsOf<IntentRowJson>(
        'select tenant_id, id, entries from audit_intents where replica_id = $1 order by id limit $2',
        [chain, limit],
      );
      return rows.map(intentRowFromJson);
    },
    async findSilentChains(silentSeconds) {
      const rows = await rowsOf<{ replica_id: string }>(
        `select distinct i.replica_id from audit_intents i
         where i.at < now() - make_interval(secs => $1) and not exists (
           select from audit_chains c where c.chain = i.replica_id and c.last_seen_at >= now() - make_interval(secs => $1))`,
        [silentSeconds],
      );
      return rows.map((row) => row.replica_id);
    },
    async checkpoints(chain, after, limit) {
      const rows = await rowsOf<CheckpointRow>(
        `select chain, seq, hash, at, key, signature from audit_checkpoints
         where tenant_id = 'system' and chain = $1 and seq > $2 order by seq limit $3`,
        [chain, after, limit],
      );
      return rows.map(({ seq, hash, at, key, signature }) => ({ chain, seq: Number(seq), hash, at, key, signature }));
    },
    async chains() {
      const rows = await rowsOf<ChainRow>(
        `select c.chain, c.public_key, c.file, c.opened_at, l.last_seq, l.last_hash, c.closed_seq, c.closed_hash, c.verified_hash
         from audit_chains c
         left join lateral (
           select last_seq, last_hash from audit_log where chain = c.chain order by last_seq desc limit 1) l on true
         order by c.opened_at`,
        [],
      );
      return rows.map(knownChain);
    },
  };
}

function copyStatement(chain: string, batch: CopyBatch): Statement {
  const { tenantId, firstSeq, lastSeq, lastHash, firstId, lastId, from, to, entries } = batch;
  return {
    name: 'audit_copy',
    // A copy may be repeated after a lost response.
    text: `insert into audit_log (tenant_id, chain, first_seq, last_seq, last_hash, first_id, last_id, from_at, to_at, entries)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    values: [tenantId, chain, firstSeq, lastSeq, lastHash, firstId, lastId, from, to, entries],
  };
}

function insertCheckpoints(checkpoints: readonly Checkpoint[]): Statement {
  return {
    text: `insert into audit_checkpoints (tenant_id, chain, seq, hash, at, key, signature)
      select 'system', chain, seq, hash, at, key, signature from jsonb_to_recordset($1::jsonb)
        as x(chain text, seq bigint, hash text, at text, key text, signature text)
      on conflict do nothing`,
    values: [JSON.stringify(checkpoints)],
  };
}

function dropIntents(rows: readonly Pick<OrphanedIntentRow, 'tenantId' | 'id'>[]): Statement {
  return {
    name: 'audit_drop_intents',
    text: `delete from audit_intents i using unnest($1::text[], $2::uuid[]) as x(tenant_id, id)
      where i.tenant_id = x.tenant_id and i.id = x.id`,
    values: [rows.map(({ tenantId }) => tenantId), rows.map(({ id }) => id)],
  };
}

function intentRowFromJson({ tenant_id: tenantId, id, entries }: IntentRowJson): OrphanedIntentRow {
  return { tenantId, id, intents: parseIntents(tenantId, entries) };
}

function knownChain(row: ChainRow): KnownChain {
  const { chain, public_key: publicKey, file, last_seq: seq, last_hash: hash, closed_seq, closed_hash } = row;
  return {
    chain,
    publicKey,
    file,
    openedAt: isoTime(row.opened_at),
    seq: Number(seq ?? 0),
    hash: hash ?? '',
    closed: closed_seq === null || closed_hash === null ? undefined : { seq: Number(closed_seq), hash: closed_hash },
    sealed: closed_hash !== null && row.verified_hash === closed_hash,
  };
}
