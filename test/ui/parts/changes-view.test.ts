// The view of changes and the text in markdown in a real browser, under the policy of the pages.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { until } from '../../support/until.ts';
import { openPartsPage, type PartsPage } from './parts-page.ts';

declare global {
  interface Window {
    changes: { loaded: string[]; sent: number };
  }
}

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

async function openChanges(query: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${parts.url}/${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, complaints };
}

describe.skipIf(chromiumProgram === undefined)('the view of changes', () => {
  it('takes comments on a line, a range, a file and the whole change [ui-5.2.4, ui-5.2.6]', async () => {
    const { page, complaints } = await openChanges('?changes');
    await page.getByRole('button', { name: 'Comment on new line 42', exact: true }).first().click({ force: true });
    const box = page.getByRole('textbox', { name: 'Comment on new line 42' });
    await box.fill('Why \u202E24?');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => page.getByRole('article', { name: 'Comment on new line 42' }).innerText())
      .toContain('Why ⟨202E⟩24?');
    await page.getByRole('button', { name: 'Comment on old line 41', exact: true }).first().click({ force: true });
    await page
      .getByRole('button', { name: 'Comment on old line 42', exact: true })
      .first()
      .click({ force: true, modifiers: ['Shift'] });
    await page.getByRole('textbox', { name: 'Comment on old lines 41 to 42' }).fill('Keep both');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Comment on old lines 41 to 42' }).waitFor();
    await expect.poll(() => page.evaluate(() => window.changes.sent)).toBe(0);
    await page.getByRole('button', { name: 'Comment on src/part0/file0.ts' }).first().click();
    await page.getByRole('textbox', { name: 'Comment on src/part0/file0.ts' }).fill('Split the file');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Comment on the whole change' }).click();
    await page.getByRole('textbox', { name: 'Comment on the whole change' }).fill('Add a test');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await page.getByRole('article').count()).toBe(4);
    await page.getByTitle('3 comments').waitFor();
    await page.getByRole('article', { name: 'Comment on new line 42' }).getByRole('button', { name: 'Drop' }).click();
    expect(await page.getByRole('article').count()).toBe(3);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows comments where their text is now, and outdated ones with their quote [ui-5.2.2]', async () => {
    const { page } = await openChanges('?changes&comments');
    await page.getByText('Comment on new line 60: now at line 42').waitFor();
    await page.getByText('Comment on new line 60: outdated').waitFor();
    await expect.poll(() => page.getByText('is gone').isVisible()).toBe(true);
    await page.context().close();
  });

  it('folds what is long or not written by hand until it is opened [ui-5.2.5]', async () => {
    const { page, complaints } = await openChanges('?changes&files=0');
    await page.getByText('Folded: a lock file.').waitFor();
    await page.getByText('Folded: more than 1,500 changed lines.').waitFor();
    await expect.poll(() => page.evaluate(() => window.changes.loaded)).not.toContain('src/long.ts');
    await page.getByRole('button', { name: 'Lines of src/long.ts' }).click();
    await page.getByText('line 1 of a very long file').waitFor();
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(nodes).toBeLessThan(3_000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('loads the patches that come near, and goes from file to file and hunk to hunk by keys [ui-5.2.3]', async () => {
    const { page, complaints } = await openChanges('?changes&files=5000');
    await page.getByText('The session of a person.').first().waitFor();
    const loaded = await page.evaluate(() => window.changes.loaded.length);
    expect(loaded).toBeLessThan(40);
    const current = async (): Promise<string | null> => page.locator('nav [aria-current=true]').textContent();
    await page.keyboard.press('Shift+J');
    await until('the next file', async () => (await current())?.includes('file1.py'));
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    await page.getByText('viewed 1 of 5,004').waitFor();
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('file4999');
    await page.getByRole('button', { name: /file4999/ }).click();
    await page.getByRole('heading', { name: 'src/part249/file4999.md' }).waitFor();
    await until('its patch', async () =>
      page.evaluate(() => window.changes.loaded.includes('src/part249/file4999.md')),
    );
    await expect.poll(() => page.evaluate(() => window.changes.loaded.length)).toBeLessThan(100);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows hidden characters of paths and code as marks, side by side too [ui-5.1.1]', async () => {
    const { page, complaints } = await openChanges('?changes');
    await page.getByRole('button', { name: 'Split' }).click();
    await page.getByText('⟨202E⟩evil').first().waitFor();
    await page.getByText('evil⟨202E⟩gnp.ts').first().waitFor();
    await expect.poll(() => page.evaluate(() => document.body.innerText)).not.toMatch(/\u202E/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(chromiumProgram === undefined)('markdown', () => {
  it('has no HTML, loads no image, and shows where links lead [ui-5.1.8]', async () => {
    const text = [
      '<img src=x onerror=alert(1)> <b>bold</b>',
      '![remote](https://evil.example/a.png)',
      '[good](https://ok.example/x) [bad](javascript:alert(1)) [data](data:text/html,x) [path](/v1/auth/me)',
      '| a | b |\n|:-:|---|\n| 1 | 2 |',
      '&lt;b&gt; &amp; &copy; &#8232; &apos; &unknown;',
    ].join('\n\n');
    const { page, complaints } = await openChanges(`?markdown=${encodeURIComponent(text)}`);
    const main = page.getByRole('main');
    await main.getByText('[image: remote]').waitFor();
    expect(await main.locator('img, b, script, [style]').count()).toBe(0);
    expect(
      await main
        .getByRole('link')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('href'), link.textContent, link.getAttribute('rel')]),
        ),
    ).toEqual([['https://ok.example/x', 'good (https://ok.example/x)', 'noopener noreferrer nofollow']]);
    expect(await main.getByRole('table').count()).toBe(1);
    await main.getByText("<b> & © ⟨2028⟩ ' &unknown;", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
