// Proves on a live database that no tenant has access to another's rows: by the catalogue, and by trying every way to one.
// All of it runs in one transaction that is rolled back, and touches only rows that it has inserted itself.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { clientConfig, type DatabaseAddress } from '../connection/connections.ts';
import { holesInCatalogue, type Hole } from './isolation-catalogue.ts';
import { insertText, makeRows, type ScratchRow, type ScratchRows } from './isolation-scratch.ts';
import { tenantPartitions, tenantTables, type ForeignKey, type TenantTable } from './isolation-tables.ts';
import { tryAndRollBack, type TrialOutcome } from './try-and-roll-back.ts';

export interface IsolationProof {
  /** Every table with a tenant. */
  readonly tables: readonly string[];
  /** Number of tried statements. */
  readonly tries: number;
  /** Empty: no tenant has access to another's rows. */
  readonly holes: readonly Hole[];
  /** Tables in which no row could be inserted: only the catalogue vouches for them. */
  readonly untried: readonly string[];
}

/** `insufficient_privilege`: a policy or a missing grant rejected the statement. */
const refused = '42501';
const uniqueViolation = '23505';

/** Values that an attacker might set as the tenant to reach the rows of `victim`. */
function forgeries(victim: string): string[] {
  const around = [` ${victim}`, `${victim} `, `"${victim}"`, victim.toUpperCase(), `${victim},${victim}`];
  return [...around, `${victim}' or true --`, '*', '%', 'null'];
}

/**
 * @param address the service's login, or a superuser's that becomes the role `become`
 * @throws when the database cannot be reached
 */
export async function proveIsolation(address: DatabaseAddress, become?: string): Promise<IsolationProof> {
  const { options: _role, ...plain } = clientConfig(address, 'a2a_app');
  const client = new pg.Client({ ...plain, options: '-c statement_timeout=15000 -c lock_timeout=3000' });
  await client.connect();
  try {
    if (become !== undefined) await client.query(`set session authorization ${pg.escapeIdentifier(become)}`);
    const catalogue = await holesInCatalogue(client);
    await client.query('begin');
    await client.query('set constraints all immediate');
    const probe = new CrossTenantProbe(client, await tenantTables(client), await tenantPartitions(client));
    await probe.runAll();
    await client.query('rollback');
    const { holes, tries, tables, untried } = probe;
    return { tables: tables.map(({ name }) => name), tries, holes: [...catalogue, ...holes], untried };
  } finally {
    await client.end();
  }
}

/** Two scratch tenants with equal rows, of which the victim has some more; and every way from the intruder to them. */
class CrossTenantProbe {
  readonly tables: readonly TenantTable[];
  readonly holes: Hole[] = [];
  untried: readonly string[] = [];
  tries = 0;
  readonly #client: pg.Client;
  readonly #partitions: readonly string[];
  readonly #victim = `proof-${randomBytes(6).toString('hex')}-a`;
  readonly #intruder = `proof-${randomBytes(6).toString('hex')}-b`;

  constructor(client: pg.Client, tables: readonly TenantTable[], partitions: readonly string[]) {
    this.#client = client;
    this.tables = tables;
    this.#partitions = partitions;
  }

  async runAll(): Promise<void> {
    await this.#as('a2a_admin');
    // Rows with a twin of the intruder's, and rows without.
    const shared = await makeRows(this.#client, this.tables, this.#victim);
    await this.#makeTwins(shared);
    const victimOnly = await makeRows(
      this.#client,
      this.tables.filter(({ name }) => name !== 'tenants'),
      this.#victim,
    );
    this.untried = this.tables.filter(({ name }) => !shared.has(name)).map(({ name }) => name);
    await this.#as('none');
    await this.#each(shared, (table, row) => this.#reachesNothing(table, row, 'the bare login, without a role,'));
    await this.#as('a2a_app');
    await this.#each(shared, (table, row) => this.#reachesNothing(table, row, 'a2a_app without a tenant'));
    await this.#nameTenant('');
    await this.#each(shared, (table, row) => this.#reachesNothing(table, row, 'a2a_app with an empty tenant'));
    for (const forged of forgeries(this.#victim)) {
      await this.#nameTenant(forged);
      await this.#each(shared, (table, row) => this.#seesNothing(table, row, 'a2a_app with a forged tenant'));
    }
    await this.#nameTenant(this.#intruder);
    await this.#each(shared, (table, row) => this.#reachesNothing(table, row, 'another tenant'));
    await Promise.all(this.#partitions.map((name) => this.#admitsNobody(name)));
    await this.#each(shared, (table) => this.#givesNothingAway(table));
    await this.#each(victimOnly, (table, row) => this.#refersToNothing(table, row, shared, victimOnly));
  }

  /** Runs over all tables at once: the statements are pipelined. */
  async #each(rows: ScratchRows, work: (table: TenantTable, row: ScratchRow) => Promise<void>): Promise<void> {
    await Promise.all(
      this.tables.map(async (table) => {
        const row = rows.get(table.name);
        if (row !== undefined) await work(table, row);
      }),
    );
  }

  async #as(role: 'a2a_app' | 'a2a_admin' | 'none'): Promise<void> {
    await this.#client.query(`set local role ${role}`);
  }

  async #nameTenant(tenantId: string): Promise<void> {
    await this.#client.query(`select set_config('app.current_tenant_id', $1, true)`, [tenantId]);
  }

