// The view of output in a real browser, under the policy of the pages.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { until } from '../../support/until.ts';
import type { OutputPiece } from '../../../ui/src/text/output/line-splitter.ts';
import { openPartsPage, type PartsPage } from './parts-page.ts';

declare global {
  interface Window {
    output: {
      store: { append(pieces: OutputPiece[]): void; show(window: object): void };
      all: OutputPiece[];
      searched: string[];
      copied: number[];
    };
  }
}

const lines = 20_000;
let parts: PartsPage;
let browser: Browser;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  parts = await openPartsPage();
  browser = await launchChromium();
});
afterAll(async () => {
  if (chromiumProgram === undefined) return;
  await browser.close();
  await parts[Symbol.asyncDispose]();
});

/** Opens the view with the last 2,000 of 20,000 lines; `complaints` are violations of the policy and errors. */
async function openOutput(query = ''): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${parts.url}/${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate((count) => {
    const word = (i: number): string => (i % 500 === 0 ? 'needle' : `${'x '.repeat(i % 150)}日本`);
    window.output.all = Array.from({ length: count }, (_, i) => ({
      seq: i + 1,
      stream: 'stdout',
      text: `line ${String(i + 1)} \u001B[31m${word(i)}\u001B[0m\n`,
    }));
    const pieces = window.output.all.slice(-2_000);
    window.output.store.show({ pieces, firstLine: count - 1_999, hasOlder: true, hasNewer: false });
  }, lines);
  return { page, complaints };
}

async function append(page: Page, count: number): Promise<void> {
  await page.evaluate((many) => {
    const { all, store } = window.output;
    for (let i = 0; i < many; i++)
      all.push({ seq: all.length + 1, stream: 'stdout', text: `live ${String(all.length + 1)}\n` });
    store.append(all.slice(-many));
  }, count);
}

const log = (page: Page) => page.getByRole('log', { name: 'Output' });
const fromEnd = async (page: Page): Promise<number> =>
  log(page).evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));

describe.skipIf(chromiumProgram === undefined)('the view of output', () => {
  it('follows its end, holds still elsewhere, and leads back with a button [ui-5.1.4, ui-5.1.5]', async () => {
    const { page, complaints } = await openOutput();
    await until('the view settles', async () => await page.getByRole('link', { name: 'Line 20000' }).isVisible());
    await expect.poll(() => log(page).getAttribute('aria-live')).toBe('off');
    await append(page, 40);
    await page.getByRole('link', { name: 'Line 20040', exact: true }).waitFor();
    await until('the view settles', async () => (await fromEnd(page)) <= 1);
    await log(page).evaluate((box) => {
      box.scrollTop -= 5_000;
    });
    await until(
      'the view settles',
      async () => !(await page.getByRole('link', { name: 'Line 20040', exact: true }).isVisible()),
    );
    const first = await log(page).evaluate((box) => box.scrollTop);
    await append(page, 312);
    await page.getByRole('button', { name: '312 new lines' }).waitFor();
    await expect.poll(() => log(page).evaluate((box) => box.scrollTop)).toBe(first);
    await page.getByRole('button', { name: '312 new lines' }).click();
    await page.getByRole('link', { name: 'Line 20352', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps the reader’s place when lines are wrapped, and loads older ones above it [ui-5.1.4]', async () => {
    const { page, complaints } = await openOutput();
    const wrap = page.getByRole('button', { name: 'Wrap' });
    await expect.poll(() => wrap.getAttribute('aria-pressed')).toBe('false');
    await wrap.click();
    await until(
      'the view settles',
      async () => (await wrap.getAttribute('aria-pressed')) === 'true' && (await fromEnd(page)) <= 1,
    );
    await page.getByRole('link', { name: 'Line 20000', exact: true }).waitFor();
    await log(page).evaluate((box) => {
      box.scrollTop = 0;
    });
    // The first line in sight stays the first line in sight while 2,000 older ones come above it.
    await page.getByRole('link', { name: 'Line 18001', exact: true }).waitFor();
    await until('the view settles', async () => (await log(page).evaluate((box) => box.scrollTop)) > 10_000);
    await expect.poll(() => page.getByRole('link', { name: 'Line 18001', exact: true }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('searches what is there, then the service, and goes from hit to hit [ui-5.1.6]', async () => {
    const { page, complaints } = await openOutput();
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Search the output' }).fill('needle');
    await page.getByText('1 of 40').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Line 1', exact: true }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('40 of 40').waitFor();
    await page.getByRole('link', { name: 'Line 19501', exact: true }).waitFor();
    await expect.poll(() => page.locator('mark').first().textContent()).toBe('needle');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows a linked line that has to be loaded, and names lines by links [ui-5.1.7]', async () => {
    const linked = await (await browser.newContext()).newPage();
    await linked.goto(`${parts.url}/?lines=20000&line=7000`);
    await linked.getByRole('link', { name: 'Line 7000', exact: true }).waitFor();
    await expect
      .poll(() => linked.locator('.bg-ask-ground[class*="flex min-w-full"]').innerText())
      .toContain('line 7000');
    await linked.context().close();
    const { page, complaints } = await openOutput();
    await page.getByRole('link', { name: 'Line 20000', exact: true }).waitFor();
    const link = page.getByRole('link', { name: 'Line 19990', exact: true });
    await expect.poll(() => link.getAttribute('href')).toBe('?line=19990');
    await link.click();
    await page.getByRole('link', { name: 'Line 19992', exact: true }).click({ modifiers: ['Shift'] });
    await until(
      'the view settles',
      async () => (await page.locator('.bg-ask-ground[class*="flex min-w-full"]').count()) === 3,
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has a plain form of the last lines without colours [ui-5.1.5, ui-5.2.6]', async () => {
    const { page, complaints } = await openOutput();
    await page.getByRole('button', { name: 'Plain text' }).click();
    const text = await log(page).locator('pre').textContent();
    expect(text?.split('\n')).toHaveLength(2_000);
    expect(text).not.toContain('\u001B');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
