// A promise about the rows of the database, and the query that finds what breaks it.

export interface Invariant {
  readonly statement: string;
  /** Selects what breaks it: `subject` names the row, `found` says what was there. */
  readonly violations: string;
}
