// The expected outcome of the tasks of a chaos test, asked of the database itself.
import { checkInvariants } from '../../support/database/invariants.ts';
import type { Database } from '../../support/database/invariant.ts';

/** How many have ended. While the database recovers it answers nobody: then 0. */
export async function finished(db: Database): Promise<number> {
  const text = 'select count(*) as n from tasks where completed_at is not null';
  const [row] = await db.query<{ n: string }>(text).catch(() => []);
  return Number(row?.n ?? 0);
}

/**
 * None lost, none finished twice, each with its own result.
 * @param acknowledged ids that callers were given
 * @returns one line for each that is not so
 */
export async function faultsOf(db: Database, acknowledged: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string; status: string; title: string; result: string }>(
    'select id, status, title, result from tasks',
  );
  const known = new Set(rows.map(({ id }) => id));
  const expectedIds = new Set(acknowledged);
  return [
    ...(await checkInvariants(db)),
    ...acknowledged.filter((id) => !known.has(id)).map((id) => `${id} was acknowledged and is lost`),
    ...rows.filter(({ id }) => !expectedIds.has(id)).map(({ id, title }) => `${id} (${title}) was made twice`),
    ...rows
      .filter(({ status, title, result }) => status !== 'completed' || result !== title)
      .map(({ id, status, title, result }) => `${id} (${title}) is ${status} with ${result}`),
  ];
}
