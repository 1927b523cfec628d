// The side bar: the pages that the caller may read. On narrow windows icons alone, with their names on focus and hover.
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useAttentionCount, type AttentionCount } from '../live/attention-count.ts';
import { useMe } from '../session/use-me.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { isAt, places, type Place } from './places.ts';

const TenantMenu = lazy(async () => ({ default: (await import('./tenant-menu.tsx')).TenantMenu }));

/** The places that this caller sees. */
export function usePlaces(): readonly Place[] {
  const me = useMe();
  return places.filter(
    ({ permission, inSideBar }) =>
      inSideBar !== false && (permission === undefined || me?.permissions.includes(permission) === true),
  );
}

export function SideBar(): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const open = useAttentionCount();
  return (
    <div className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-e border-line bg-sunk md:flex">
      <div className="flex h-12 shrink-0 items-center gap-2 px-4 font-bold lg:px-4">
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
        <span className="hidden lg:inline">{words.product}</span>
      </div>
      {/* Its place is kept: the links below do not move when it comes. */}
      <div className="lg:min-h-5">
        <Suspense>
          <TenantMenu className="hidden lg:block" />
        </Suspense>
      </div>
      <nav aria-label={words.navigation} className="flex flex-col gap-px p-2">
        {usePlaces().map((place) => (
          <PlaceLink key={place.id} place={place} isCurrent={isAt(place, pathname)} open={open} />
        ))}
      </nav>
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
      title={name}
      className="group relative flex min-h-(--row) items-center gap-2.5 rounded-sm px-2.5 text-soft hover:bg-paper hover:text-ink aria-[current=page]:bg-paper aria-[current=page]:font-semibold aria-[current=page]:text-ink"
    >
      <place.icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <span className="sr-only lg:not-sr-only">{name}</span>
      {badge === undefined ? null : (
        <span className="ms-auto rounded-sm bg-ask-ground px-1.5 text-xs font-semibold text-ask">
          <span aria-hidden>{badge.text}</span>
          <span className="sr-only">{words.openQuestions(badge.count)}</span>
        </span>
      )}
    </Link>
  );
}
