// The traces of a session in a browser: nothing after signing out, nothing for another person, no tenant of others.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { makeSession, openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, openView, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const { status } = await monitor.service.call('POST', '/v1/auth/tenants', { body: tenant });
  if (status !== 201) throw new Error(`The tenant was answered ${status}.`);
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const refused = [/401 \(Unauthorized\)/];
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const keptKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('switchyard_')));

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe.skipIf(chromiumProgram === undefined)('the session of a browser', () => {
  it('leaves nothing when it ends: no answer and no draft, in any tab [ui-7.3.40]', async () => {
    const { service, browser, seed } = monitor;
    const session = await makeSession(service, service.token('operator'));
    await using first = await openView(browser, service.url, session, { expected: refused });
    await first.goto('/v1/monitor/tasks/new');
    await first.page.getByLabel('Prompt', { exact: true }).fill('A secret plan');
    const second = await first.openTab(`/v1/monitor/questions/${seed.tasks.asking}`);
    await second.page.getByLabel('Your answer', { exact: true }).fill('A secret answer');
    expect(await keptKeys(first.page)).toContain('switchyard_new_task');
    expect(await keptKeys(second.page)).toContain('switchyard_caller');
    await first.page.getByRole('button', { name: 'operator', exact: true }).click();
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const { page } of [first, second]) {
      await page.getByLabel('Token').waitFor();
      expect(await keptKeys(page)).toEqual([]);
    }
  });

  it('shows another person nothing of what it has shown before [ui-7.3.41]', async () => {
    const { service, browser } = monitor;
    const session = await makeSession(service, service.token('operator'));
    await using view = await openView(browser, service.url, session, { path: '/v1/monitor/audit', expected: refused });
    const { page } = view;
    await page.getByRole('table', { name: 'Audit entries, newest first' }).waitFor();
    await service.call('DELETE', `/v1/auth/sessions/${session.session_id}`, { token: session.access_token });
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await signIn(page, service.token('viewer'));
    await page.getByRole('button', { name: 'viewer', exact: true }).waitFor();
    await page.getByText('This page needs the permission audit:read.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expectNoFaults(view);
  });

  it('drops the drafts of another person, also when the sign-in page has made the session [ui-7.3.41]', async () => {
    const { service, browser } = monitor;
    const session = await makeSession(service, service.token('operator'));
    await using view = await openView(browser, service.url, session, { expected: refused });
    const { page } = view;
    await view.goto('/v1/monitor/tasks/new');
    await page.getByLabel('Prompt', { exact: true }).fill('A secret plan');
    await service.call('DELETE', `/v1/auth/sessions/${session.session_id}`, { token: session.access_token });
    await page.reload();
    await signIn(page, service.token('editor'));
    await page.getByRole('button', { name: 'editor', exact: true }).waitFor();
    await settled(view);
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('');
    expectNoFaults(view);
  });

  it('goes on in place for the same person [ui-7.3.41]', async () => {
    const { service, browser } = monitor;
    const session = await makeSession(service, service.token('operator'));
    const path = '/v1/monitor/tasks/new';
    await using view = await openView(browser, service.url, session, { path, expected: refused });
    const { page } = view;
    await page.getByLabel('Prompt', { exact: true }).fill('Goes on');
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await service.call('DELETE', `/v1/auth/sessions/${session.session_id}`, { token: session.access_token });
    await page.getByRole('button', { name: 'Create task' }).click();
    const panel = page.getByRole('dialog', { name: 'Sign in again' });
    await panel.waitFor();
    await signIn(page, service.token('operator'));
    await panel.waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Goes on');
    await expect.poll(() => page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('a tenant in the address', () => {
  it('of others is left out with one notice, and the page works [ui-7.3.42]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks?tenant=acme&status=completed' });
    const { page } = view;
    await page.getByRole('link', { name: 'Fix the login test' }).first().waitFor();
    await settled(view);
    expect(new URL(page.url()).search).toBe('?status=completed');
    expect(await page.getByText('A part of the address was not understood and was left out.').count()).toBe(1);
    expectNoFaults(view);
  });

  it('is acted in by an administrator who signs in under it [ui-7.3.42]', async () => {
    const { service, browser } = monitor;
    const session = await makeSession(service, service.token('admin'));
    await using view = await openView(browser, service.url, session, { expected: refused });
    const { page } = view;
    await view.goto('/v1/monitor/tasks?tenant=acme');
    await heading(page, 'Tasks').waitFor();
    await page.getByText('You act in acme').waitFor();
    const calls: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/auth/me')) calls.push(request.headers()['x-tenant-id']);
    });
    await page.reload();
    await page.getByText('You act in acme').waitFor();
    expect(await page.getByRole('link', { name: 'Fix the login test' }).count()).toBe(0);
    expect(new Set(calls)).toEqual(new Set([undefined]));
    expectNoFaults(view);
  });
});
