// The pages of the fleet, of codebases and of health in Chromium: by keys, on a phone, without permission, with refusals.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capacityOf } from '../../../ui/src/pages/fleet/capacity.ts';
import { testClusterConfig } from '../../support/builders/part-configs.ts';
import { ForgedApi } from '../../support/cluster/forged-api.ts';
import { until } from '../../support/until.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

const opened = new AsyncDisposableStack();
let monitor: Monitor;
/** Pods of the cluster that the service runs in: one is ready, one crashes, one cannot start. */
let pods: string[];
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  const forged = opened.use(await ForgedApi.open(3));
  pods = await forged.pods();
  await forged.setPod(pods[1] ?? '', 'crash_loop');
  await forged.setPod(pods[2] ?? '', 'cannot_start');
  await forged.setBudget(3);
  const cluster = { ...testClusterConfig, ...forged.connection, podName: pods[0], reconcileSeconds: 1 };
  monitor = opened.use(await openMonitor({ service: { config: { cluster } } }));
});
afterAll(() => opened.disposeAsync());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const widthOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');

describe('capacityOf', () => {
  it('sums slots, busy and waiting by codebase, what waits without a slot first [ui-4.9.2]', () => {
    const rows = capacityOf({
      workers: [
        { slots: 4, codebases: ['a', 'global'] },
        { slots: 2, codebases: ['a', 'b'] },
      ],
      running: [{ codebase_id: 'a' }, { codebase_id: null }],
      routes: [
        { codebase_id: 'b', count: 3 },
        { codebase_id: 'gone', count: 1 },
      ],
    });
    expect(rows).toEqual([
      { codebaseId: 'gone', slots: 0, busy: 0, waiting: 1 },
      { codebaseId: 'b', slots: 2, busy: 0, waiting: 3 },
      { codebaseId: 'a', slots: 6, busy: 1, waiting: 0 },
      { codebaseId: 'global', slots: 4, busy: 1, waiting: 0 },
    ]);
  });
});

