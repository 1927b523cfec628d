// The audit in Chromium: filters, one entry, the verdict, and who may not read it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram !== undefined) monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const path = '/v1/monitor/audit';

describe.skipIf(chromiumProgram === undefined)('the audit', () => {
  it('is newest first, and keeps its filters in the address [ui-4.12.1, ui-4.12.4]', async () => {
    await monitor.service.call('GET', '/v1/auth/users', { as: 'viewer' });
    await using view = await monitor.openPage({ path });
    const { page } = view;
    const table = page.getByRole('table', { name: 'Audit entries, newest first' });
    await table.waitFor();
    const times = await table
      .locator('time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''));
    expect(times).toEqual(times.toSorted().toReversed());
    await page.getByLabel('Action', { exact: true }).fill('users.list');
    await page.getByLabel('Outcome', { exact: true }).selectOption('denied');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL('**/audit?action=users.list&outcome=denied');
    await table.getByText('denied').first().waitFor();
    await page.getByRole('button', { name: 'Drop Outcome: denied' }).click();
    await page.waitForURL('**/audit?action=users.list');
    await page.getByLabel('Action', { exact: true }).fill('no.such.action');
    await page.getByLabel('Action', { exact: true }).press('Enter');
    await page.getByText('No entry fits.').waitFor();
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('of one request is found by its id in the palette, and opens by keys [ui-4.12.1, ui-4.12.3]', async () => {
    const reply = await monitor.service.call('GET', '/v1/auth/users', { as: 'viewer' });
    const request: string = reply.body.request_id;
    await using view = await monitor.openPage({ path });
    const { page } = view;
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/paste an id/).fill(request);
    await page.getByRole('option', { name: /in the audit/ }).click();
    await page.waitForURL(`**/audit?request=${request}`);
    await page.getByRole('link', { name: 'users.list' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).press('j');
    await page.waitForFunction(() => document.activeElement?.textContent === 'users.list');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: /^Entry/ });
    await panel.getByText('Previous hash').waitFor();
    const { events } = (await monitor.service.call('POST', '/v1/audit/query', { body: { request_id: request } })).body;
    await expect.poll(() => panel.innerText()).toContain(events[0].hash);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expectNoFaults(view);
  });

  it('is verified on demand, and says where it is broken [ui-4.12.2]', async () => {
    await using view = await monitor.openPage({ path });
    const { page } = view;
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/Whole, [\d,]+ entries, checked/).waitFor();
    const chain = { chain: 'chain-of-build-3', ok: false, entries: 6, head: null, first_bad_seq: 7, checked: 'file' };
    const verdict = { ok: false, entries: 6, head: null, first_bad_seq: 7, chains: [chain] };
    await page.route('**/v1/audit/verify', (route) => route.fulfill({ json: verdict }));
    await page.getByRole('button', { name: 'Verify' }).click();
    const broken = page.getByRole('status').filter({ hasText: 'Broken at entry 7 of chain chain-of-build-3' });
    await broken.waitFor();
    await expect.poll(() => broken.innerText()).not.toContain('Whole');
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('names its permission to an editor [ui-4.12.5]', async () => {
    await using view = await monitor.openPage({ role: 'editor', path });
    await view.page.getByText('This page needs the permission audit:read. You are editor.').waitFor();
    expect(await view.page.getByRole('table').count()).toBe(0);
    expectNoFaults(view);
  });
});
