// The tab bar of phones: Overview, Questions, Tasks, and More for the other pages.
import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { MoreHorizontal } from 'lucide-react';
import { useAttentionCount } from '../live/attention-count.ts';
import { Dialog } from '../parts/controls/dialog.tsx';
import { frameWords as words } from '../words/en-frame.ts';
import { isAt, usePlaces, type Place } from './places.ts';

const TenantMenu = lazy(async () => ({ default: (await import('./tenant-menu.tsx')).TenantMenu }));

const inBar: readonly Place['id'][] = ['overview', 'questions', 'tasks'];

const cell =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-soft -outline-offset-2 aria-[current=page]:font-semibold aria-[current=page]:text-accent';

export function TabBar(): ReactNode {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const all = usePlaces();
  const open = useAttentionCount();
  const [isOpen, setOpen] = useState(false);
  return (
    <nav aria-label={words.navigation} className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-paper">
      {all
        .filter(({ id }) => inBar.includes(id))
        .map((place) => (
          <Link
            key={place.id}
            to={place.path}
            className={cell}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={isAt(place, pathname) ? 'page' : undefined}
          >
            <place.icon size={20} strokeWidth={1.75} aria-hidden />
            <span>
              {words.places[place.id]}
              {place.id === 'questions' && open.count > 0 ? (
                <span className="ms-1 font-semibold text-ask">{open.text}</span>
              ) : null}
            </span>
          </Link>
        ))}
      <button type="button" className={cell} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MoreHorizontal size={20} strokeWidth={1.75} aria-hidden />
        {words.more}
      </button>
      <Dialog title={words.more} open={isOpen} onClose={() => setOpen(false)}>
        <Suspense>
          <TenantMenu className="pb-2" />
        </Suspense>
        <ul>
          {all
            .filter(({ id }) => !inBar.includes(id))
            .map((place) => (
              <li key={place.id}>
                <Link to={place.path} onClick={() => setOpen(false)} className="flex min-h-11 items-center gap-3">
                  <place.icon size={20} strokeWidth={1.75} aria-hidden />
                  {words.places[place.id]}
                </Link>
              </li>
            ))}
        </ul>
      </Dialog>
    </nav>
  );
}
