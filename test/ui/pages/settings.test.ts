// The settings in Chromium: keys, users, tenants, webhooks, sessions, display, and what the frame says of the session.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor({ service: { config: { webhookBackoffSeconds: 0.01 } } });
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const root = '/v1/monitor/settings';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Everything that the page holds and keeps. */
async function contentOf(page: Page): Promise<string> {
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])',
  );
  return `${await page.content()} ${kept}`;
}

describe.skipIf(chromiumProgram === undefined)('the settings', () => {
  it('make a key of the scopes that one holds, show it once and revoke it, by keys alone [ui-4.15.1, ui-4.15.2, ui-4.15.3]', async () => {
    await using view = await monitor.openPage({ path: `${root}/keys` });
    const { page } = view;
    await heading(page, 'Settings: keys').waitFor();
    await button(page, 'New key').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByLabel('Name', { exact: true }).fill('nightly');
    await button(page, 'Create key').press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'at least one scope' }).waitFor();
    // An operator holds nothing of users and tenants.
    expect(await dialog.getByRole('checkbox', { name: /^(users|tenants):/ }).count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'tasks:read', exact: true }).press('Space');
    await dialog.getByRole('checkbox', { name: 'codebases:read', exact: true }).press('Space');
    await expectAccessible(page);
    await button(page, 'Create key').press('Enter');
    const shown = page.getByRole('dialog', { name: 'Key nightly' });
    const secret = (await shown.locator('pre').innerText()).trim();
    await page.keyboard.press('Escape');
    await expect.poll(() => shown.locator('pre').innerText()).toBe(secret);
    await button(page, 'I have it').press('Enter');
    await shown.waitFor({ state: 'detached' });
    expect(await contentOf(page)).not.toContain(secret);
    const me = await monitor.service.call('GET', '/v1/auth/me', { token: secret });
    expect(me.body.permissions).toEqual(['tasks:read', 'codebases:read']);

    const row = page.getByRole('row').filter({ hasText: 'nightly' });
    await row.getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
    await page.getByRole('alertdialog', { name: 'Revoke nightly?' }).waitFor();
    await until('the way out has the focus', () =>
      page.evaluate<boolean>(`document.activeElement?.textContent === 'Keep it'`),
    );
    await page.keyboard.press('Enter');
    expect((await monitor.service.call('GET', '/v1/auth/me', { token: secret })).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
    await button(page, 'Revoke key').press('Enter');
    await row.getByText('revoked').waitFor();
    expect((await monitor.service.call('GET', '/v1/auth/me', { token: secret })).status).toBe(401);
    expectNoFaults(view);
  });

  it('of a viewer name the permission that a part needs [ui-4.12.5]', async () => {
    await using view = await monitor.openPage({ role: 'viewer', path: `${root}/keys` });
    const { page } = view;
    await page.getByText('This page needs the permission api_keys:read. You are viewer.').waitFor();
    await view.goto(`${root}/users`);
    await page.getByText('This page needs the permission users:read.').waitFor();
    await view.goto(root);
    await heading(page, 'Settings: me').waitFor();
    const tabs = page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link');
    await expect.poll(() => tabs.allTextContents()).toEqual(['Me', 'Webhooks', 'Sessions', 'Display']);
    expectNoFaults(view);
  });

  it('let an administrator change a user and make a tenant [ui-4.15.6]', async () => {
    await using view = await monitor.openPage({ role: 'admin', path: `${root}/users` });
    const { page } = view;
    const row = page.getByRole('row').filter({ hasText: 'maria' });
    await row.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('checkbox', { name: 'operator', exact: true }).check();
    await page.getByRole('checkbox', { name: 'editor', exact: true }).uncheck();
    await button(page, 'Save user').click();
    await row.getByText('operator').waitFor();
    expect((await monitor.service.call('GET', '/v1/auth/users/maria')).body.user.roles).toEqual(['operator']);
    await page.getByRole('link', { name: 'Tenants', exact: true }).click();
    await button(page, 'New tenant').click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('Not An Id');
    await button(page, 'Create tenant').click();
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('acme');
    await button(page, 'Create tenant').click();
    await page.getByRole('row').filter({ hasText: 'acme' }).getByRole('link', { name: 'Act in it' }).click();
    await page.waitForURL('**/v1/monitor/tasks?tenant=acme');
    expect(view.faults().filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  it('send dead webhooks again, and set a secret that is never shown [ui-4.15.7]', async () => {
    const dead = async (): Promise<number> =>
      (await monitor.service.call('GET', '/v1/automation/deliveries?status=dead')).body.deliveries.length;
    await until('a webhook is dead', async () => (await dead()) > 0);
    await using view = await monitor.openPage({ role: 'admin', path: `${root}/webhooks` });
    const { page } = view;
    await button(page, 'Send again').first().click();
    await page.getByRole('status').filter({ hasText: 'The webhook is queued again.' }).waitFor();
    await page.getByLabel('New secret').fill('a-secret-of-the-tenant-0123456789');
    await button(page, 'Set the secret').click();
    await page.getByText('signed with 1 secret of its own').waitFor();
    expect(await contentOf(page)).not.toContain('a-secret-of-the-tenant');
    expectNoFaults(view);
  });

  it('sign another browser in by a code, end it, and sign this one out [ui-4.15.4, ui-4.15.5]', async () => {
    await using view = await monitor.openPage({ role: 'editor', isOwn: true, path: `${root}/sessions` });
    const { page } = view;
    await button(page, 'Open on a phone').click();
    await page.getByRole('img', { name: 'QR code of the address' }).waitFor();
    const address = (await page.locator('pre').innerText()).trim();
    expect(address).toMatch(/\/v1\/monitor\/#code=/);
    await expectAccessible(page);
    await using phone = await monitor.openPage({ role: null, width: 390 });
    await phone.page.goto(address);
    await phone.page.locator('h1').waitFor();
    expect(phone.page.url()).not.toContain('code');
    await button(page, 'Hide the code').click();
    expect(await contentOf(page)).not.toContain(address.split('#code=')[1]);
    await page.reload();
    await button(page, 'End').first().click();
    await button(page, 'End session').click();
    await page.getByRole('status').filter({ hasText: 'The session is ended.' }).waitFor();
    await button(page, 'Sign out').click();
    await page.getByRole('dialog', { name: 'Sign in to Switchyard' }).waitFor();
    await expect.poll(() => page.evaluate('sessionStorage.getItem("switchyard_session")')).toBeNull();
    expectNoFaults(view);
  });

  it('switch the shortcuts off for this browser [ui-4.15.8]', async () => {
    await using view = await monitor.openPage({ role: 'viewer', path: `${root}/display` });
    const { page } = view;
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await page.reload();
    const box = page.getByLabel('Keyboard shortcuts');
    await expect.poll(() => box.isChecked()).toBe(false);
    await heading(page, 'Settings: display').press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await box.check();
    await heading(page, 'Settings: display').press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the frame', () => {
  it('warns before the session ends, and continues in place [ui-8.0.11]', async () => {
    await using view = await monitor.openPage();
    const { page } = view;
    await page.route('**/v1/auth/me', async (route) => {
      const response = await route.fetch();
      const me: unknown = await response.json();
      const session = { id: crypto.randomUUID(), expires_at: new Date(Date.now() + 4 * 60_000).toISOString() };
      await route.fulfill({ response, json: { ...Object(me), session } });
    });
    await view.goto(`${root}/keys`);
    const warning = page.getByRole('status').filter({ hasText: /This session ends in [345] minutes/ });
    await warning.waitFor();
    await button(page, 'New key').click();
    await page.getByLabel('Name', { exact: true }).fill('half written');
    await page.keyboard.press('Escape');
    await button(page, 'Sign in again now').click();
    await page.unroute('**/v1/auth/me');
    await page.getByLabel('Token').fill(monitor.service.token('operator'));
    await button(page, 'Sign in').click();
    await page.getByRole('status').filter({ hasText: 'You are signed in again.' }).waitFor();
    await warning.waitFor({ state: 'detached' });
    await heading(page, 'Settings: keys').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${root}/keys`);
    expectNoFaults(view);
  });

  it('tells of a newer build and reloads [ui-3.2.11]', async () => {
    await using view = await monitor.openPage({ role: 'viewer', isOwn: true });
    const { page } = view;
    await page.clock.install();
    await page.route('**/v1/monitor/build.json', (route) => route.fulfill({ json: { build: 'another' } }));
    await view.goto(`${root}/display`);
    await heading(page, 'Settings: display').waitFor();
    expect(await page.getByText('A new version is here.').count()).toBe(0);
    // The first turns of the clock may come before the page's timer is set.
    await until('the page tells of the newer build', async () => {
      await page.clock.fastForward('11:00');
      return page.getByText('A new version is here.').isVisible();
    });
    const loaded = page.waitForEvent('load');
    await button(page, 'Reload').click();
    await loaded;
  });
});
