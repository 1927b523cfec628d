// Scratch rows for the isolation proof: one for every tenant table, made from the catalogue alone.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { uuid7Maker } from '../../../lib/uuid7.ts';
import type { CheckConstraint, Column, TenantTable } from './isolation-tables.ts';
import { tryAndRollBack, type TrialOutcome } from './try-and-roll-back.ts';

/** A complete row as JSON, for `jsonb_populate_record`. */
export type ScratchRow = Readonly<Record<string, unknown>>;
/** By name of the table; a table that accepted no row is missing. */
export type ScratchRows = ReadonlyMap<string, ScratchRow>;

const maxTries = 200;
/** Partitions are ranges of ids by their time, so that only an id of the present has one for certain. */
const makeId = uuid7Maker(() => Date.now(), randomBytes);
const checkViolation = '23514';

/** An insert of a row's columns; columns that the row does not name get their defaults. */
export function insertText(
  { name, columns }: TenantTable,
  row: ScratchRow,
  rest = '',
): { text: string; values: unknown[] } {
  const named = columns.filter((column) => column.name in row).map((column) => pg.escapeIdentifier(column.name));
  const list = named.join(', ');
  return {
    text: `insert into ${name} (${list}) select ${list} from jsonb_populate_record(null::${name}, $1) ${rest}`,
    values: [JSON.stringify(row)],
  };
}

/**
 * Inserts one row of this tenant into every table that accepts one; the rows stay until the transaction ends.
 * @param client within a transaction, as a role that may insert for this tenant
 */
export async function makeRows(
  client: pg.Client,
  tables: readonly TenantTable[],
  tenantId: string,
): Promise<ScratchRows> {
  const rows = new Map<string, ScratchRow>();
  for (const table of tables) {
    const row = await rowThatFits(client, table, rows, tenantId);
    if (row === undefined) continue;
    const { text, values } = insertText(table, row, `returning to_jsonb(${table.name}.*) as row`);
    const made = await client.query<{ row: ScratchRow }>(text, values);
    const [inserted] = made.rows;
    if (inserted !== undefined) rows.set(table.name, inserted.row);
  }
  return rows;
}

/** Tries values until every check of the table passes; undefined when none of them does. */
async function rowThatFits(
  client: pg.Client,
  table: TenantTable,
  rows: ScratchRows,
  tenantId: string,
): Promise<ScratchRow | undefined> {
  const turns = new Map<string, number>();
  for (let n = 0; n < maxTries; n += 1) {
    const row = candidate(table, rows, tenantId, turns);
    const { text, values } = insertText(table, row);
    const outcome = await tryAndRollBack(client, text, values);
    if (outcome.code === undefined) return row;
    const broken = brokenCheck(table, outcome);
    if (broken === undefined) return undefined;
    turns.set(broken.name, (turns.get(broken.name) ?? 0) + 1);
  }
  return undefined;
}

function brokenCheck({ checks }: TenantTable, { code, constraint }: TrialOutcome): CheckConstraint | undefined {
  return code === checkViolation ? checks.find(({ name }) => name === constraint) : undefined;
}

/** The required columns, and every column of a foreign key, so that the references are real. */
function candidate(
  table: TenantTable,
  rows: ScratchRows,
  tenantId: string,
  turns: ReadonlyMap<string, number>,
): ScratchRow {
  const row: Record<string, unknown> = {};
  for (const column of table.columns) {
    const touched = table.checks.some(({ name, columns }) => turns.has(name) && columns.includes(column.name));
    if (column.required || touched) row[column.name] = valueOf(table, column, turns);
  }
  for (const key of table.foreignKeys) {
    const parent = rows.get(key.parent);
    if (parent === undefined) continue;
    key.columns.forEach((name, i) => {
      row[name] = parent[key.parentColumns[i] ?? ''];
    });
  }
  return { ...row, tenant_id: onlyTenantOf(table, turns) ?? tenantId };
}

/** Some tables belong to one tenant only (`check (tenant_id = 'system')`): their rows get that tenant. */
function onlyTenantOf({ checks }: TenantTable, turns: ReadonlyMap<string, number>): string | undefined {
  const check = checks.find(
    ({ name, columns }) => columns.length === 1 && columns[0] === 'tenant_id' && turns.has(name),
  );
  return check?.literals[(turns.get(check.name) ?? 1) - 1];
}

/** The candidate to try next: each violation of a check advances its columns to their next candidates. */
function valueOf(table: TenantTable, column: Column, turns: ReadonlyMap<string, number>): unknown {
  const values = valuesFor(column, table.checks);
  const check = table.checks.find(({ name, columns }) => turns.has(name) && columns.includes(column.name));
  if (check === undefined) return values[0];
  // Counts like the digits of a number, so that every combination of a check over several columns is reached.
  const before = check.columns.slice(0, check.columns.indexOf(column.name));
  const size = before.reduce((product, name) => {
    const other = table.columns.find((one) => one.name === name);
    return product * (other === undefined ? 1 : valuesFor(other, table.checks).length);
  }, 1);
  return values[Math.floor((turns.get(check.name) ?? 0) / size) % values.length];
}

function valuesFor(
  { name, type, labels }: Pick<Column, 'name' | 'type' | 'labels'>,
  checks: readonly CheckConstraint[],
): unknown[] {
  if (labels.length > 0) return [...labels];
  if (type.endsWith('[]'))
    return [[], ...valuesFor({ name, type: type.slice(0, -2), labels }, checks).map((one) => [one])];
  const literals = checks.filter(({ columns }) => columns.includes(name)).flatMap((check) => check.literals);
  switch (type) {
    case 'uuid':
      return [makeId()];
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'real':
    case 'double precision':
      return [1, 0, 2, 60, -1];
    case 'boolean':
      return [false, true];
    case 'json':
    case 'jsonb':
      return [{}, [], 'x', null];
    case 'bytea':
      return ['00'.repeat(32), '00'.repeat(64), '00'].map((hex) => `\\x${hex}`);
    case 'inet':
    case 'cidr':
      return ['192.0.2.1'];
    case 'interval':
      return ['1 second'];
    case 'date':
    case 'timestamp with time zone':
    case 'timestamp without time zone':
      return ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
    default:
      return [
        `proof-${randomUUID()}`,
        ...literals,
        'proof',
        '00'.repeat(32),
        'https://example.org/',
        'a@example.org',
        '0',
      ];
  }
}
