// The side bar: the pages that the caller may read. On narrow windows icons alone, with their names on focus and hover.
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useAttentionCount, type AttentionCount } from '../live/attention-count.ts';
import { useMedia } from '../parts/use-media.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { nameClass, PlaceGroups } from './place-groups.tsx';
import { isAt, usePlaces, type Place } from './places.ts';

const TenantMenu = lazy(async () => ({ default: (await import('./tenant-menu.tsx')).TenantMenu }));

export function SideBar(): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const open = useAttentionCount();
  const isWide = useMedia('(min-width: 1101px)');
  return (
    <div className="sticky top-0 z-30 h-dvh w-14 lg:w-52">
      {/* The bar of icons opens over the page while it is used. */}
      <div className="group/bar flex h-full w-full flex-col overflow-x-hidden overflow-y-auto border-e border-line bg-sunk max-lg:hover:w-52 max-lg:has-focus-visible:w-52">
        <div className="flex h-12 shrink-0 items-center gap-2 px-4 font-bold">
          <svg viewBox="0 0 32 32" className="size-6 shrink-0 text-accent" aria-hidden>
            <path
              d="M4 22h24M4 22h9l9-12h6"
              fill="none"
              stroke="currentColor"
              strokeWidth="3"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span className={`whitespace-nowrap ${nameClass}`}>{words.product}</span>
        </div>
        {/* Its place is kept: the links below do not move when it comes. */}
        <div className="lg:min-h-5">
          {isWide ? (
            <Suspense>
              <TenantMenu className="" />
            </Suspense>
          ) : null}
        </div>
        <nav aria-label={words.navigation} className="flex flex-col gap-px p-2">
          <PlaceGroups places={usePlaces()}>
            {(place) => <PlaceLink key={place.id} place={place} isCurrent={isAt(place, pathname)} open={open} />}
          </PlaceGroups>
        </nav>
      </div>
    </div>
  );
}

function PlaceLink({
  place,
  isCurrent,
  open,
}: {
  readonly place: Place;
  readonly isCurrent: boolean;
  readonly open: AttentionCount;
}): ReactNode {
  const name = words.places[place.id];
  const badge = place.id === 'questions' && open.count > 0 ? open : undefined;
  return (
    <Link
      to={place.path}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isCurrent ? 'page' : undefined}
      className="group relative flex min-h-(--row) items-center gap-2.5 rounded-sm px-2.5 text-soft hover:bg-paper hover:text-ink aria-[current=page]:bg-paper aria-[current=page]:font-semibold aria-[current=page]:text-ink"
    >
      <place.icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <span className={`truncate ${nameClass}`}>{name}</span>
      {badge === undefined ? null : (
        <span className="ms-auto rounded-sm bg-ask-ground px-1.5 text-xs font-semibold text-ask">
          <span aria-hidden>{badge.text}</span>
          <span className="sr-only">{words.openQuestions(badge.count)}</span>
        </span>
      )}
    </Link>
  );
}
