// The tables that a backup holds: every table of this schema but those that are named here, straight from the catalogue.
import type pg from 'pg';
import type { ArchivedPartition, ArchivedTable } from '../archive/archive-contents.ts';
import { logParts, wholeTable } from './log-parts.ts';

/** Tables whose rows mean nothing in another database, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  schema_migrations: 'the header of the archive has them',
  partitioned_tables: 'the migrations fill it',
  installation: 'its secret is made anew with each database',
  loop_leaders: 'which replica leads a loop now',
  service_replicas: 'which replicas run now',
  call_windows: 'how often a credential called within the last minute',
};

interface TableRow {
  readonly name: string;
  readonly columns: readonly string[];
  readonly parents: readonly string[];
  readonly partitions: readonly PartitionRow[];
}

interface PartitionRow {
  readonly name: string;
  /** As PostgreSQL writes it: `FOR VALUES FROM ('a') TO ('b')`, or `DEFAULT`. */
  readonly bound: string;
  readonly row_security: boolean;
  readonly forced: boolean;
}

/**
 * Transaction numbers (xid8) are left out of the columns: they count on one server only, and the load gives new ones.
 * Partitions are no tables of their own: their rows are read through their parent, whose policies guard them.
 */
const tablesQuery = `select c.relname as name,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype order by a.attnum) as columns,
    array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents,
    coalesce((select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid),
        'row_security', p.relrowsecurity, 'forced', p.relforcerowsecurity) order by p.relname)
      from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid and c.relkind = 'p'), '[]') as partitions
  from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('tasks'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1`;

/** Tables of this schema, each behind those that it references. */
export async function archivedTables(client: pg.Client): Promise<ArchivedTable[]> {
  const { rows } = await client.query<TableRow>(tablesQuery);
  return parentsFirst(rows.filter(({ name }) => leftOut[name] === undefined)).map(({ name, columns, partitions }) => ({
    name,
    columns: [...columns],
    parts: logParts[name] === undefined ? [wholeTable] : Object.keys(logParts[name]),
    partitions: partitions.map((partition) => toPartition(name, partition)),
  }));
}

function parentsFirst(tables: readonly TableRow[]): TableRow[] {
  const ordered: TableRow[] = [];
  const add = (table: TableRow, path: readonly string[]): void => {
    if (ordered.includes(table)) return;
    if (path.includes(table.name))
      throw new Error(`the tables ${[...path, table.name].join(' → ')} reference each other`);
    for (const parent of table.parents) {
      const found = tables.find(({ name }) => name === parent);
      if (found !== undefined) add(found, [...path, table.name]);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table, []);
  return ordered;
}

/** Partitions by ranges of one column, and the default one, are all that this schema has. */
function toPartition(table: string, { bound, ...partition }: PartitionRow): ArchivedPartition {
  if (bound === 'DEFAULT') return { ...partition, from: null, to: null, is_default: true };
  const [, from, to] = /^FOR VALUES FROM \(([^(),]+)\) TO \(([^(),]+)\)$/.exec(bound) ?? [];
  if (from === undefined || to === undefined) {
    throw new Error(`the partition ${partition.name} of ${table} is not by ranges of one column: ${bound}`);
  }
  return { ...partition, from: rangeEnd(from), to: rangeEnd(to), is_default: false };
}

/** Null: the range has no end there. */
function rangeEnd(text: string): string | null {
  if (text === 'MINVALUE' || text === 'MAXVALUE') return null;
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}
