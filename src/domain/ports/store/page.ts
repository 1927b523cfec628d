// The page of a list.

/** The last id of the page before; lists run from newest to oldest unless they say otherwise. */
export interface Page {
  readonly limit: number;
  readonly before: string | undefined;
}
