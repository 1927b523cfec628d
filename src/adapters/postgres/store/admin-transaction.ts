// A cross-tenant transaction under a2a_admin, in one round trip.
import type pg from 'pg';
import { translated } from '../connection/pg-errors.ts';

export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs statements in a transaction of their own; the role ends with it.
 * @returns the rows of each
 * @throws the error of the first failed statement; the transaction is rolled back
 */
export async function adminTransaction<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  statements: readonly Statement[],
): Promise<R[][]> {
  try {
    const client = await pool.connect();
    const sent = [
      client.query('begin'),
      client.query('set local role a2a_admin'),
      ...statements.map(({ name, text, values }) =>
        client.query<R>(name === undefined ? { text, values: [...values] } : { name, text, values: [...values] }),
      ),
      // After a failed statement this rolls back.
      client.query('commit'),
    ];
    const answers = await Promise.allSettled(sent);
    const broken = answers.find((answer) => answer.status === 'rejected');
    client.release(broken === undefined ? undefined : true);
    if (broken !== undefined) throw broken.reason;
    return answers.slice(2, -1).map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : []));
  } catch (error) {
    throw translated(error);
  }
}
