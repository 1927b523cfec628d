// The pages in a real browser: from the address bar, through the sign-in page, to the page that was asked for.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  service = await openService();
  browser = await launchChromium();
});
afterAll(async () => {
  if (chromiumProgram === undefined) return;
  await browser.close();
  await service[Symbol.asyncDispose]();
});

interface PageLoad {
  readonly page: Page;
  /** Violations of the page's own rules, and scripts that failed. */
  readonly complaints: string[];
  /** Hosts that the browser asked for anything. */
  readonly hosts: Set<string>;
  /** Every address that it asked for. */
  readonly addresses: string[];
}

/** A browser of one's own, which keeps nothing of the others. */
async function loadPage(): Promise<PageLoad> {
  const page = await (await browser.newContext()).newPage();
  const seen: PageLoad = { page, complaints: [], hosts: new Set(), addresses: [] };
  page.on('console', (message) => {
    // The refused page itself is reported as an error too; the tests check it.
    if (message.type() === 'error' && !/401|403/.test(message.text())) seen.complaints.push(message.text());
  });
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  page.on('request', (request) => {
    seen.hosts.add(new URL(request.url()).host);
    seen.addresses.push(request.url());
  });
  return seen;
}

async function signIn({ page }: PageLoad, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(chromiumProgram === undefined)('a browser', () => {
  it('gets the sign-in page, and after signing in the requested page [ui-6.14.10, choices-4.45, choices-4.46]', async () => {
    const seen = await loadPage();
    const refused = await seen.page.goto(`${service.url}/docs`);
    expect(refused?.status()).toBe(401);
    await seen.page.getByRole('heading', { name: 'Sign in to Switchyard' }).waitFor();

    await signIn(seen, service.token('viewer'));
    await seen.page.getByRole('heading', { name: /^Switchyard \d/ }).waitFor();
    await seen.page.getByText('POST /v1/agent/tasks/:id/cancel', { exact: true }).click();
    await seen.page.getByText('Needs tasks:write').filter({ visible: true }).waitFor();

    expect(seen.complaints).toEqual([]);
    expect([...seen.hosts]).toEqual([new URL(service.url).host]);
    expect(seen.addresses.filter((address) => address.includes(service.token('viewer')))).toEqual([]);
    const kept = await seen.page.evaluate('({ cookie: document.cookie, local: localStorage.length })');
    expect(kept).toEqual({ cookie: '', local: 0 });
  });

  it('of the width of a phone shows the reference without horizontal scrolling', async () => {
    const seen = await loadPage();
    await seen.page.setViewportSize({ width: 390, height: 800 });
    await seen.page.goto(`${service.url}/docs`);
    await signIn(seen, service.token('viewer'));
    await seen.page.getByRole('heading', { name: /^Switchyard \d/ }).waitFor();
    expect(await seen.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('shows a wrong token’s error on the sign-in page', async () => {
    const seen = await loadPage();
    await seen.page.goto(`${service.url}/docs`);
    await signIn(seen, 'not-a-token');
    await seen.page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await seen.page.getByRole('heading', { name: 'Sign in to Switchyard' }).waitFor();
    expect(seen.complaints).toEqual([]);
  });

  it('with a session opens pages but no operations: data calls need a bearer token [choices-4.48]', async () => {
    const seen = await loadPage();
    await seen.page.goto(`${service.url}/docs`);
    await signIn(seen, service.token('admin'));
    await seen.page.getByRole('heading', { name: /^Switchyard \d/ }).waitFor();
    const answer = await seen.page.request.get(`${service.url}/v1/agent/tasks`);
    expect(answer.status()).toBe(401);
  });
});
