// Several tabs of one browser: they share one stream of the monitor, whichever of them leads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { makeSession, openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, openView, settled, type PageView } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram !== undefined) monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

interface NotedStreams {
  /** What each request for the monitor's stream gave as the last known frame. */
  readonly lastIds: (string | undefined)[];
}

function noteStreams({ context }: PageView): NotedStreams {
  const lastIds: (string | undefined)[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/monitor/stream') lastIds.push(request.headers()['last-event-id']);
  });
  return { lastIds };
}

async function openFirst(): Promise<PageView> {
  const session = await makeSession(monitor.service, monitor.service.token('operator'));
  return openView(monitor.browser, monitor.service.url, session);
}

describe.skipIf(chromiumProgram === undefined)('the tabs of one browser', () => {
  it('are all answered: three lists and three tasks whose output is followed [ui-3.3.12]', async () => {
    await using first = await openFirst();
    const streams = noteStreams(first);
    await first.goto('/v1/monitor/tasks');
    await settled(first);
    const task = `/v1/monitor/tasks/${monitor.seed.tasks.running}/output`;
    const tabs = [first];
    for (const path of ['/v1/monitor/tasks', '/v1/monitor/tasks', task, task, task]) {
      const tab = await first.openTab(path);
      await settled(tab);
      tabs.push(tab);
    }
    const followers = tabs.slice(3);
    for (const { page } of followers) {
      await page.getByText('src/upload.ts:12: upload(file)').waitFor();
      await page.getByRole('button', { name: 'Tell', exact: true }).click();
      await page.getByLabel('Message', { exact: true }).fill('All is well.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Message: ' }).first().waitFor();
    }
    expect(streams.lastIds).toEqual([undefined]);
    for (const tab of tabs) expectNoFaults(tab);
  });

  it('go on from the last frame when the tab that leads is closed [ui-3.3.13]', async () => {
    await using first = await openFirst();
    const streams = noteStreams(first);
    await first.goto('/v1/monitor/tasks');
    await settled(first);
    const second = await first.openTab('/v1/monitor/tasks');
    await settled(second);
    await monitor.service.task({ title: 'While the first leads' }, 'operator');
    await second.page.getByRole('link', { name: 'While the first leads' }).waitFor();
    expect(streams.lastIds).toHaveLength(1);
    await first.page.close();
    await monitor.service.task({ title: 'Between two leaders' }, 'operator');
    await second.page.getByRole('link', { name: 'Between two leaders' }).waitFor();
    await until('the second tab leads', () => streams.lastIds.length === 2);
    expect(streams.lastIds[1]).toMatch(/\S/);
    expectNoFaults(second);
  });

  it('sign in and out together: a session of one is that of the others [ui-3.3.14]', async () => {
    await using first = await openFirst();
    await first.goto('/v1/monitor/tasks');
    await settled(first);
    const second = await first.openTab('/v1/monitor/tasks');
    await settled(second);
    await first.page.getByRole('button', { name: 'operator', exact: true }).click();
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.page.getByLabel('Token').waitFor();
  });
});
