// The costs in Chromium: sums, shares, what has no price, the address, CSV.
import { readFile } from 'node:fs/promises';
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

const path = '/v1/monitor/costs';

describe.skipIf(chromiumProgram === undefined)('the costs', () => {
  it('show shares by group, and count what has no price apart [ui-4.11.1, ui-4.11.2]', async () => {
    const { worker, codebaseId } = monitor.seed;
    const { id } = await monitor.service.task({ codebase_id: codebaseId }, 'operator');
    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('The task was not claimed.');
    await worker.release(held, { status: 'completed', result: 'done', usage: { input_tokens: 7, output_tokens: 5 } });
    await using view = await monitor.openPage({ path: `${path}?by=codebase` });
    const { page } = view;
    const row = page.getByRole('row').filter({ hasText: 'web-app' });
    await row.getByText('$0.12').waitFor();
    await row.getByText('100%').waitFor();
    await page.getByText('Agents reported no cost for these tasks. Totals exclude them.').waitFor();
    expect(await page.getByText('$0.00').count()).toBe(0);
    await page.getByRole('table', { name: 'Cost by day' }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'web-app' }).click();
    await page.waitForURL(`**/tasks?codebase=${monitor.seed.codebaseId}&ended=*..*&steps=1`);
    expectNoFaults(view);
  });

  it('keep days and grouping in the address, and save the table as CSV [ui-4.11.3]', async () => {
    await using view = await monitor.openPage({ path });
    const { page } = view;
    await page.getByRole('table', { name: 'Usage by Model' }).waitFor();
    await page.getByRole('link', { name: 'Person', exact: true }).click();
    await page.waitForURL('**/costs?by=created_by');
    await page.getByRole('table', { name: 'Usage by Person' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^usage-by-created_by-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^key,label,tasks,.*,cost_usd,unpriced_tasks\r\n/);
    expect(text).toContain('token:operator');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('from') === '2020-01-01' && searchParams.get('to') === '2020-01-31',
    );
    await page.getByText('No task ended in these days.').waitFor();
    await view.goto(`${path}?from=2026-02-01&to=2026-01-01`);
    await page.getByRole('alert').filter({ hasText: 'after the last one' }).waitFor();
    expectNoFaults(view);
  });

  it('are accessible and as wide as a phone, by tokens and day [ui-4.11.1]', async () => {
    const look = { width: 390, words: 'pseudo', direction: 'rtl' } as const;
    await using view = await monitor.openPage({ path: `${path}?measure=tokens&by=day`, ...look });
    await settled(view);
    await view.page.getByRole('table').last().waitFor();
    await expect.poll(() => view.page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
    await expectAccessible(view.page);
    expectNoFaults(view);
  });
});
