// A promise about the rows of the database, and the query that finds what breaks it.
import type pg from 'pg';

/** Anything that runs SQL as a login that sees every tenant. */
export interface Database {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

export interface Invariant {
  readonly statement: string;
  /** Selects what breaks it: `subject` names the row, `found` says what was there. */
  readonly violations: string;
}

const maxReported = 5;

/** @returns one line for each row that breaks a promise; empty when all is whole */
export async function findViolations(db: Database, invariants: readonly Invariant[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { statement, violations } of invariants) {
    const rows = await db.query<{ subject: string; found: string }>(`${violations} limit ${maxReported}`);
    lines.push(...rows.map(({ subject, found }) => `${statement}: ${subject} ${found}`));
  }
  return lines;
}
