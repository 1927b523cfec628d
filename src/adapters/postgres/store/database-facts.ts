// The version of the database server, and of the schema in it.
import type pg from 'pg';
import { translated } from '../connection/pg-errors.ts';

export interface DatabaseFacts {
  /** As the server writes it: `18.1`. */
  readonly version: string;
  /** Name of the newest migration. */
  readonly schema: string;
}

/** @throws DomainError unavailable */
export async function readDatabaseFacts(pool: pg.Pool): Promise<DatabaseFacts> {
  try {
    const { rows } = await pool.query<DatabaseFacts>(
      `select current_setting('server_version') as version,
         (select max(name) from schema_migrations where name like '0%') as schema`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('a statement without a table answered no row');
    return row;
  } catch (error) {
    throw translated(error);
  }
}
