// The tenant tables of a database as the isolation proof needs them: columns, keys and checks, parents first.
import type pg from 'pg';

export interface Column {
  readonly name: string;
  /** As PostgreSQL writes it, e.g. `text[]`. */
  readonly type: string;
  /** Whether an insert must name it. */
  readonly required: boolean;
  /** Labels of an enum; empty for any other type. */
  readonly labels: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

export interface CheckConstraint {
  readonly name: string;
  readonly columns: readonly string[];
  /** The string literals of the check: allowed values are often among them. */
  readonly literals: readonly string[];
}

export interface TenantTable {
  /** Quoted as needed. */
  readonly name: string;
  /** Columns that an insert may set. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly CheckConstraint[];
}

const tablesQuery = `select c.oid::regclass::text as name,
    array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality as k(n, place)
      join pg_attribute a on a.attnum = k.n where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
      order by k.place) as "primaryKey",
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'required', a.attnotnull and not a.atthasdef and a.attidentity = '',
        'labels', array(select enumlabel from pg_enum e where e.enumtypid = a.atttypid order by enumsortorder)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.attidentity <> 'a') as columns,
    coalesce((select json_agg(json_build_object('name', k.conname, 'parent', k.confrelid::regclass::text,
        'columns', array(select a.attname from unnest(k.conkey) with ordinality as x(n, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.n order by place),
        'parentColumns', array(select a.attname from unnest(k.confkey) with ordinality as x(n, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.n order by place)))
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0), '[]') as "foreignKeys",
    coalesce((select json_agg(json_build_object('name', k.conname,
        'columns', array(select a.attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)),
        'literals', array(select m[1] from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''', 'g') as m)))
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'), '[]') as checks
  from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('tasks'))
  order by 1`;

const partitionsQuery = `select c.oid::regclass::text as name from pg_class c
    join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
  where c.relkind in ('r', 'p') and c.relispartition
    and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('tasks'))
  order by 1`;

/** Every partition of a table with a tenant, quoted as needed. */
export async function tenantPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(partitionsQuery);
  return rows.map(({ name }) => name);
}

/** Every table with a tenant in the schema of the tasks, each after the tables that it references. */
export async function tenantTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(tablesQuery);
  const ordered: TenantTable[] = [];
  const addAfterParents = (table: TenantTable, path: readonly string[]): void => {
    if (ordered.includes(table) || path.includes(table.name)) return;
    for (const { parent } of table.foreignKeys) {
      const found = rows.find(({ name }) => name === parent);
      if (found !== undefined) addAfterParents(found, [...path, table.name]);
    }
    ordered.push(table);
  };
  for (const table of rows) addAfterParents(table, []);
  return ordered;
}
