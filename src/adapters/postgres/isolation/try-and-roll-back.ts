// Runs a statement and rolls it back: returns the outcome and leaves no change.
import pg from 'pg';

/** The outcome of a try: the number of rows, or the code of the error. */
export interface TrialOutcome {
  /** Rows that were read or changed; 0 after an error. */
  readonly rows: number;
  /** SQLSTATE; undefined: the statement succeeded. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly message: string;
}

/**
 * Runs a statement within the open transaction and rolls it back, whatever it did.
 * @throws errors that are no rejection by the database
 */
export async function tryAndRollBack(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<TrialOutcome> {
  const tried = await Promise.allSettled([
    client.query('savepoint tried'),
    client.query(text, [...values]),
    // One message. The savepoint is released too, because a thousand open savepoints are slow.
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
