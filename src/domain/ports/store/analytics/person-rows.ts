// The port of people: the events of one user, and of the visitors that the user was identified as.
import type { PersonConversion, PersonTouch } from '../../../model/analytics/touch.ts';

/** Bounds of a look at one person. */
export interface PersonQuestion {
  readonly userId: string;
  /** ISO 8601: nothing before it counts. */
  readonly since: string;
  /** Most of each; the newest are read. */
  readonly touches: number;
  readonly conversions: number;
}

/** In time order. */
export interface PersonJourney {
  readonly touches: readonly PersonTouch[];
  readonly conversions: readonly PersonConversion[];
}

export interface PersonRows {
  /** Whether any event or identification names this user. */
  exists(userId: string): Promise<boolean>;
  /** Visitors that were identified as this user, at most `limit`. */
  visitorsOf(userId: string, limit: number): Promise<string[]>;
  journey(question: PersonQuestion): Promise<PersonJourney>;
  /** Deletes up to `limit` events of a person. @returns how many */
  eraseEvents(userId: string, limit: number): Promise<number>;
  /** Deletes the identifications as a user. @returns how many */
  eraseLinks(userId: string): Promise<number>;
  /**
   * Deletes identifications older than this that no event of their visitor is left of: a page of them, in the order of visitors.
   * @param after the visitor after which the page begins
   * @returns how many, and the last visitor that was looked at; undefined: there are no more
   */
  dropUnusedLinks(
    olderThanDays: number,
    after: string,
    limit: number,
  ): Promise<{ readonly dropped: number; readonly last: string | undefined }>;
}
