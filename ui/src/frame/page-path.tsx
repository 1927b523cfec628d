// The path of the page: the place that it belongs to, then its title.
import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { cleanTitle } from '../text/clean.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { usePageTitle } from './page-title.ts';
import { isAt, isRootOf, places } from './places.ts';

export function PagePath({ className }: { readonly className: string }): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const title = usePageTitle();
  const place = places.find((one) => isAt(one, pathname));
  if (place === undefined) return <span className={className} />;
  return (
    <nav aria-label={words.path} className={`flex min-w-0 items-center gap-1.5 text-sm text-soft ${className}`}>
      {isRootOf(place, pathname) ? (
        <span aria-current="page">{words.places[place.id]}</span>
      ) : (
        <>
          <Link to={place.path} className="inline-flex min-h-6 items-center rounded-sm hover:text-ink hover:underline">
            {words.places[place.id]}
          </Link>
          <ChevronRight size={14} strokeWidth={1.75} aria-hidden className="shrink-0 rtl:rotate-180" />
          <bdi dir="auto" aria-current="page" className="min-w-0 truncate text-ink">
            {cleanTitle(title)}
          </bdi>
        </>
      )}
    </nav>
  );
}
