// The owner of the tables, and whether a login may act for that role: later migrations must keep the owner.
import type pg from 'pg';

export interface SchemaOwner {
  readonly role: string;
  /** Whether this login is that role, or may set it. */
  readonly mayAct: boolean;
}

/** Undefined before the first migration. */
export async function schemaOwner(client: pg.Client): Promise<SchemaOwner | undefined> {
  const { rows } = await client.query<SchemaOwner>(
    `select pg_get_userbyid(relowner) as role,
       pg_has_role(session_user, relowner, case when current_setting('server_version_num')::integer >= 160000
         then 'set' else 'member' end) as "mayAct"
     from pg_class where oid = to_regclass('schema_migrations')`,
  );
  return rows[0];
}
