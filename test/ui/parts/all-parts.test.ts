// The page of all parts in Chromium: whole in light, in dark and on a phone, accessible, under the policy, photographed.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { expectAccessible, violationsOf } from '../support/accessible.ts';

import { openView } from '../support/page-view.ts';
import { openPartsPage, type PartsPage } from './parts-page.ts';

const pictures = path.join(import.meta.dirname, '../../../dist/pictures');
let parts: PartsPage;
let browser: Browser;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  const launched = launchChromium();
  [parts, browser] = await Promise.all([openPartsPage('all'), launched]);
  await mkdir(pictures, { recursive: true });
});
afterAll(async () => {
  if (chromiumProgram === undefined) return;
  await browser.close();
  await parts[Symbol.asyncDispose]();
});

const sections = ['Button', 'Field', 'Menu', 'Tabs', 'Marks', 'Track', 'Text', 'Output', 'Skeleton', 'Table', 'Dialog'];

describe.skipIf(chromiumProgram === undefined)('the page of all parts', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('is accessible and keeps the policy, %s at %i px [ui-9.6.1]', async (theme, width) => {
    await using view = await openView(browser, parts.url, undefined, { path: '/v1/monitor/parts', theme, width });
    const { page } = view;
    for (const name of sections) await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
    await page.getByText('line 59').waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await expectAccessible(page);
    await page.screenshot({ path: path.join(pictures, `parts-${theme}-${width}.png`), fullPage: true });
    expect(view.faults()).toEqual([]);
  });

  it('marks a part that waits as busy before its bars are drawn [ui-3.2.42]', async () => {
    await using view = await openView(browser, parts.url, undefined);
    await view.page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('[aria-busy=true]:empty') !== null) document.documentElement.dataset['wasBusy'] = '';
      }).observe(document, { subtree: true, childList: true });
    });
    await view.goto('/v1/monitor/parts');
    await view.page.locator('html[data-was-busy]').waitFor({ state: 'attached', timeout: 20_000 });
  });

  it('shows what opens: a menu, a dialog, a dialog before a loss, notices [ui-9.6.1]', async () => {
    await using view = await openView(browser, parts.url, undefined, { path: '/v1/monitor/parts' });
    const { page } = view;
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: /Cancel task/ }).waitFor();
    // Base UI puts elements around a menu that pass the focus on at once; axe takes them for controls.
    const violations = await violationsOf(page);
    expect(violations.filter((line) => !line.includes('data-base-ui-focus-guard'))).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open dialog' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ask first' }).click();
    await page.getByRole('button', { name: 'Keep it' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keep it');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel task' }).click();
    await page.getByRole('alertdialog').getByText('answered by maria').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notice', exact: true }).click();
    await page.getByRole('button', { name: 'Error notice' }).click();
    await page.getByRole('alert').getByText('answered by maria').last().waitFor();
    await expectAccessible(page);
    expect(view.faults()).toEqual([]);
  });
});
