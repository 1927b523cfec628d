// The cluster on the page of the health, in Chromium: pods, what holds restarts back, and callers that may not read it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testClusterConfig } from '../../support/builders/cluster-config.ts';
import { ForgedApi } from '../../support/cluster/forged-api.ts';
import { until } from '../../support/until.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram, openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

const opened = new AsyncDisposableStack();
let monitor: Monitor;
let names: string[];
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  const forged = opened.use(await ForgedApi.open(3));
  names = await forged.pods();
  await forged.setPod(names[1] ?? '', 'crash_loop');
  await forged.setPod(names[2] ?? '', 'cannot_start');
  await forged.setBudget(3);
  const cluster = { ...testClusterConfig, ...forged.connection, podName: names[0], reconcileSeconds: 1 };
  monitor = opened.use(await openMonitor({ service: { config: { cluster } } }));
  await until('the loop has checked the pods', async () => {
    const { body } = await monitor.service.call('GET', '/v1/k8s/status');
    return body.last_reconcile?.outcome === 'held_back';
  });
});
afterAll(() => opened.disposeAsync());

describe.skipIf(chromiumProgram === undefined)('the cluster on the page of the health', () => {
  it('[platform-1.5.12] shows the Deployment, its pods, and why an unhealthy one is not restarted', async () => {
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
    const pods = page.getByRole('table', { name: 'Pods of the Deployment' });
    await pods.getByRole('row', { name: names[0] }).getByText('Ready', { exact: true }).waitFor();
    const crashed = pods.getByRole('row', { name: names[1] });
    await crashed.getByText('Crashes in a loop').waitFor();
    await crashed.getByText('not restarted: the disruption budget does not allow it').waitFor();
    await pods.getByRole('row', { name: names[2] }).getByText('a restart does not help').waitFor();
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
