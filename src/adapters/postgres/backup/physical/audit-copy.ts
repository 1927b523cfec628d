// The lines of an audit chain from their copy in the database: a recovery has no files of the audit.
import type pg from 'pg';

interface CopyRow {
  readonly first_seq: string;
  readonly entries: string;
}

const pageRows = 200;

/** The chain whose replica reported last; undefined: there is none. @param client a superuser */
export async function newestChain(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ chain: string }>(
    `select c.chain from audit_chains c where exists (select from audit_log l where l.chain = c.chain)
     order by c.last_seen_at desc limit 1`,
  );
  return rows[0]?.chain;
}

/**
 * Lines in their order, each with its line break and byte for byte as it was written, up to the first that is missing. Rows
 * hold the lines of one tenant, so rows of several tenants overlap.
 */
export async function* linesOfChain(client: pg.Client, chain: string): AsyncGenerator<Uint8Array, void, undefined> {
  const waiting = new Map<number, string>();
  let next = 1;
  let after: readonly [string, string] = ['0', ''];
  for (;;) {
    const { rows } = await client.query<CopyRow & { tenant_id: string }>(
      `select tenant_id, first_seq, entries from audit_log where chain = $1 and (first_seq, tenant_id) > ($2, $3)
       order by first_seq, tenant_id limit ${pageRows}`,
      [chain, ...after],
    );
    for (const { first_seq: firstSeq, tenant_id: tenantId, entries } of rows) {
      // All lines before this row's first one are in earlier rows.
      for (; waiting.has(next) && next < Number(firstSeq); next += 1) yield take(waiting, next);
      for (const [seq, line] of parseEntries(entries)) waiting.set(seq, line);
      after = [firstSeq, tenantId];
    }
    if (rows.length === pageRows) continue;
    for (; waiting.has(next); next += 1) yield take(waiting, next);
    return;
  }
}

function take(waiting: Map<number, string>, seq: number): Uint8Array {
  const line = waiting.get(seq) ?? '';
  waiting.delete(seq);
  return Buffer.from(`${line}\n`);
}

/** JSON that JSON.stringify wrote comes out of it the same again. */
function* parseEntries(entries: string): Generator<[number, string]> {
  const parsed: unknown = JSON.parse(entries);
  if (!Array.isArray(parsed)) return;
  for (const entry of parsed) {
    if (typeof entry === 'object' && entry !== null && 'seq' in entry && typeof entry.seq === 'number') {
      yield [entry.seq, JSON.stringify(entry)];
    }
  }
}
