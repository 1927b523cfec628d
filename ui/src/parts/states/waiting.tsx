// The place of an answer that is not there: it is waited for, it failed, or a person has stopped waiting.
import type { ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

/** The members that every kind of query has. */
export interface UnansweredQuery {
  readonly isError: boolean;
  readonly error: unknown;
  readonly isEnabled: boolean;
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
  readonly refetch: () => Promise<unknown>;
}

/** For a call that has answered nothing yet. @param rows bars in the place of text */
export function Waiting({ query, rows }: { readonly query: UnansweredQuery; readonly rows?: number }): ReactNode {
  const retry = (): void => void query.refetch();
  if (query.isError) return <Failure error={query.error} onRetry={retry} />;
  // A call that was cancelled before its first answer is pending, and nobody makes it.
  if (query.isEnabled && query.fetchStatus === 'idle') return <Stopped onRetry={retry} />;
  return <Loading rows={rows} onCancel={stopWaiting} />;
}

/** A person has stopped waiting. */
export function Stopped({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 p-(--page) text-soft">
      {words.stoppedWaiting}
      <Button onClick={onRetry}>{words.tryAgain}</Button>
    </div>
  );
}

/** Calls that keep an earlier answer on the page go on. */
function stopWaiting(): void {
  void queryClient.cancelQueries({ predicate: ({ state }) => state.data === undefined });
}
