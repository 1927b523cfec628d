// The overview in Chromium: bands, remedies, keys, the chart with its table; and Start, while the tenant has no task.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

describe.skipIf(chromiumProgram === undefined)('the overview', () => {
  it('has its bands, with reason and remedy of what waits, and the last line of what is at work [ui-4.1.1, ui-4.1.2, ui-4.1.3]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/' });
    const { page } = view;
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const needsYou = page.getByRole('region', { name: 'Needs you' });
    await needsYou.getByRole('link', { name: 'Support Safari' }).waitFor();
    const stuck = page.getByRole('region', { name: 'Stuck or slow' });
    await stuck.getByText(/1 task waits for web-app/).waitFor();
    await stuck.getByText('No worker has all capabilities that it needs.').waitFor();
    await expect.poll(() => stuck.locator('pre').innerText()).toMatch(/^switchyard worker .*--capabilities/);
    const atWork = page.getByRole('region', { name: 'At work' });
    await atWork.getByRole('link', { name: 'Add retries' }).waitFor();
    await atWork.getByText('src/upload.ts:12: upload(file)').waitFor();
    await page.getByRole('region', { name: 'Just ended' }).getByRole('link', { name: 'Rename the API' }).waitFor();
    await needsYou.getByRole('link', { name: 'Answer' }).first().click();
    await page.waitForURL('**/v1/monitor/questions/*');
    expectNoFaults(view);
  });

  it('draws the last day, with its figures as a table [ui-4.1.4]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/' });
    const { page } = view;
    await page.locator('canvas').waitFor();
    const table = page.getByRole('table', { name: 'Tasks over the last 24 hours' });
    const head = await table.getByRole('columnheader').allTextContents();
    expect(head).toEqual(['Time', 'Completed', 'Failed', 'Cancelled', 'Running', 'Waiting']);
    const rows = await table.getByRole('row').count();
    expect(rows).toBeGreaterThan(10);
    expectNoFaults(view);
  });

  it('moves by j and k, and tells the agent of the line of now by m [ui-4.1.5]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/' });
    const { page } = view;
    const link = page.getByRole('region', { name: 'At work' }).getByRole('link', { name: 'Add retries' });
    await link.waitFor();
    const row = Number(await link.getAttribute('data-row'));
    for (let moves = 0; moves <= row; moves++) await page.keyboard.press('j');
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Tell the agent of “Add retries”' }).waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the page Start', () => {
  it('opens by itself while there is no task, and tells what is missing and how to get it [ui-4.16.1, ui-4.16.2]', async () => {
    await using view = await monitor.openPage({ role: 'other', path: '/v1/monitor/' });
    const { page } = view;
    await page.waitForURL('**/v1/monitor/start');
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.getByRole('heading', { name: 'The service runs' }).waitFor();
    await page.getByRole('heading', { name: 'No worker is here' }).waitFor();
    await page.getByRole('heading', { name: 'No codebase is bound' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run it' }).count()).toBe(0);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('tells the worker, its agents and the codebase [ui-4.16.2]', async () => {
    await monitor.service.worker(
      {
        name: 'here',
        agents: ['command'],
        agents_missing: [{ name: 'claude', reason: 'It is not on the path.' }],
        codebases: [{ name: 'web-app', path: '/srv/web-app' }],
      },
      'other',
    );
    await using view = await monitor.openPage({ role: 'other', path: '/v1/monitor/start', width: 390 });
    const { page } = view;
    await page.getByRole('heading', { name: 'The worker here is here' }).waitFor();
    await page.getByText('It found the agents command.').waitFor();
    await page.getByText('Not found: claude. It is not on the path.').waitFor();
    await page.getByRole('heading', { name: 'The codebase web-app is bound' }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expectNoFaults(view);
  });
});