describe.skipIf(chromiumProgram === undefined)('the fleet', () => {
  it('shows workers, slots, versions and capacity, and opens one by keys [ui-4.9.1, ui-4.9.2]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/fleet' });
    const { page } = view;
    await heading(page, 'Fleet').waitFor();
    const row = page.getByRole('table', { name: 'Workers' }).getByRole('row', { name: /build-7/ });
    await row.getByText('1 of 4', { exact: true }).waitFor();
    await row.getByText('Online').waitFor();
    await row.getByText('claude, codex', { exact: true }).last().waitFor();
    await page
      .getByRole('table', { name: 'Slots by codebase' })
      .getByRole('row', { name: /web-app/ })
      .waitFor();
    await settled(view);
    await page.keyboard.press('j');
    await until('a row has the focus', () =>
      page.evaluate<boolean>(`document.activeElement?.hasAttribute('data-row')`),
    );
    await page.getByRole('link', { name: 'build-7', exact: true }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'build-7').waitFor();
    expect(await page.title()).toContain('build-7');
    expectNoFaults(view);
  });

  it('says why a worker is idle and what it lacks [ui-4.9.4]', async () => {
    await using view = await monitor.openPage({ path: `/v1/monitor/fleet/${monitor.seed.worker.id}`, width: 390 });
    const { page } = view;
    await heading(page, 'build-7').waitFor();
    const next = page.getByRole('table', { name: /^Next tasks/ });
    await next
      .getByRole('row', { name: /Write the changelog/ })
      .getByText('lacks a capability')
      .waitFor();
    await page.getByText('The program pi is not on the path.').waitFor();
    await settled(view);
    expect(await widthOf(page)).toBe(390);
    expectNoFaults(view);
  });

  it('drains a worker after a question whose first button keeps it [ui-4.9.3]', async () => {
    const worker = await monitor.service.worker({ name: 'to-drain' }, 'operator');
    await using view = await monitor.openPage({ path: `/v1/monitor/fleet/${worker.id}` });
    const { page } = view;
    await heading(page, 'to-drain').waitFor();
    await page.getByRole('button', { name: 'Drain', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: /to-drain/ });
    const keep = dialog.getByRole('button', { name: 'Keep it working' });
    await keep.waitFor();
    await until('the way out has the focus', () => keep.evaluate((button) => button === document.activeElement));
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'It is drained' }).waitFor();
    await page.getByText('Drained', { exact: true }).first().waitFor();
    const { body } = await monitor.service.call('GET', `/v1/agent/workers/${worker.id}`);
    expect(body.worker.drained_at).not.toBeNull();
    expectNoFaults(view);
  });

  it('turns the action off for a viewer, and tells a missing worker like any other', async () => {
    const missing = /status of 404/;
    await using view = await monitor.openPage({
      path: `/v1/monitor/fleet/${monitor.seed.worker.id}`,
      role: 'viewer',
      expected: [missing],
    });
    const { page } = view;
    const drain = page.getByRole('button', { name: /^Drain/ });
    await drain.waitFor();
    await expect.poll(() => drain.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => drain.getAttribute('title')).toMatch(/^needs workers:write/);
    await view.goto('/v1/monitor/fleet/00000000-0000-4000-8000-000000000000');
    await heading(page, 'Not found').waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('codebases', () => {
  it('adds one by path: bound at once to a worker, or as a task that is shown until it ends [ui-4.10.1]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/codebases?add=1' });
    const { page } = view;
    const dialog = page.getByRole('dialog', { name: 'Add a codebase' });
    await dialog.getByLabel('Path or address').fill('/srv/bound');
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('bound');
    await dialog.getByLabel('Worker').selectOption({ label: 'build-7' });
    await dialog.getByRole('button', { name: 'Add codebase' }).click();
    await page.getByRole('link', { name: 'bound', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add codebase' }).click();
    await dialog.getByLabel('Path or address').fill('/srv/asked');
    await dialog.getByRole('button', { name: 'Add codebase' }).click();
    const asked = page.getByRole('region', { name: 'Adding a codebase' });
    await asked.getByText('The workers are asked which of them has the folder.').waitFor();
    const task = new URL(page.url()).searchParams.get('task') ?? '';
    await monitor.service.call('POST', `/v1/agent/tasks/${task}/cancel`, { as: 'operator', body: {} });
    await asked.getByText('No worker has added it.').waitFor();
    await settled(view);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('refuses to remove one with open tasks and shows them; removes an idle one [ui-4.10.2]', async () => {
    const { seed, service } = monitor;
    await using view = await monitor.openPage({
      path: `/v1/monitor/codebases/${seed.codebaseId}`,
      role: 'admin',
      expected: [/status of 409/, /status of 404/],
    });
    const { page } = view;
    const dialog = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove codebase' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Tasks of it are open' }).waitFor();
    await dialog.getByRole('table', { name: 'Open tasks' }).getByRole('link', { name: 'Add retries' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    const { body } = await service.call('POST', '/v1/agent/codebases', {
      as: 'operator',
      body: { name: 'idle', path: '/srv/idle', worker_id: seed.worker.id },
    });
    await view.goto(`/v1/monitor/codebases/${body.codebase.codebase_id}`);
    await heading(page, 'idle').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove codebase' }).click();
    await heading(page, 'Codebases').waitFor();
    await page.getByRole('link', { name: 'web-app', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'idle', exact: true }).count()).toBe(0);
    expectNoFaults(view);
  });

  it('searches, opens and resumes the sessions of agents, on a phone [ui-4.10.3]', async () => {
    const path = `/v1/monitor/codebases/${monitor.seed.codebaseId}?part=sessions`;
    await using view = await monitor.openPage({ path, width: 390 });
    const { page } = view;
    await page.getByLabel('Search the sessions').fill('nothing like it');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No session fits.').waitFor();
    await page.getByLabel('Search the sessions').fill('login');
    await page.getByLabel('Search the sessions').press('Enter');
    await page.getByLabel('Messages of Login tests').click();
    await page.getByText('Why does the login test fail?').waitFor();
    expect(await widthOf(page)).toBe(390);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume Login tests' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resume “Login tests”' });
    await dialog.getByLabel('Prompt').fill('Go on with Safari.');
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.waitForURL(/\/v1\/monitor\/tasks\//);
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('health', () => {
  it('shows parts with reasons, the queue, replicas, versions and loops [ui-4.14.1]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/health', width: 390, theme: 'dark' });
    const { page } = view;
    await heading(page, 'Health').waitFor();
    const parts = page.getByRole('table', { name: 'Parts of the service' });
    await parts
      .getByRole('row', { name: /^Database/ })
      .getByText('Works')
      .waitFor();
    await parts
      .getByRole('row', { name: /^Broker/ })
      .getByText('Off')
      .waitFor();
    await page
      .getByRole('table', { name: /^Background loops/ })
      .getByRole('row', { name: /^reaper/ })
      .waitFor();
    await page.getByText('answers this page').waitFor();
    await page.getByText('Oldest waiting task').waitFor();
    await settled(view);
    expect(await widthOf(page)).toBe(390);
    expectNoFaults(view);
  });

  it('[platform-1.5.12] shows the Deployment, its pods, and why an unhealthy one is not restarted', async () => {
    await until('the loop has checked the pods', async () => {
      const { body } = await monitor.service.call('GET', '/v1/k8s/status');
      return body.last_reconcile?.outcome === 'held_back';
    });
    await using view = await monitor.openPage({ path: '/v1/monitor/health', width: 390 });
    const { page } = view;
    const parts = page.getByRole('table', { name: 'Parts of the service' });
    await parts
      .getByRole('row', { name: /^Cluster/ })
      .getByText(/2 of 3 pods are unhealthy/)
      .waitFor();
    const section = page.getByRole('region', { name: 'Cluster' });
    await section.getByText('switchyard, 1 of 3 ready').waitFor();
    await section.getByText(/^Held back, /).waitFor();
    const table = page.getByRole('table', { name: 'Pods of the Deployment' });
    await table.getByRole('row', { name: pods[0] }).getByText('Ready', { exact: true }).waitFor();
    const crashed = table.getByRole('row', { name: pods[1] });
    await crashed.getByText('Crashes in a loop').waitFor();
    await crashed.getByText('not restarted: the disruption budget does not allow it').waitFor();
    await table.getByRole('row', { name: pods[2] }).getByText('a restart does not help').waitFor();
    await settled(view);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('[platform-1.5.12] is left out for a viewer, who is told by the parts alone', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/health', role: 'viewer' });
    const { page } = view;
    await page
      .getByRole('table', { name: 'Parts of the service' })
      .getByRole('row', { name: /^Cluster/ })
      .waitFor();
    await page.getByRole('table', { name: /^Background loops/ }).waitFor();
    await settled(view);
    expect(await page.getByRole('table', { name: 'Pods of the Deployment' }).count()).toBe(0);
    expectNoFaults(view);
  });
});
