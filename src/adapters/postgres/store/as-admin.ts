// A cross-tenant statement in a transaction of its own under a2a_admin; the role ends with the transaction.
import type pg from 'pg';
import { translated } from '../connection/pg-errors.ts';

/**
 * @param deadlineMs after which the connection is closed; undefined: the server's own statement timeout
 * @throws DomainError unavailable when the database cannot be reached, or does not answer in time
 */
export async function asAdmin<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
  deadlineMs?: number,
): Promise<R[]> {
  try {
    const client = await pool.connect();
    const sent = [client.query('begin'), client.query('set local role a2a_admin')];
    const [answer, ...rest] = await Promise.allSettled([
      client.query<R>({ text, values, ...(deadlineMs === undefined ? {} : { query_timeout: deadlineMs }) }),
      ...sent,
      client.query('commit'),
    ]);
    const broken = rest.find((result) => result.status === 'rejected');
    client.release(broken === undefined ? undefined : true);
    if (answer.status === 'rejected') throw answer.reason;
    if (broken !== undefined) throw broken.reason;
    return answer.value.rows;
  } catch (error) {
    throw translated(error);
  }
}
