// The service with the built pages, a seeded tenant and one Chromium, for the tests of the pages.
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { launchChromium } from '../../support/peers/chromium.ts';
import { openService, type TestService, type TestServiceOptions, type TestUser } from '../../support/service.ts';
import { openView, type BrowserSession, type PageView, type ViewOptions } from './page-view.ts';
import { seedTenant, type SeedOptions, type TenantSeed } from './seed.ts';
import { TabPool } from './tab-pool.ts';

export interface OpenPageOptions extends ViewOptions {
  /** Who is signed in; null: nobody. Default: operator. */
  readonly role?: TestUser | null;
  /** A session and a browser context of its own: for a test that ends its session, adds scripts or permissions, or sets the clock. */
  readonly isOwn?: boolean;
}

export interface Monitor extends AsyncDisposable {
  readonly service: TestService;
  readonly browser: Browser;
  /** What tenant `default` has. */
  readonly seed: TenantSeed;
  /** Opens a page in a tab that is as new, and signed in without the form. */
  openPage(options?: OpenPageOptions): Promise<PageView>;
}

export interface MonitorOptions extends SeedOptions {
  readonly service?: TestServiceOptions;
}

/** @throws Error without Chromium: tests are left out where `chromiumProgram` is undefined */
export async function openMonitor(options: MonitorOptions = {}): Promise<Monitor> {
  const { config, ...rest } = options.service ?? {};
  // The played workers send no heartbeats: what they hold stays theirs as long as the tests run.
  const service = await openService({ ...rest, config: { leaseSeconds: 3_600, ...config } });
  const launched = launchChromium();
  const [browser, seed] = await Promise.all([launched, seedTenant(service, options)]);
  const tabs = new TabPool(browser, service.url);
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
    async openPage({ role = 'operator', isOwn = false, ...view } = {}) {
      if (role === null) return openView(browser, service.url, undefined, view);
      if (isOwn) return openView(browser, service.url, await makeSession(service, service.token(role)), view);
      return tabs.open(await sessionOf(role), view);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

const answered = z.object({ session_id: z.string(), access_token: z.string(), expires_at: z.string() });

/** Exchanges a token for a session, as the sign-in page does. */
export async function makeSession(service: Pick<TestService, 'url'>, token: string): Promise<BrowserSession> {
  const response = await fetch(`${service.url}/v1/auth/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  const { session_id, access_token, expires_at } = answered.parse(await response.json());
  const [name = '', value = ''] = (response.headers.get('set-cookie')?.split(';', 1)[0] ?? '').split('=');
  return { session_id, access_token, expires_at, cookie: { name, value } };
}
