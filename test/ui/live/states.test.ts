// What a page does when its clock is wrong, its session has ended, the service is away, or the stream begins anew.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnectionGate } from '../../support/worker/connection-gate.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { makeSession, openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, openView, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram !== undefined) monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const brokenConnection = [/ERR_CONNECTION_|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_SOCKET|Failed to fetch/];
const message = (page: Page) => page.getByLabel('Message', { exact: true });

let written = 2;
/** The agent of the running task writes a line. */
async function write(line: string): Promise<void> {
  const { worker, running } = monitor.seed;
  written += 1;
  const reply = await worker.report(running, [{ type: 'output', n: written, stream: 'agent', text: `${line}\n` }]);
  expect(reply.status).toBe(200);
}

describe.skipIf(chromiumProgram === undefined)('a page of the monitor', () => {
  it.each([-10, 10])(
    'tells ages by the clock of the service when its own is %s minutes off [ui-3.3.15]',
    async (off) => {
      const { id } = await monitor.service.task({ title: 'Young', codebase_id: monitor.seed.codebaseId }, 'operator');
      await using view = await monitor.openPage({ isOwn: true });
      await view.page.addInitScript((minutes) => {
        const now = Date.now.bind(Date);
        const Machine = Date;
        class Shifted extends Machine {
          constructor(...at: []) {
            if (at.length === 0) super(now() + minutes * 60_000);
            else super(...at);
          }
          static override now(): number {
            return now() + minutes * 60_000;
          }
        }
        Object.defineProperty(globalThis, 'Date', { value: Shifted });
      }, off);
      await view.goto(`/v1/monitor/tasks/${id}`);
      await settled(view);
      await view.page.getByText(/^Waits for (now|\d+ s)\b/).waitFor();
      expectNoFaults(view);
    },
  );

  it('keeps page and draft under the panel when its session was ended elsewhere, and goes on [ui-3.3.16]', async () => {
    const { service, browser, seed } = monitor;
    const session = await makeSession(service, service.token('operator'));
    const path = `/v1/monitor/tasks/${seed.tasks.running}/output`;
    await using view = await openView(browser, service.url, session, { path, expected: [/401 \(Unauthorized\)/] });
    const { page } = view;
    await page.getByText('src/upload.ts:12: upload(file)').waitFor();
    await page.getByRole('button', { name: 'Tell', exact: true }).click();
    await message(page).fill('Kept under the panel');
    await service.call('DELETE', `/v1/auth/sessions/${session.session_id}`, { token: session.access_token });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Sign in again' });
    await panel.getByLabel('Token').fill(service.token('operator'));
    await expect.poll(() => message(page).inputValue()).toBe('Kept under the panel');
    await panel.getByRole('button', { name: 'Sign in' }).click();
    await panel.waitFor({ state: 'hidden' });
    await write('after signing in again');
    await page.getByText('after signing in again', { exact: true }).waitFor();
    await expect.poll(() => message(page).inputValue()).toBe('Kept under the panel');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Message: ' }).first().waitFor();
    await service.task({ title: 'Seen by the new session' }, 'operator');
    await page.getByRole('link', { name: 'Tasks', exact: true }).first().click();
    await page.getByRole('link', { name: 'Seen by the new session' }).waitFor();
    await service.task({ title: 'Told by the stream' }, 'operator');
    await page.getByRole('link', { name: 'Told by the stream' }).waitFor();
    expectNoFaults(view);
  });

  it('has the panel at hand when its session was ended before any dialog was opened [ui-3.3.16]', async () => {
    const { service, browser, seed } = monitor;
    const session = await makeSession(service, service.token('operator'));
    const path = `/v1/monitor/tasks/${seed.tasks.running}/output`;
    await using view = await openView(browser, service.url, session, { path, expected: [/401 \(Unauthorized\)/] });
    const { page } = view;
    await page.getByText('src/upload.ts:12: upload(file)').waitFor();
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
    await service.call('DELETE', `/v1/auth/sessions/${session.session_id}`, { token: session.access_token });
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Token').waitFor();
    await expect.poll(() => page.getByText('src/upload.ts:12: upload(file)').isVisible()).toBe(true);
    expectNoFaults(view);
  });

  it('refuses to send while the service is away, keeps the text, and goes on by itself [ui-3.3.17]', async () => {
    const { service, browser, seed } = monitor;
    await using gate = await openConnectionGate(service.url);
    const session = await makeSession(service, service.token('operator'));
    const path = `/v1/monitor/tasks/${seed.tasks.running}/output`;
    await using view = await openView(browser, gate.url, session, { path, expected: brokenConnection });
    const { page } = view;
    await page.getByText('src/upload.ts:12: upload(file)').waitFor();
    await page.getByRole('button', { name: 'Tell', exact: true }).click();
    await message(page).fill('Written in a tunnel');
    gate.cut();
    await page.getByText(/^The service has not answered since/).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Not sent: the service cannot be reached. What you wrote is kept.').waitFor();
    await expect.poll(() => message(page).inputValue()).toBe('Written in a tunnel');
    await write('said in the tunnel');
    gate.mend();
    await page.evaluate('dispatchEvent(new Event("online"))');
    await page.getByText('said in the tunnel', { exact: true }).waitFor();
    await page.getByText(/^The service has not answered since/).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Message: ' }).first().waitFor();
    expectNoFaults(view);
  });

  it('reads its list again after a resync, and says so in one line [ui-3.3.18]', async () => {
    await using view = await monitor.openPage({ expected: brokenConnection });
    const { page } = view;
    let isHeld = true;
    await page.route('**/v1/monitor/stream*', async (route) => {
      if (isHeld) await route.abort();
      else await route.fulfill({ contentType: 'text/event-stream', body: 'event: resync\nid: 1\ndata: {}\n\n' });
    });
    await view.goto('/v1/monitor/tasks');
    await settled(view);
    await monitor.service.task({ title: 'Made behind its back' }, 'operator');
    isHeld = false;
    await page.getByRole('link', { name: 'Made behind its back' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Some updates were missed' }).first().waitFor();
  });
});
