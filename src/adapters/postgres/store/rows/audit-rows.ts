// A tenant's audit log: entries from the copies of every chain, newest first. Row-level security limits it to the tenant.
//
// A copy holds many lines of one chain, and copies of two replicas overlap in time. Copies are read by their greatest id,
// newest first, as long as one of them may hold an entry that belongs on the page: the place of an entry is final once
// every copy with a greater last id has been read.
import type pg from 'pg';
import type { AuditLine } from '../../../../domain/model/audit-line.ts';
import type { Page } from '../../../../domain/ports/store/page.ts';
import type { AuditFilter, AuditRows } from '../../../../domain/ports/store/store.ts';
import type { Scope } from './scope.ts';

/** Copies per statement, and statements per page: beyond that the page ends early, and the next one continues there. */
const copiesAtOnce = 50;
const maxScans = 40;

/** The last copy that a scan has read. */
interface Seen {
  readonly last_id: string;
  readonly chain: string;
  readonly first_seq: string;
}

interface ScanRow extends pg.QueryResultRow {
  /** Number of copies that were read. */
  readonly copies: number;
  readonly seen: Seen | null;
  /** The newest of their lines that match the filter, at most a page; null if there is none. */
  readonly events: readonly AuditLine[] | null;
}

export function auditRows(scope: Scope): AuditRows {
  return { page: (filter, page) => readPage(scope, filter, page) };
}

async function readPage(
  scope: Scope,
  filter: AuditFilter,
  { limit, before }: Page,
): Promise<{ events: AuditLine[]; next: string | null }> {
  let found: AuditLine[] = [];
  let seen: Seen | undefined;
  for (let scan = 0; scan < maxScans; scan += 1) {
    const result = await scanCopies(scope, filter, { limit: limit + 1, before }, seen);
    found = [...found, ...(result?.events ?? [])].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1);
    seen = result?.seen ?? seen;
    if (result === undefined || result.copies < copiesAtOnce) return cut(found, limit);
    const least = found[limit]?.id;
    if (least !== undefined && least > (seen?.last_id ?? '')) return cut(found, limit);
  }
  // The scan limit is reached: the page has the final entries, and the next page begins where this scan ended.
  const settled = found.filter(({ id }) => id >= (seen?.last_id ?? ''));
  return settled.length > limit ? cut(settled, limit) : { events: settled, next: seen?.last_id ?? null };
}

function cut(found: readonly AuditLine[], limit: number): { events: AuditLine[]; next: string | null } {
  const events = found.slice(0, limit);
  return { events, next: found.length > limit ? (events.at(-1)?.id ?? null) : null };
}

/**
 * The database selects the lines: a hundred thousand could match a filter, and parsing their JSON in this process would block
 * all other requests. A copy whose text lacks a wanted value is not parsed.
 */
async function scanCopies(
  scope: Scope,
  filter: AuditFilter,
  { limit, before }: Page,
  seen: Seen | undefined,
): Promise<ScanRow | undefined> {
  const [result] = await scope.query<ScanRow>(
    'audit_scan',
    `with copy as materialized (
       select l.last_id, l.chain, l.first_seq, l.entries from audit_log l
       where ($1::text is null or l.first_id < $1::text::uuid)
         and ($6::timestamptz is null or l.to_at >= $6) and ($7::timestamptz is null or l.from_at < $7)
         and ($8::uuid is null or (l.last_id, l.chain, l.first_seq) < ($8, $9, $10))
       order by l.last_id desc, l.chain desc, l.first_seq desc limit $11
     ), line as (
       select e, e->>'id' as id from copy cross join lateral json_array_elements(copy.entries::json) as e
       where ($13::text is null or strpos(copy.entries, $13) > 0)
         and ($14::text is null or strpos(copy.entries, $14) > 0)
         and ($15::text is null or strpos(copy.entries, $15) > 0)
         and ($1::text is null or e->>'id' < $1)
         and ($2::text is null or e->>'actor' = $2)
         and ($3::text is null or e->>'action' = $3)
         and ($4::text is null or starts_with(e->>'resource', $4))
         and ($5::text is null or e->>'outcome' = $5)
         and ($6::timestamptz is null or (e->>'timestamp')::timestamptz >= $6)
         and ($7::timestamptz is null or (e->>'timestamp')::timestamptz < $7)
         and ($13::text is null or e->'metadata'->>'task_id' = $13 or strpos(e->>'resource', $13) > 0)
         and ($14::text is null or e->'metadata'->>'request_id' = $14::json #>> '{}')
         and ($15::text is null or e->'metadata'->>'credential' = $15::json #>> '{}')
       order by id desc limit $12
     )
     select (select count(*)::int from copy) as copies, (select json_agg(e) from line) as events,
       (select json_build_object('last_id', last_id, 'chain', chain, 'first_seq', first_seq::text)
        from copy order by last_id, chain, first_seq limit 1) as seen`,
    [
      before ?? null,
      filter.actor ?? null,
      filter.action ?? null,
      filter.resource ?? null,
      filter.outcome ?? null,
      filter.from ?? null,
      filter.to ?? null,
      seen?.last_id ?? null,
      seen?.chain ?? null,
      seen?.first_seq ?? null,
      copiesAtOnce,
      limit,
      filter.taskId ?? null,
      jsonTextOf(filter.requestId),
      jsonTextOf(filter.credential),
    ],
  );
  return result;
}

/** As the value stands in the text of an entry, so that it can be looked for before the text is parsed. */
function jsonTextOf(value: string | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
