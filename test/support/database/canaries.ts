// Words that belong to one tenant: looked for in the rows of all others.
import type { Database } from './invariant.ts';

/**
 * Rows in which a tenant's word stands although they are another's; the whole database is searched.
 * @param canaries by tenant
 */
export async function strayCanaries(db: Database, canaries: Readonly<Record<string, string>>): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and a.attname = 'tenant_id'`,
  );
  const searches = tables.map(
    ({ name }) => `select '${name}: ' || t::text as found from ${name} t, jsonb_each_text($1::jsonb) as w(tenant, word)
      where t.tenant_id <> w.tenant and strpos(t::text, w.word) > 0`,
  );
  const rows = await db.query<{ found: string }>(searches.join(' union all '), [JSON.stringify(canaries)]);
  return rows.map(({ found }) => found);
}
