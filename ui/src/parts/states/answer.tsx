// The answer of one call: its data, or waiting, or its error.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Waiting } from './waiting.tsx';

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
  return query.data === undefined ? <Waiting query={query} rows={rows} /> : children(query.data);
}
