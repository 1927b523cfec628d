// The frame around every page: side bar, top bar, tab bar of phones, palette, messages, sign-in.
import { Outlet, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useActions, type Action } from '../keys/actions.ts';
import { useKeyListener } from '../keys/key-listener.ts';
import { setDisplay, getDisplay } from '../display/display.ts';
import { copyText } from '../parts/controls/copy.ts';
import { loadDialogPopup } from '../parts/controls/dialog.tsx';
import { useOpenedTaskDialog } from '../parts/task/opened-task-dialog.ts';
import { useMedia } from '../parts/use-media.ts';
import { NoticeArea, notify } from '../parts/states/notices.tsx';
import { useSession } from '../session/session.ts';
import { useActingTenant } from '../session/tenant.ts';
import { useIsMeSettled, useMe } from '../session/use-me.ts';
import { commonWords } from '../words/en-common.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { ConnectionBanner } from './banners/connection-banner.tsx';
import { DroppedNotice } from './banners/dropped-notice.tsx';
import { TenantBanner } from './banners/tenant-banner.tsx';
import { isAt, isRootOf, places } from './places.ts';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';

const TabBar = lazy(async () => ({ default: (await import('./tab-bar.tsx')).TabBar }));
const NoticeList = lazy(async () => ({ default: (await import('./notice-list.tsx')).NoticeList }));
const LiveUpdates = lazy(async () => ({ default: (await import('../live/live-updates.ts')).LiveUpdates }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const SignInPanel = lazy(loadSignInPanel);
const SessionBanner = lazy(async () => ({ default: (await import('./banners/session-banner.tsx')).SessionBanner }));
const VersionBanner = lazy(async () => ({ default: (await import('./banners/version-banner.tsx')).VersionBanner }));
const NewTaskDialog = lazy(async () => ({
  default: (await import('../pages/new-task/new-task-dialog.tsx')).NewTaskDialog,
}));
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
  const [isNoticeListOpen, setNoticeListOpen] = useState(false);
  const isPhone = useMedia('(max-width: 700px)');
  const [isNewTaskOpen, setNewTaskOpen] = useState(false);
  useEffect(() => {
    // A failure is shown when the panel is needed.
    if (isSignedIn) void loadSignInPanel().catch(() => undefined);
  }, [isSignedIn]);
  useEffect(() => {
    // Nobody knew before the sign-in whether the tenant of the address may be chosen.
    if (isSignedIn && asked !== tenant) void router.invalidate();
  }, [isSignedIn, asked, tenant, me, router]);
  useKeyListener();
  useFrameActions({
    openPalette: () => setPaletteOpen(true),
    openSheet: () => setSheetOpen(true),
    openNewTask: () => setNewTaskOpen(true),
  });
  if (session.kind === 'unknown') return null;
  if (session.kind === 'none') return <SignIn isOver={false} />;
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[56px_minmax(0,1fr)] lg:grid-cols-[208px_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-70 focus:rounded-sm focus:bg-paper focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      {isPhone ? null : <SideBar />}
      <div className="flex min-w-0 flex-col pb-16 md:pb-0">
        <TopBar onPalette={() => setPaletteOpen(true)} onNotices={() => setNoticeListOpen(true)} />
        <TenantBanner />
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
      {isPaletteOpen ? (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
      {/* Each waits by itself: what is there stays while another one is loaded. */}
      <Suspense>
        <LiveUpdates />
      </Suspense>
      <Suspense>{isPhone ? <TabBar /> : null}</Suspense>
      <Suspense>
        {isNoticeListOpen ? <NoticeList onClose={() => setNoticeListOpen(false)} /> : null}
        {isNewTaskOpen ? <NewTaskDialog onClose={() => setNewTaskOpen(false)} /> : null}
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

/** The page before; the place of the page where this tab has shown none. */
function goBack(router: ReturnType<typeof useRouter>): void {
  if (router.history.canGoBack()) {
    router.history.back();
    return;
  }
  const { pathname } = router.state.location;
  const place = places.find((one) => isAt(one, pathname) && !isRootOf(one, pathname));
  if (place !== undefined) void router.navigate({ to: place.path });
}

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;

interface FrameDialogs {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
  readonly openNewTask: () => void;
}

function useFrameActions(dialogs: FrameDialogs): void {
  const navigate = useNavigate();
  const router = useRouter();
  const me = useMe();
  // They set states alone, whose setters stay the same.
  const [open] = useState(() => dialogs);
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
        run: () => {
          // The page of the form is the form.
          if (router.state.location.pathname !== '/v1/monitor/tasks/new') open.openNewTask();
        },
      },
      { id: 'back', label: words.back, keys: 'Escape', group: 'everywhere', run: () => goBack(router) },
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
  }, [navigate, router, me, open]);
  useActions(actions);
}
