// Signing in with a real browser: by a one-time address, by a pasted token, and after a link from another site.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { openService, type TestService } from '../../support/service.ts';
import { makePagesFolder, type PagesFolder } from '../../support/builders/pages-folder.ts';

let pages: PagesFolder;
let service: TestService;
let browser: Browser;
/** Another site: its pages link to those of the service. */
let elsewhere: Server;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  pages = await makePagesFolder();
  service = await openService({ pagesFolder: pages.path });
  browser = await launchChromium();
  elsewhere = createServer((request, response) => {
    const target = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><a href="${target}">open</a>`);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  if (chromiumProgram === undefined) return;
  await browser.close();
  elsewhere.closeAllConnections();
  await new Promise((resolve) => elsewhere.close(resolve));
  await service[Symbol.asyncDispose]();
  await pages[Symbol.asyncDispose]();
});

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Every address that was asked for. */
  readonly addresses: string[];
  /** Violations of the page's policy, and scripts that failed. */
  readonly complaints: string[];
}

async function visit(): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen: Visit = { context, page, addresses: [], complaints: [] };
  page.on('request', (request) => seen.addresses.push(request.url()));
  page.on('pageerror', (error) => seen.complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/401/.test(message.text())) seen.complaints.push(message.text());
  });
  return seen;
}

async function makeCode(): Promise<{ code: string; url: string }> {
  return (await service.call('POST', '/v1/auth/sign-in-codes', { as: 'editor', body: {} })).body;
}

const signInHeading = (page: Page) => page.getByRole('heading', { name: 'Sign in to Switchyard' });

/** The pages' script has run. */
async function pageIsOpen(page: Page): Promise<void> {
  await page.getByText('The pages', { exact: true }).waitFor();
}

/** Follows a link that a page of another site has. `localhost` and `127.0.0.1` are two sites. */
async function followLink(page: Page, to: string): Promise<void> {
  const { port } = elsewhere.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/?to=${encodeURIComponent(to)}`);
  await page.getByText('open').click();
}

describe.skipIf(chromiumProgram === undefined)('a browser', () => {
  it('signs in by a one-time address, from which the code is gone [ui-6.14.8, ui-7.4]', async () => {
    const seen = await visit();
    const { code, url } = await makeCode();
    await seen.page.goto(url);
    await pageIsOpen(seen.page);
    expect(seen.page.url()).toBe(`${service.url}/v1/monitor/`);
    expect(seen.addresses.filter((address) => new URL(address).search.includes(code))).toEqual([]);
    expect(seen.complaints).toEqual([]);
    const kept: unknown = await seen.page.evaluate(`JSON.parse(sessionStorage.getItem('switchyard_session'))`);
    expect(kept).toMatchObject({ access_token: expect.stringMatching(/^cs_/) });
    const text = await seen.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(text).not.toContain(code);
    // The way back does not lead to the code.
    const [entry] = await seen.context.cookies();
    expect(entry).toMatchObject({ name: 'switchyard_session', httpOnly: true, sameSite: 'Strict' });
    expect(entry?.value).toMatch(/^cp_/);
  });

  it('with a used code gets the sign-in page, which says so, and takes a token instead [ui-6.14.3, ui-6.14.10]', async () => {
    const { url } = await makeCode();
    const first = await visit();
    await first.page.goto(url);
    await pageIsOpen(first.page);
    const seen = await visit();
    await seen.page.goto(url);
    await signInHeading(seen.page).waitFor();
    await seen.page.getByRole('alert').filter({ hasText: 'token is not valid' }).waitFor();
    expect(seen.page.url()).toBe(`${service.url}/v1/monitor/`);
    await seen.page.getByLabel('Token').fill('wrong');
    await seen.page.getByRole('button', { name: 'Sign in' }).click();
    await seen.page.getByRole('alert').filter({ hasText: 'This token is not valid. Check' }).waitFor();
    await seen.page.getByLabel('Token').fill(service.token('viewer'));
    await seen.page.getByRole('button', { name: 'Sign in' }).click();
    await pageIsOpen(seen.page);
    expect(seen.complaints).toEqual([]);
  });

  it('that is signed in opens a page by a link from another site [ui-6.14.9]', async () => {
    const seen = await visit();
    await seen.page.goto((await makeCode()).url);
    await pageIsOpen(seen.page);
    const to = `${service.url}/v1/monitor/tasks?status=failed`;
    // Twice in one tab: one retry each.
    for (let i = 0; i < 2; i += 1) {
      const before = seen.addresses.length;
      await followLink(seen.page, to);
      await pageIsOpen(seen.page);
      expect(seen.page.url()).toBe(to);
      expect(seen.addresses.slice(before).filter((address) => address === to)).toHaveLength(2);
    }
    expect(seen.complaints).toEqual([]);
  });

  it('that is not signed in gets the sign-in page by a link from another site, after one retry [ui-6.14.9]', async () => {
    const seen = await visit();
    const to = `${service.url}/v1/monitor/tasks`;
    await followLink(seen.page, to);
    await seen.page.waitForURL(to);
    await signInHeading(seen.page).waitFor();
    await seen.page.locator('body[data-retry=never]').waitFor({ state: 'attached' });
    await seen.page.getByLabel('Token').fill(service.token('viewer'));
    await seen.page.getByRole('button', { name: 'Sign in' }).click();
    await pageIsOpen(seen.page);
    // The page of the link, its retry, and the page after signing in.
    expect(seen.addresses.filter((address) => address === to)).toHaveLength(3);
  });

  it('opened by a one-time address on another site is signed in [ui-6.14.8]', async () => {
    const seen = await visit();
    await followLink(seen.page, (await makeCode()).url);
    await pageIsOpen(seen.page);
    expect(seen.page.url()).toBe(`${service.url}/v1/monitor/`);
  });

  it('runs the sign-in page with Trusted Types, so that it makes no HTML of text [ui-7.1]', async () => {
    const seen = await visit();
    const reply = await seen.page.goto(`${service.url}/v1/monitor/`);
    expect(reply?.headers()['content-security-policy']).toMatch(
      /require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    const tried: unknown = await seen.page.evaluate(`(() => {
      const made = [];
      for (const make of [
        () => { document.body.innerHTML = '<p>made</p>'; },
        () => { document.body.insertAdjacentHTML('beforeend', '<p>made</p>'); },
      ]) try { make(); made.push(String(make)); } catch {}
      return made;
    })()`);
    expect(tried).toEqual([]);
  });
});
