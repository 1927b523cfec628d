// A page of the monitor in Chromium, signed in, with everything noted that it may not do.
import { expect } from 'vitest';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

/** A session of the service, as a browser keeps it. */
export interface BrowserSession {
  readonly session_id: string;
  readonly access_token: string;
  readonly expires_at: string;
  readonly cookie: { readonly name: string; readonly value: string };
}

export interface ViewOptions {
  readonly path?: string;
  readonly theme?: 'light' | 'dark';
  /** In pixels; at most 500 is a phone with touch. Default 1280. */
  readonly width?: number;
  readonly height?: number;
  readonly words?: 'en' | 'pseudo';
  readonly direction?: 'ltr' | 'rtl';
  /** Complaints of the console that the test causes itself, such as an answer of 503. */
  readonly expected?: readonly RegExp[];
}

export interface PageView extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the console, violations of the policy, other hosts, secrets in addresses: all that happened. */
  faults(): string[];
  /** How many answers the page waits for, streams aside. */
  awaited(): number;
  /** Loads a path in the same tab, as a reload or a link from elsewhere does. */
  goto(path: string): Promise<void>;
  /** Goes to a path without a load, as a link of the page does: a quarter of the time. */
  visit(path: string): Promise<void>;
  /** Another tab of the same browser, which has no session of its own. */
  openTab(path: string): Promise<PageView>;
}

/** In a browser context of its own. @param url of the service @param session undefined: nobody is signed in */
export async function openView(
  browser: Browser,
  url: string,
  session: BrowserSession | undefined,
  options: ViewOptions = {},
): Promise<PageView> {
  const context = await openContext(browser, options);
  const tab = await openTab(context, url);
  return tab.show({ ...options, session, whenDone: () => context.close() });
}

export function isPhone({ width = 1280 }: Pick<ViewOptions, 'width'>): boolean {
  return width <= 500;
}

export function openContext(browser: Browser, options: ViewOptions): Promise<BrowserContext> {
  return browser.newContext({
    viewport: viewportOf(options),
    colorScheme: options.theme ?? 'light',
    hasTouch: isPhone(options),
    isMobile: isPhone(options),
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

export function viewportOf(options: ViewOptions): { width: number; height: number } {
  return { width: options.width ?? 1280, height: options.height ?? (isPhone(options) ? 844 : 800) };
}

interface ShowOptions extends ViewOptions {
  /** Whether storage is emptied before the first page: another view had this tab. */
  readonly isAnew?: boolean;
  /** Undefined: the tab has to ask its siblings, or nobody is signed in. */
  readonly session: BrowserSession | undefined;
  readonly whenDone: () => Promise<void>;
}

/** A tab that shows one view after the other. */
export interface Tab {
  readonly page: Page;
  show(options: ShowOptions): Promise<PageView>;
}

/** @param url of the service */
export async function openTab(context: BrowserContext, url: string): Promise<Tab> {
  const page = await context.newPage();
  const notes: FaultNotes = { url, secret: undefined, faults: [], expected: [] };
  noteFaults(page, notes);
  const awaited = countAwaited(page);
  await page.addInitScript(reportViolations);
  let turn = 0;
  return {
    page,
    async show({ path, session, words = 'en', direction = 'ltr', expected = [], isAnew = false, whenDone }) {
      turn += 1;
      notes.faults = [];
      notes.expected = expected;
      notes.secret = session?.access_token;
      if (session !== undefined)
        await context.addCookies([{ ...session.cookie, url, httpOnly: true, sameSite: 'Strict' }]);
      const { cookie: _, ...kept } = session ?? { cookie: undefined };
      const display = words === 'en' && direction === 'ltr' ? undefined : JSON.stringify({ words, direction });
      const storage = { kept: session === undefined ? undefined : JSON.stringify(kept), display };
      await page.addInitScript(fillStorage, { turn, isAnew, ...storage });
      const goto = async (address: string): Promise<void> => {
        await page.goto(`${url}${address}`);
      };
      const { faults } = notes;
      const view: PageView = {
        page,
        context,
        faults: () => [...faults],
        awaited,
        goto,
        visit: (address) => page.evaluate((to) => history.pushState({}, '', to), address),
        openTab: async (address) => {
          const tab = await openTab(context, url);
          const closeTab = (): Promise<void> => tab.page.close();
          return tab.show({ path: address, session: undefined, words, direction, expected, whenDone: closeTab });
        },
        [Symbol.asyncDispose]: whenDone,
      };
      if (path !== undefined) await goto(path);
      return view;
    },
  };
}

/** Runs in the page before its own scripts. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    // oxlint-disable-next-line no-console -- the test reads what the page complains of there
    console.error(`The policy forbids ${violatedDirective}: ${blockedURI} of ${sourceFile}`);
  });
}

interface FirstStorage {
  readonly turn: number;
  readonly isAnew: boolean;
  readonly kept: string | undefined;
  readonly display: string | undefined;
}

/**
 * Runs in the page before its own scripts. The name of the tab says for which view its storage was filled: a later load, such
 * as the one after signing out, gets no session.
 */
function fillStorage({ turn, isAnew, kept, display }: FirstStorage): void {
  if (location.protocol === 'about:' || Number(window.name) >= turn) return;
  window.name = String(turn);
  if (isAnew) {
    sessionStorage.clear();
    localStorage.clear();
  }
  if (kept !== undefined) sessionStorage.setItem('switchyard_session', kept);
  if (display !== undefined) localStorage.setItem('switchyard_display', display);
}

interface FaultNotes {
  readonly url: string;
  secret: string | undefined;
  faults: string[];
  expected: readonly RegExp[];
}

function noteFaults(page: Page, notes: FaultNotes): void {
  const note = (fault: string): void => {
    if (!notes.expected.some((pattern) => pattern.test(fault))) notes.faults.push(fault);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => note(String(error)));
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${notes.url}/`) && !address.startsWith('blob:')) note(`asked another host: ${address}`);
    if (notes.secret !== undefined && address.includes(notes.secret)) note('a token stands in an address');
  });
}

/** Fails with everything that the page did and may not do. */
export function expectNoFaults(view: Pick<PageView, 'faults'>): void {
  expect(view.faults()).toEqual([]);
}

/** @returns how many calls have no answer yet; a stream never ends, and is not counted */
function countAwaited(page: Page): () => number {
  const awaited = new Set<Request>();
  page.on('request', (request) => {
    if (request.isNavigationRequest()) awaited.clear();
    if (request.headers()['accept'] !== 'text/event-stream') awaited.add(request);
  });
  page.on('requestfinished', (request) => awaited.delete(request));
  page.on('requestfailed', (request) => awaited.delete(request));
  return () => awaited.size;
}

const mostProbes = 600;

/** Resolves when the page has its heading, and every call that it made then is answered and drawn. */
export async function settled(view: Pick<PageView, 'page' | 'awaited'>): Promise<void> {
  await view.page.locator('h1').first().waitFor();
  let quiet = 0;
  for (let probes = 0; quiet < 2; probes++) {
    if (probes === mostProbes) throw new Error(`The page ${view.page.url()} never stops to load.`);
    const before = view.awaited();
    const isBusy = await view.page.evaluate(drawTwice);
    quiet = before === 0 && view.awaited() === 0 && !isBusy ? quiet + 1 : 0;
  }
}

/** Waits until two frames are drawn. @returns whether the page shows that it loads something */
async function drawTwice(): Promise<boolean> {
  for (let frames = 0; frames < 2; frames++) {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
    });
  }
  return document.querySelector('[aria-busy=true]') !== null;
}
