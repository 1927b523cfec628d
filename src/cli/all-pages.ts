// Reads a list of the service to its end, page by page.

interface PageOf {
  readonly next_cursor: string | null;
}

/**
 * @param read answers the page of a query string
 * @param filter further parameters of every page
 */
export async function allPages<P extends PageOf, T>(
  read: (query: string) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
  filter: Readonly<Record<string, string>> = {},
): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '200', ...filter, ...(cursor === null ? {} : { cursor }) });
    const page: P = await read(query.toString());
    found.push(...itemsOf(page));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}
