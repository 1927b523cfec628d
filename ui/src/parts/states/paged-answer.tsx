// What a page shows of a list that is read page by page: waiting, its error, or its rows and the way to more of them.
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

export function PagedAnswer<Row>({
  query,
  children,
}: {
  readonly query: UseInfiniteQueryResult<readonly Row[]>;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  if (query.data === undefined) {
    if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
    return <Loading onCancel={() => void queryClient.cancelQueries()} />;
  }
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
