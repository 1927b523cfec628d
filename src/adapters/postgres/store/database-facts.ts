// The version of the database server, and of the schema in it.
import type pg from 'pg';
import { translated } from '../connection/pg-errors.ts';

export interface DatabaseVersions {
  /** As the server writes it: `18.1`. */
  readonly version: string;
  /** Name of the newest migration. */
  readonly schema: string;
}

/** @throws DomainError unavailable */
export async function readDatabaseVersions(pool: pg.Pool): Promise<DatabaseVersions> {
  try {
    const { rows } = await pool.query<DatabaseVersions>(
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
