// A list that is read page by page: its rows and the way to more of them, or waiting, or its error.
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';
import { Waiting } from './waiting.tsx';

export function PagedAnswer<Row>({
  query,
  children,
}: {
  readonly query: UseInfiniteQueryResult<readonly Row[]>;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  if (query.data === undefined) return <Waiting query={query} />;
  return (
    <>
      {children(query.data)}
      {query.hasNextPage ? (
        <div className="px-(--page) py-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.loadMore}
          </Button>
        </div>
      ) : null}
    </>
  );
}
