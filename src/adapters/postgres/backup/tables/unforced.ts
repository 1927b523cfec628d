// Row-level security binds the owner of tables only while it is forced; here it is lifted and forced again in one transaction.
import pg from 'pg';

/** Lets the owner see and write all tenants' rows of these tables. */
export async function liftRowSecurity(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const name of tables) await client.query(`alter table ${pg.escapeIdentifier(name)} no force row level security`);
}

/** Before the commit: binds the owner again, on every table that has row-level security. */
export async function forceRowSecurity(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c
     where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('tasks'))
       and c.relname = any($1) and c.relrowsecurity and not c.relforcerowsecurity`,
    [tables],
  );
  for (const { name } of rows) await client.query(`alter table ${name} force row level security`);
}
