// The page of an address that leads nowhere, and the page of one that failed.
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Failure } from '../parts/states/failure.tsx';
import { commonWords as words } from '../words/en-common.ts';
import { frameWords } from '../words/en-frame.ts';
import { Page } from './page.tsx';

/** A missing thing and a foreign one get the same words. @param id what was asked for; default: the address */
export function NotFound({ id }: { readonly id?: string }): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Page title={words.notFound}>
      <div className="p-(--page)">
        <p className="mb-3">{words.notFoundText(id ?? pathname)}</p>
        <Link to="/v1/monitor/tasks" search={{ q: id }} className="text-accent underline">
          {words.toTheList}
        </Link>
      </div>
    </Page>
  );
}

/** A page that threw while it rendered. */
export function PageFailure({ error, reset }: { readonly error: unknown; readonly reset: () => void }): ReactNode {
  return (
    <Page title={frameWords.pageFailed}>
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}
