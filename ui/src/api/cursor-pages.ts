// Lists that are read page by page, by the cursor of each answer.
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** The rows of all pages that were read. @param enabled false: nothing is asked */
export function useCursorPages<Row>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined) => Promise<CursorPage<Row>>,
  enabled = true,
): UseInfiniteQueryResult<readonly Row[]> {
  return useInfiniteQuery<CursorPage<Row>, Error, readonly Row[], readonly unknown[], string | undefined>({
    queryKey,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    enabled,
  });
}
