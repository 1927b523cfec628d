// The service with the built pages, a seeded tenant and one Chromium, for the tests of the pages.
import { chromium, type Browser } from 'playwright-core';
import { findPeer } from '../../support/peers/peer-program.ts';
import { openService, type TestService, type TestServiceOptions, type TestUser } from '../../support/service.ts';
import { openView, type BrowserSession, type PageView, type ViewOptions } from './page-view.ts';
import { seedTenant, type SeedOptions, type TenantSeed } from './seed.ts';

/** Undefined where there is none and none can be had: the tests of pages are left out. */
export const chromiumProgram = findPeer({
  name: 'Chromium',
  variable: 'CHROMIUM_BIN',
  programs: ['chromium', 'chromium-browser'],
  aptPackage: 'chromium',
});

export interface OpenPageOptions extends ViewOptions {
  /** Who is signed in; null: nobody. Default: operator. */
  readonly role?: TestUser | null;
}

export interface Monitor extends AsyncDisposable {
  readonly service: TestService;
  readonly browser: Browser;
  /** What tenant `default` has. */
  readonly seed: TenantSeed;
  /** Opens a page in a browser context of its own, which is signed in without the form. */
  openPage(options?: OpenPageOptions): Promise<PageView>;
}

export interface MonitorOptions extends SeedOptions {
  readonly service?: TestServiceOptions;
}

/** @throws Error without Chromium: tests are left out where `chromiumProgram` is undefined */
export async function openMonitor(options: MonitorOptions = {}): Promise<Monitor> {
  if (chromiumProgram === undefined) throw new Error('There is no Chromium.');
  const { config, ...rest } = options.service ?? {};
  // The played workers send no heartbeats: what they hold stays theirs as long as the tests run.
  const service = await openService({ ...rest, config: { leaseSeconds: 3_600, ...config } });
  const launched = chromium.launch({ executablePath: chromiumProgram, chromiumSandbox: false });
  const [browser, seed] = await Promise.all([launched, seedTenant(service, options)]);
  const sessions = new Map<TestUser, Promise<BrowserSession>>();
  const sessionOf = (role: TestUser): Promise<BrowserSession> => {
    const session = sessions.get(role) ?? makeSession(service, service.token(role));
    sessions.set(role, session);
    return session;
  };
  return {
    service,
    browser,
    seed,
    async openPage({ role = 'operator', ...view } = {}) {
      return openView(browser, service.url, role === null ? undefined : await sessionOf(role), view);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Exchanges a token for a session, as the sign-in page does. */
export async function makeSession(service: Pick<TestService, 'url'>, token: string): Promise<BrowserSession> {
  const response = await fetch(`${service.url}/v1/auth/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  const { session_id, access_token, expires_at }: Record<string, string> = await response.json();
  const [name = '', value = ''] = (response.headers.get('set-cookie')?.split(';', 1)[0] ?? '').split('=');
  if (session_id === undefined || access_token === undefined || expires_at === undefined)
    throw new Error(`No session was made: ${String(response.status)}`);
  return { session_id, access_token, expires_at, cookie: { name, value } };
}
