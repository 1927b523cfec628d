// A hash over everything the database holds, or all that belongs to one tenant: has anything changed? What the service
// writes of every call, refused ones too (the audit, how often it was called), is no change; nor is its own retry of a message, or
// what its loops count by the minute.
import type { Database } from './invariant.ts';

/** By table, so that a difference names the table. */
export async function fingerprint(db: Database, tenantId?: string): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attname = 'tenant_id'
       and c.relname !~ '^(audit_.*|call_windows|topic_messages|usage_.*|queue_history)$' order by c.relname`,
  );
  const one = tables.map(
    ({ name }) => `select '${name}' as name, coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as hash
      from ${name} t where $1::text is null or tenant_id = $1`,
  );
  const rows = await db.query<{ name: string; hash: string }>(one.join(' union all '), [tenantId ?? null]);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
