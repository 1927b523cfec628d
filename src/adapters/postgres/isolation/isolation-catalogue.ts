// Checks the catalogue of a database for anything that could give one tenant access to another's rows. core-5.8.
// Each rule is one statement that returns its violations, one row each. It changes nothing and reads no tenant's row.
import type pg from 'pg';

/** A gap in the isolation of tenants. */
export interface Hole {
  /** The thing at fault, e.g. `table tasks`, `role a2a_app`. */
  readonly where: string;
  /** The violation, as the rest of a sentence that starts with `where`. */
  readonly what: string;
}

/**
 * The one expression that isolates: the setting is NULL before it was ever set and '' after a transaction that set it,
 * and neither equals anything. As PostgreSQL 15 to 18 write it back.
 */
const tenantExpression = `(tenant_id = ( SELECT NULLIF(current_setting('app.current_tenant_id'::text, true), ''::text) AS "nullif"))`;

/** Tables without a tenant that requests may read; their content reveals nothing about any tenant. */
const sharedTables = ['schema_migrations'];

/**
 * `relations`: the relations of this program's schema, and any other that requests could reach, except members of
 * extensions. `tenant_tables`: the relations with a tenant. A partition is reached by its parent, whose policies then hold; it
 * has none of its own, so its rule is that no service role may name it.
 */
const common = `with relations as (
    select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and (c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('tasks'))
        or (has_schema_privilege('a2a_app', n.oid, 'usage') and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and has_table_privilege('a2a_app', c.oid, 'select, insert, update, delete, truncate')))
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), tenant_tables as (
    select c.*, a.attnum as tenant, a.attnotnull, a.atthasdef from relations c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p', 'f') and not c.relispartition
  ), policies as (
    select p.polrelid, p.polname, p.polcmd, 0 = any(p.polroles) or (select oid from pg_roles where rolname = 'a2a_app') = any(p.polroles) as binds_app,
      pg_get_expr(p.polqual, p.polrelid) as qual, pg_get_expr(p.polwithcheck, p.polrelid) as checked
    from pg_policy p join tenant_tables c on c.oid = p.polrelid
    where p.polpermissive and p.polroles <> array[(select oid from pg_roles where rolname = 'a2a_admin')]
  )`;

const isTenants = (expression: string): string =>
  `(${expression} = $1 or starts_with(${expression}, '(' || $1 || ' AND '))`;

const tableRules = [
  `select 'table ' || oid::regclass, 'has no row-level security' from tenant_tables where not relrowsecurity`,
  `select 'table ' || oid::regclass, 'does not force row-level security on its owner'
   from tenant_tables where not relforcerowsecurity`,
  `select 'table ' || oid::regclass, 'is foreign: the server where it lies guards no tenant' from tenant_tables where relkind = 'f'`,
  `select 'table ' || oid::regclass, 'has no policy for a2a_app'
   from tenant_tables c where not exists (select from policies p where p.polrelid = c.oid and p.binds_app)`,
  `select 'table ' || polrelid::regclass, format('has the policy %I, which shows rows of other tenants: USING %s', polname, coalesce(qual, 'is missing'))
   from policies where polcmd <> 'a' and not coalesce(${isTenants('qual')}, false)`,
  `select 'table ' || polrelid::regclass, format('has the policy %I, which takes rows for other tenants: WITH CHECK %s', polname, coalesce(checked, 'is missing'))
   from policies where polcmd in ('*', 'a', 'w') and not coalesce(${isTenants('checked')}, false)`,
  `select 'table ' || oid::regclass, 'lets tenant_id be null' from tenant_tables where not attnotnull`,
  `select 'table ' || oid::regclass, 'has a default for tenant_id' from tenant_tables where atthasdef`,
  `select 'table ' || c.oid::regclass, 'has no primary key that starts with tenant_id' from tenant_tables c
   where not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and i.indkey[0] = c.tenant)`,
  `select 'table ' || c.oid::regclass, format('has the unique index %s, which does not start with tenant_id: it reveals what others have', i.indexrelid::regclass)
   from tenant_tables c join pg_index i on i.indrelid = c.oid
   where (i.indisunique or i.indisexclusion) and not i.indisprimary and i.indkey[0] <> c.tenant`,
  `select 'table ' || c.oid::regclass, format('has the foreign key %I to %s, which does not carry tenant_id', k.conname, k.confrelid::regclass)
   from tenant_tables c join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
   join tenant_tables parent on parent.oid = k.confrelid
   where not exists (select from unnest(k.conkey, k.confkey) as x(own, other) where x.own = c.tenant and x.other = parent.tenant)`,
  `select 'table ' || c.oid::regclass, format('has the rule %I, which runs with the rights of its owner', r.rulename)
   from tenant_tables c join pg_rewrite r on r.ev_class = c.oid and r.rulename <> '_RETURN'`,
  `select 'table ' || oid::regclass, 'has no tenant_id, and a2a_app may use it' from relations c
   where relkind in ('r', 'p', 'f') and not relispartition and not relname = any($2)
     and has_table_privilege('a2a_app', oid, 'select, insert, update, delete')
     and not exists (select from tenant_tables t where t.oid = c.oid)`,
  `select 'partition ' || c.oid::regclass, format('may be used by %I itself, around the policies of its parent', r)
   from relations c, unnest(array['a2a_app', 'a2a_admin']) as r
   where c.relispartition and c.relkind in ('r', 'p', 'f')
     and (has_table_privilege(r, c.oid, 'select, insert, update, delete, truncate, references, trigger')
       or has_any_column_privilege(r, c.oid, 'select, insert, update, references'))`,
  `select 'table ' || oid::regclass, 'may be emptied by a2a_app (TRUNCATE goes around row-level security), or get its foreign keys or triggers'
   from relations where relkind in ('r', 'p') and has_table_privilege('a2a_app', oid, 'truncate, references, trigger')`,
];

