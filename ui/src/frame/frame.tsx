// The frame around every page: side bar, top bar, tab bar of phones, palette, messages, sign-in.
import { Outlet, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useActions, type Action } from '../keys/actions.ts';
import { useKeyListener } from '../keys/key-listener.ts';
import { setDisplay, getDisplay } from '../display/display.ts';
import { useAnnouncedQuestions } from '../live/announce-questions.ts';
import { useLive } from '../live/use-live.ts';
import { copyText } from '../parts/controls/copy.ts';
import { loadDialogPopup } from '../parts/controls/dialog.tsx';
import { useOpenedTaskDialog } from '../parts/task/opened-task-dialog.ts';
import { NoticeArea, notify } from '../parts/states/notices.tsx';
import { useSession } from '../session/session.ts';
import { useActingTenant } from '../session/tenant.ts';
import { useIsMeSettled, useMe } from '../session/use-me.ts';
import { commonWords } from '../words/en-common.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { DroppedNotice } from './dropped-notice.tsx';
import { places } from './places.ts';
import { SideBar } from './side-bar.tsx';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { ConnectionBanner } from './connection-banner.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const SignInPanel = lazy(loadSignInPanel);
const SessionBanner = lazy(async () => ({ default: (await import('./session-banner.tsx')).SessionBanner }));
const VersionBanner = lazy(async () => ({ default: (await import('./version-banner.tsx')).VersionBanner }));
const KeySheet = lazy(async () => ({ default: (await import('./key-sheet.tsx')).KeySheet }));
const TaskDialogs = lazy(async () => ({ default: (await import('../parts/task/task-dialogs.tsx')).TaskDialogs }));

/** With all that it is drawn with: files are refused once the session has ended. */
async function loadSignInPanel(): Promise<{ default: typeof import('../session/sign-in-panel.tsx').SignInPanel }> {
  const [{ SignInPanel: panel }] = await Promise.all([import('../session/sign-in-panel.tsx'), loadDialogPopup()]);
  return { default: panel };
}

export function Frame(): ReactNode {
  const session = useSession();
  const isMeSettled = useIsMeSettled();
  const me = useMe();
  const { tenant: asked } = useSearch({ from: '__root__' });
  const tenant = useActingTenant();
  const router = useRouter();
  const isSignedIn = session.kind === 'signed-in';
  const taskDialog = useOpenedTaskDialog();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  useEffect(() => {
    // A failure is told when the panel is needed.
    if (isSignedIn) void loadSignInPanel().catch(() => undefined);
  }, [isSignedIn]);
  useEffect(() => {
    // Nobody knew before the sign-in whether the tenant of the address may be chosen.
    if (isSignedIn && asked !== tenant) void router.invalidate();
  }, [isSignedIn, asked, tenant, me, router]);
  useKeyListener();
  useLive();
  useAnnouncedQuestions();
  useFrameActions(
    () => setPaletteOpen(true),
    () => setSheetOpen(true),
  );
  if (session.kind === 'unknown') return null;
  if (session.kind === 'none') return <SignIn isOver={false} />;
  return (
    <div
      className={`min-h-dvh md:grid md:grid-cols-[56px_minmax(0,1fr)] lg:grid-cols-[208px_minmax(0,1fr)] ${tenant === undefined ? '' : 'border-t-4 border-ask'}`}
    >
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-70 focus:rounded-sm focus:bg-paper focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      <SideBar />
      <div className="flex min-w-0 flex-col pb-16 md:pb-0">
        <TopBar onPalette={() => setPaletteOpen(true)} />
        <ConnectionBanner />
        <Suspense>
          <SessionBanner />
          <VersionBanner />
        </Suspense>
        {/* The tenant is part of the key: what was read for one is not shown for another. */}
        <main id="content" tabIndex={-1} key={tenant ?? ''} className="min-w-0 flex-1 outline-none">
          {isMeSettled && asked === tenant ? <Outlet /> : null}
        </main>
      </div>
      <TabBar />
      {isPaletteOpen ? (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
      <Suspense>
        {isSheetOpen ? <KeySheet onClose={() => setSheetOpen(false)} /> : null}
        {taskDialog === undefined ? null : <TaskDialogs dialog={taskDialog} />}
      </Suspense>
      <DroppedNotice />
      <NoticeArea />
      {session.kind === 'expired' ? <SignIn isOver /> : null}
    </div>
  );
}

function SignIn({ isOver }: { readonly isOver: boolean }): ReactNode {
  return (
    <Suspense>
      <SignInPanel isOver={isOver} />
    </Suspense>
  );
}

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;

function useFrameActions(openPalette: () => void, openSheet: () => void): void {
  const navigate = useNavigate();
  const me = useMe();
  const [open] = useState(() => ({ openPalette, openSheet }));
  const actions = useMemo((): readonly Action[] => {
    const visible = places.filter(
      ({ permission }) => permission === undefined || me?.permissions.includes(permission) === true,
    );
    return [
      ...visible.map((place): Action => ({
        id: `go-${place.id}`,
        label: words.goTo(words.places[place.id]),
        keys: `g ${place.key}`,
        group: 'go',
        run: () => void navigate({ to: place.path }),
      })),
      { id: 'palette', label: words.palette, keys: 'mod+k', group: 'everywhere', run: open.openPalette },
      { id: 'keys', label: words.showKeys, keys: '?', group: 'everywhere', run: open.openSheet },
      { id: 'actions', label: words.actions, keys: '.', group: 'everywhere', run: open.openPalette },
      {
        id: 'new-task',
        label: words.newTask,
        keys: 'n',
        group: 'everywhere',
        run: () => void navigate({ to: '/v1/monitor/tasks/new' }),
      },
      {
        id: 'copy-link',
        label: words.copyLink,
        keys: 'y',
        group: 'everywhere',
        run: () =>
          void copyText(location.href).then((done) => notify(done ? commonWords.copied : commonWords.copyFailed)),
      },
      {
        id: 'theme',
        label: words.nextTheme,
        keys: 'T',
        group: 'everywhere',
        run: () => setDisplay({ theme: nextTheme[getDisplay().theme] }),
      },
    ];
  }, [navigate, me, open]);
  useActions(actions);
}
