// What a page shows of one call: waiting, its error, or its data.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

/** Data that is there stays while it is asked for again, also when that fails. */
export function Answer<T>({
  query,
  children,
  rows,
}: {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
  readonly rows?: number;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading rows={rows} onCancel={() => void queryClient.cancelQueries()} />;
}
