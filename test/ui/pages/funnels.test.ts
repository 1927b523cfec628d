// The funnels in Chromium: read by the keyboard, by touch, and by those who may not count.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram !== undefined) monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const list = '/v1/monitor/funnels';

describe.skipIf(chromiumProgram === undefined)('a funnel', () => {
  it('is read by the keyboard alone: from any page to the people of each step [platform-5.2.25]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/health', role: 'admin' });
    const { page } = view;
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL(`**${list}`);
    await page.getByRole('link', { name: 'From visit to payment' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${list}/shop`);
    const rows = page.getByRole('table', { name: 'People along Shop' }).getByRole('row');
    await rows.nth(3).waitFor();
    const cells = await rows.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.querySelector(':scope > :last-child')?.textContent),
      ),
    );
    expect(cells.slice(1)).toEqual([
      ['10', '100%', '100%', '0'],
      ['7', '70%', '70%', '3'],
      ['4', '40%', '57.1%', '3'],
    ]);
    const bars = await page
      .locator('[data-bar] > :first-child')
      .evaluateAll((all) =>
        all.map((bar) => Math.round((bar.clientWidth / (bar.parentElement?.clientWidth ?? 1)) * 100)),
      );
    expect(bars).toEqual([100, 70, 40]);
    await page.getByText('2 min', { exact: true }).waitFor();
    await page.keyboard.press(']');
    await page.waitForURL(`**${list}/shop?days=30`);
    await page.keyboard.press('[');
    await page.waitForURL(`**${list}/shop?days=7`);
    expectNoFaults(view);
  });

  it('is read by touch on a phone [platform-5.2.25]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/', role: 'admin', width: 390 });
    const { page } = view;
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('link', { name: 'Funnels' }).tap();
    await page.waitForURL(`**${list}`);
    await page.getByRole('link', { name: 'Shop', exact: true }).tap();
    await page.getByText('3 lost').first().waitFor();
    await page.getByRole('link', { name: 'last 30 days' }).tap();
    await page.waitForURL('**/shop?days=30');
    expectNoFaults(view);
  });

  it('that nobody began says how to begin, and a missing one is not found', async () => {
    await using view = await monitor.openPage({ path: `${list}/default`, role: 'admin' });
    await view.page.getByText('switchyard analytics track page_view --user ada').waitFor();
    await view.goto(`${list}/none`);
    await view.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expectNoFaults(view);
  });

  it('shows its steps to an operator, who may not count, and nothing to an editor', async () => {
    await using view = await monitor.openPage({ path: `${list}/shop`, role: 'operator' });
    await view.page.getByText('Counting people needs analytics:admin; you are operator.').waitFor();
    await view.page.getByRole('listitem').filter({ hasText: 'Basket' }).waitFor();
    expectNoFaults(view);
    await using other = await monitor.openPage({ path: list, role: 'editor' });
    await other.page.getByText('analytics:read').first().waitFor();
    expectNoFaults(other);
  });

  it.each([
    { width: 1280, theme: 'dark' },
    { width: 390, theme: 'light', words: 'pseudo', direction: 'rtl' },
    // every-page.test.ts has the other looks; there the picture is that of a role that may not count.
  ] as const)('is accessible and as wide as the window for those who may count: %j', async (look) => {
    await using view = await monitor.openPage({ path: `${list}/shop`, role: 'admin', ...look });
    await settled(view);
    await view.page.getByRole('table').last().waitFor();
    await expect.poll(() => view.page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    await expectAccessible(view.page);
    expectNoFaults(view);
  });
});
