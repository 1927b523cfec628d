// A statement that is tried and taken back: what came of it, with nothing left behind.
import pg from 'pg';

/** What came of a try: either the number of rows, or the error's code. */
export interface TrialOutcome {
  /** Rows that were read or changed; 0 after an error. */
  readonly rows: number;
  /** SQLSTATE; undefined: the statement went through. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly message: string;
}

/**
 * Runs a statement within the open transaction and rolls it back, whatever it did.
 * @throws what is not the database's own refusal
 */
export async function tryAndRollBack(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<TrialOutcome> {
  const tried = await Promise.allSettled([
    client.query('savepoint tried'),
    client.query(text, [...values]),
    // One message: what is taken back is forgotten too, for a thousand open savepoints are slow.
    client.query('rollback to savepoint tried; release savepoint tried'),
  ]);
  const [before, result, after] = tried;
  if (before.status === 'rejected') throw before.reason;
  if (after.status === 'rejected') throw after.reason;
  if (result.status === 'fulfilled') {
    return { rows: result.value.rowCount ?? 0, code: undefined, constraint: undefined, message: '' };
  }
  const error: unknown = result.reason;
  if (!(error instanceof pg.DatabaseError)) throw error;
  return { rows: 0, code: error.code ?? 'unknown', constraint: error.constraint, message: error.message };
}
