// The top bar: the path of the page, the state of the connection, palette, theme, and the menu of the person.
import { Link, useNavigate } from '@tanstack/react-router';
import { Search, SunMoon } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { setDisplay, useDisplay } from '../display/display.ts';
import { useConnection } from '../live/connection.ts';
import { Button } from '../parts/controls/button.tsx';
import { Menu } from '../parts/controls/menu.tsx';
import { timeOfDay } from '../parts/marks/duration.ts';
import { notifyError } from '../parts/states/notices.tsx';
import { useMedia } from '../parts/use-media.ts';
import { PagePath } from './page-path.tsx';
import { signOut } from '../session/sign-in.ts';
import { useMe } from '../session/use-me.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { sessionWords } from '../words/en-session.ts';

const TenantMenu = lazy(async () => ({ default: (await import('./tenant-menu.tsx')).TenantMenu }));

interface TopBarProps {
  readonly onPalette: () => void;
  readonly onNotices: () => void;
}

export function TopBar({ onPalette, onNotices }: TopBarProps): ReactNode {
  const navigate = useNavigate();
  const me = useMe();
  const hasIconBar = useMedia('(min-width: 701px) and (max-width: 1100px)');
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-ground px-(--page)">
      <Link to="/v1/monitor" className="inline-flex min-h-6 items-center pe-2 font-bold md:hidden">
        {words.product}
      </Link>
      {/* The side bar has no room for it there. */}
      {hasIconBar ? (
        <Suspense>
          <TenantMenu className="max-w-40" />
        </Suspense>
      ) : null}
      <PagePath className="hidden md:flex" />
      <div className="me-auto md:ms-auto md:me-2">
        <Connection />
      </div>
      <Button kind="quiet" label={words.palette} keys="Control+K Meta+K" onClick={onPalette}>
        <Search size={16} strokeWidth={1.75} aria-hidden />
        <span className="hidden md:inline">{words.palette}</span>
      </Button>
      <ThemeMenu />
      <Menu
        kind="quiet"
        label={me?.name ?? words.person}
        entries={[
          {
            id: 'display',
            label: words.display,
            onSelect: () => void navigate({ to: '/v1/monitor/settings/$part', params: { part: 'display' } }),
          },
          {
            id: 'phone',
            label: words.openOnPhone,
            onSelect: () => void navigate({ to: '/v1/monitor/settings/$part', params: { part: 'sessions' } }),
          },
          { id: 'notices', label: words.notices, onSelect: onNotices },
          { id: 'sign-out', label: sessionWords.signOut, onSelect: () => void signOut().catch(notifyError) },
        ]}
      >
        <bdi className="max-w-24 truncate md:max-w-48">{me?.name ?? words.person}</bdi>
      </Menu>
    </header>
  );
}

function ThemeMenu(): ReactNode {
  const { theme } = useDisplay();
  return (
    <Menu
      kind="quiet"
      label={words.theme}
      entries={(['system', 'light', 'dark'] as const).map((choice) => ({
        id: choice,
        label: words.themes[choice],
        keys: choice === theme ? '✓' : '',
        onSelect: () => setDisplay({ theme: choice }),
      }))}
    >
      <SunMoon size={16} strokeWidth={1.75} aria-hidden />
    </Menu>
  );
}

/** The dot with its words; it leads to the health of the service. */
function Connection(): ReactNode {
  const connection = useConnection();
  const text =
    connection.kind === 'stale'
      ? words.connection.stale(timeOfDay(connection.since))
      : words.connection[connection.kind];
  const colour = { live: 'bg-ok', reconnecting: 'bg-ask', stale: 'bg-bad' }[connection.kind];
  return (
    <Link
      to="/v1/monitor/health"
      className="inline-flex min-h-6 items-center gap-2 rounded-sm text-sm whitespace-nowrap text-soft hover:text-ink pointer-coarse:min-h-11"
    >
      <span className={`size-2 shrink-0 rounded-full ${colour}`} aria-hidden />
      {text}
    </Link>
  );
}
