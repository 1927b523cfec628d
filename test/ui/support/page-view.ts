// A page of the monitor in Chromium, signed in, with everything noted that it may not do.
import { expect } from 'vitest';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { until } from '../../support/until.ts';

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
  /** Opens a path in the same tab. */
  goto(path: string): Promise<void>;
  /** Another tab of the same browser, which has no session of its own. */
  openTab(path: string): Promise<PageView>;
}

/** @param url of the service @param session undefined: nobody is signed in */
export async function openView(
  browser: Browser,
  url: string,
  session: BrowserSession | undefined,
  options: ViewOptions = {},
): Promise<PageView> {
  const { width = 1280, theme = 'light', words = 'en', direction = 'ltr' } = options;
  const isPhone = width <= 500;
  const context = await browser.newContext({
    viewport: { width, height: options.height ?? (isPhone ? 844 : 800) },
    colorScheme: theme,
    hasTouch: isPhone,
    isMobile: isPhone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const display = words === 'en' && direction === 'ltr' ? undefined : JSON.stringify({ words, direction });
  if (session !== undefined) {
    const { cookie, ...kept } = session;
    await context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Strict' }]);
    return viewOf(context, url, { ...options, kept: JSON.stringify(kept), display });
  }
  return viewOf(context, url, { ...options, kept: undefined, display });
}

interface TabOptions extends ViewOptions {
  readonly kept: string | undefined;
  readonly display: string | undefined;
}

async function viewOf(context: BrowserContext, url: string, options: TabOptions): Promise<PageView> {
  const page = await context.newPage();
  const faults: string[] = [];
  const secret = options.kept === undefined ? undefined : parsedToken(options.kept);
  noteFaults(page, { faults, url, secret, expected: options.expected ?? [] });
  const awaited = countAwaited(page);
  await page.addInitScript(beginTab, { kept: options.kept, display: options.display });
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${url}${path}`);
  };
  if (options.path !== undefined) await goto(options.path);
  return {
    page,
    context,
    faults: () => [...faults],
    awaited,
    goto,
    openTab: (path) => viewOf(context, url, { ...options, kept: undefined, path }),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/**
 * Runs in the page before its own scripts. The name of the tab says that its session was given once: a later load, such as
 * the one after signing out, gets none.
 */
function beginTab({ kept, display }: { kept: string | undefined; display: string | undefined }): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    // oxlint-disable-next-line no-console -- the test reads what the page complains of there
    console.error(`The policy forbids ${violatedDirective}: ${blockedURI} of ${sourceFile}`);
  });
  if (window.name !== '') return;
  window.name = 'begun';
  if (kept !== undefined) sessionStorage.setItem('switchyard_session', kept);
  if (display !== undefined) localStorage.setItem('switchyard_display', display);
}

interface FaultContext {
  readonly faults: string[];
  readonly url: string;
  readonly secret: string | undefined;
  readonly expected: readonly RegExp[];
}

function noteFaults(page: Page, { faults, url, secret, expected }: FaultContext): void {
  const note = (fault: string): void => {
    if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault);
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
    if (!address.startsWith(`${url}/`) && !address.startsWith('blob:')) note(`asked another host: ${address}`);
    if (secret !== undefined && address.includes(secret)) note('a token stands in an address');
  });
}

function parsedToken(kept: string): string | undefined {
  const session: unknown = JSON.parse(kept);
  return typeof session === 'object' && session !== null && 'access_token' in session
    ? String(session.access_token)
    : undefined;
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

/** Resolves when the page has its heading, and every call that it made then is answered and drawn. */
export async function settled(view: Pick<PageView, 'page' | 'awaited'>): Promise<void> {
  await view.page.locator('h1').first().waitFor();
  let quiet = 0;
  await until('a page that waits for nothing', async () => {
    const isBusy = await view.page.evaluate(nextFrame);
    quiet = view.awaited() === 0 && !isBusy ? quiet + 1 : 0;
    return quiet === 3;
  });
}

/** Waits until the next frame is drawn. @returns whether the page shows that it loads something */
async function nextFrame(): Promise<boolean> {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
  return document.querySelector('[aria-busy=true]') !== null;
}