const viewAndFunctionRules = [
  `select 'view ' || oid::regclass, 'is not security_invoker: it reads with the rights of its owner' from relations
   where relkind = 'v' and not coalesce((select option_value::boolean from pg_options_to_table(reloptions) where option_name = 'security_invoker'), false)`,
  `select 'materialized view ' || oid::regclass, 'may be read by a2a_app, and knows no tenants'
   from relations where relkind = 'm' and has_table_privilege('a2a_app', oid, 'select')`,
  `select 'function ' || p.oid::regprocedure, format('is SECURITY DEFINER: it runs as %I, whoever calls it', pg_get_userbyid(p.proowner))
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where p.prosecdef and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
     and (has_schema_privilege('a2a_app', n.oid, 'usage') and has_function_privilege('a2a_app', p.oid, 'execute')
       or exists (select from pg_trigger t join tenant_tables c on c.oid = t.tgrelid where t.tgfoid = p.oid))`,
  `select 'schema ' || nspname, 'lets a2a_app create things in it' from pg_namespace
   where nspname !~ '^pg_' and has_schema_privilege('a2a_app', oid, 'create')`,
];

const roleRules = [
  `select 'role ' || rolname, 'is a superuser' from pg_roles where rolname in ('a2a_app', 'a2a_admin', session_user) and rolsuper`,
  `select 'role ' || rolname, 'has BYPASSRLS' from pg_roles where rolname in ('a2a_app', session_user) and rolbypassrls`,
  `select 'role ' || rolname, 'may create roles' from pg_roles where rolname in ('a2a_app', 'a2a_admin', session_user) and rolcreaterole`,
  `select 'role ' || rolname, 'may replicate: the log has every row' from pg_roles
   where rolname in ('a2a_app', 'a2a_admin', session_user) and rolreplication`,
  `select 'role a2a_app', format('is a member of %I', roleid::regrole) from pg_auth_members where member = 'a2a_app'::regrole`,
  `select 'role ' || session_user, format('is a member of %I', roleid::regrole) from pg_auth_members
   where member = session_user::regrole and roleid::regrole::text not in ('a2a_app', 'a2a_admin')
     and session_user not in ('a2a_app', 'a2a_admin') and not exists (select from pg_roles r where r.oid = member and r.rolsuper)`,
  `select 'role ' || session_user, 'inherits the rights of ' || r from unnest(array['a2a_app', 'a2a_admin']) as r
   where pg_has_role(session_user, r, 'usage') and not exists (select from pg_roles where rolname = session_user and rolsuper)`,
  `select 'role a2a_app', format('owns %s things in this database', count(*)) from pg_shdepend
   where refclassid = 'pg_authid'::regclass and refobjid = 'a2a_app'::regrole and deptype = 'o'
     and dbid in (0, (select oid from pg_database where datname = current_database())) having count(*) > 0`,
  `select 'role ' || coalesce(nullif(setrole, 0)::regrole::text, 'of anybody'), 'starts with a tenant already set: ' || x
   from pg_db_role_setting, unnest(setconfig) as x where x like 'app.current\\_tenant\\_id=%'
     and setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
];

/**
 * @param client logged in as the service: the rights of that login are checked too
 * @returns empty when the catalogue shows no way from one tenant to another
 */
export async function holesInCatalogue(client: pg.Client): Promise<Hole[]> {
  const rules = [...tableRules, ...viewAndFunctionRules, ...roleRules];
  const all = rules.map((rule) => `select * from (${rule}) as r(place, what)`).join('\nunion all\n');
  // Both parameters are mentioned in the common part, because a statement must use all its parameters.
  const { rows } = await client.query<{ place: string; what: string }>(`${common} ${all} order by place, what`, [
    tenantExpression,
    sharedTables,
  ]);
  return rows.map(({ place, what }) => ({ where: place, what }));
}
