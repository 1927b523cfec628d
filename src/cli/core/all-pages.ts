// Reads all pages of a list.

interface CursorPage {
  readonly next_cursor: string | null;
}

/** @param read fetches one page */
export async function allPages<P extends CursorPage, T>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: P = await read({ limit: 200, cursor: cursor ?? undefined });
    found.push(...itemsOf(page));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}