  /** Inserts a row of the intruder for each of the victim's, equal in everything but the tenant. */
  async #makeTwins(rows: ScratchRows): Promise<void> {
    for (const table of this.tables) {
      const row = rows.get(table.name);
      // A table that belongs to one tenant only cannot have a twin.
      if (row?.['tenant_id'] !== this.#victim) continue;
      const { text, values } = insertText(table, { ...row, tenant_id: this.#intruder });
      const outcome = await this.#try(text, values);
      if (outcome.code === uniqueViolation) {
        this.#reportHole(table, `lets no two tenants have the same: ${outcome.constraint ?? outcome.message}`);
      }
      if (outcome.code === undefined) await this.#client.query(text, values);
    }
  }

  async #seesNothing(table: TenantTable, row: ScratchRow, who: string): Promise<void> {
    const { name } = table;
    const aimed = await this.#try(`select from ${name} where ${matchByKey(table)}`, [JSON.stringify(row)]);
    const open = await this.#try(
      `select from ${name} where tenant_id is distinct from nullif(current_setting('app.current_tenant_id', true), '') limit 1`,
    );
    if (aimed.rows + open.rows > 0) this.#reportHole(table, `shows its rows to ${who}`);
  }

  /** Selects, updates, deletes and inserts, each aimed at the victim's row only. */
  async #reachesNothing(table: TenantTable, row: ScratchRow, who: string): Promise<void> {
    await this.#seesNothing(table, row, who);
    const { name, primaryKey } = table;
    const aim = [JSON.stringify(row)];
    const changed = await this.#try(`update ${name} set tenant_id = tenant_id where ${matchByKey(table)}`, aim);
    if (changed.rows > 0) this.#reportHole(table, `lets ${who} change rows of others`);
    const removed = await this.#try(`delete from ${name} where ${matchByKey(table)}`, aim);
    if (removed.rows > 0) this.#reportHole(table, `lets ${who} remove rows of others`);
    for (const [how, rest] of [
      ['', ''],
      [' (ON CONFLICT DO NOTHING)', 'on conflict do nothing'],
      ...(primaryKey.length === 0 ? [] : [[' (ON CONFLICT DO UPDATE)', upsert(table)] as const]),
    ] as const) {
      const added = insertText(table, row, rest);
      const outcome = await this.#try(added.text, added.values);
      if (outcome.code !== refused) {
        this.#reportHole(
          table,
          `does not refuse ${who} a row of others by its policy${how}: ${describeOutcome(outcome)}`,
        );
      }
    }
  }

  /** A partition has no policies: it is reached by its parent alone. */
  async #admitsNobody(name: string): Promise<void> {
    for (const text of [
      `select from ${name} limit 1`,
      `update ${name} set tenant_id = tenant_id where false`,
      `delete from ${name} where false`,
      `insert into ${name} select * from ${name} where false`,
    ]) {
      const { code } = await this.#try(text);
      if (code !== refused) this.#addHole(`partition ${name}`, 'lets a tenant around the policies of its parent');
    }
  }

  /** The intruder cannot give its own rows to the victim. */
  async #givesNothingAway(table: TenantTable): Promise<void> {
    const text = `update ${table.name} set tenant_id = $1 where tenant_id = $2`;
    const given = await this.#try(text, [this.#victim, this.#intruder]);
    if (given.rows > 0) this.#reportHole(table, 'lets a tenant give a row to another');
  }

  /** A new row of the intruder cannot refer to a row that only the victim has; it has all other referenced rows itself. */
  async #refersToNothing(
    table: TenantTable,
    row: ScratchRow,
    shared: ScratchRows,
    victimOnly: ScratchRows,
  ): Promise<void> {
    for (const key of table.foreignKeys.filter(({ parent }) => victimOnly.has(parent))) {
      const others = table.foreignKeys.filter((other) => other !== key).flatMap((other) => columnsOf(shared, other));
      const named = Object.fromEntries([...others, ...columnsOf(victimOnly, key)]);
      const { text, values } = insertText(table, { ...row, ...named, tenant_id: this.#intruder });
      const { code } = await this.#try(text, values);
      if (code === undefined) this.#reportHole(table, `lets a tenant refer by ${key.name} to a row of another`);
    }
  }

  async #try(text: string, values: readonly unknown[] = []): Promise<TrialOutcome> {
    this.tries += 1;
    return tryAndRollBack(this.#client, text, values);
  }

  #reportHole({ name }: TenantTable, what: string): void {
    this.#addHole(`table ${name}`, what);
  }

  #addHole(where: string, what: string): void {
    const isKnown = this.holes.some((hole) => hole.where === where && hole.what === what);
    if (!isKnown) this.holes.push({ where, what });
  }
}

function upsert({ primaryKey }: TenantTable): string {
  const key = primaryKey.map((name) => pg.escapeIdentifier(name)).join(', ');
  return `on conflict (${key}) do update set tenant_id = excluded.tenant_id`;
}

function describeOutcome({ code, message }: TrialOutcome): string {
  return code === undefined ? 'it was taken' : `${code} ${message}`;
}

/** The parent's key columns, from the foreign key's columns. */
function columnsOf(parents: ScratchRows, { parent, columns, parentColumns }: ForeignKey): [string, unknown][] {
  return columns.map((name, i) => [name, parents.get(parent)?.[parentColumns[i] ?? '']]);
}

/** Matches the row whose JSON is the first parameter by its key, so that no other row is touched in any case. */
function matchByKey({ name, primaryKey }: TenantTable): string {
  const key = (primaryKey.length === 0 ? ['tenant_id'] : primaryKey).map((one) => pg.escapeIdentifier(one)).join(', ');
  return `(${key}) = (select ${key} from jsonb_populate_record(null::${name}, $1))`;
}
