// The end of an output: that of a task which ended while its page was hidden, and that of one attempt beside the next.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { until } from '../../support/until.ts';
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

async function claim(id: string): Promise<AssignmentWire> {
  const [held] = await monitor.seed.worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  return held;
}

async function write(held: AssignmentWire, n: number, text: string): Promise<void> {
  const { status } = await monitor.seed.worker.report(held, [{ type: 'output', n, stream: 'agent', text }]);
  expect(status).toBe(200);
}

async function newTask(title: string): Promise<string> {
  return (await monitor.service.task({ title, codebase_id: monitor.seed.codebaseId }, 'operator')).id;
}

/** The page gives up its stream as soon as it is hidden, where it would wait for half a minute. */
function hideAtOnce(): void {
  const wait = globalThis.setTimeout.bind(globalThis);
  Object.defineProperty(globalThis, 'setTimeout', {
    value: (run: () => void, ms?: number) => wait(run, ms === 30_000 && document.hidden ? 0 : ms),
  });
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

describe.skipIf(chromiumProgram === undefined)('the output of a task', () => {
  it('is whole after the task ended while the page was hidden [ui-5.1.40]', async () => {
    const id = await newTask('Ends unseen');
    const held = await claim(id);
    await write(held, 1, 'seen\n');
    await using view = await monitor.openPage({ isOwn: true });
    const { page } = view;
    await page.addInitScript(hideAtOnce);
    let streams = 0;
    const isStream = (url: string): boolean => new URL(url).pathname === `/v1/agent/tasks/${id}/events`;
    page.on('request', (request) => (streams += isStream(request.url()) ? 1 : 0));
    page.on('requestfailed', (request) => (streams -= isStream(request.url()) ? 1 : 0));
    await view.goto(`/v1/monitor/tasks/${id}/output`);
    await page.getByText('seen', { exact: true }).waitFor();
    await until('it is followed', () => streams === 1);
    await setHidden(page, true);
    await until('its stream is given up', () => streams === 0);
    for (let n = 2; n <= 4; n++) await write(held, n, `unseen ${n}\n`);
    await monitor.seed.worker.release(held, { status: 'completed', result: 'done' });
    // No stream brings the rest.
    await page.route(
      (url) => isStream(url.href),
      () => undefined,
    );
    await setHidden(page, false);
    await page.getByRole('button', { name: 'Follow up', exact: true }).waitFor();
    await page.getByText('unseen 4', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Plain text' }).click();
    const text = await page.getByRole('log', { name: 'Output' }).locator('pre').innerText();
    expect(text.trim().split('\n')).toEqual(['seen', 'unseen 2', 'unseen 3', 'unseen 4']);
    expectNoFaults(view);
  });

  it('is that of one attempt alone while the next one writes [ui-5.1.41]', async () => {
    const id = await newTask('Has two attempts');
    const first = await claim(id);
    await write(first, 1, 'of the first\n');
    await monitor.seed.worker.release(first, { status: 'needs_input', message: { text: 'Go on?' } });
    await monitor.service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'operator', body: { message: 'Yes.' } });
    const second = await claim(id);
    await write(second, 1, 'of the second\n');
    await using earlier = await monitor.openPage({ path: `/v1/monitor/tasks/${id}/output?attempt=1` });
    await earlier.page.getByText('of the first', { exact: true }).waitFor();
    await using later = await monitor.openPage({ path: `/v1/monitor/tasks/${id}/output?attempt=2` });
    await later.page.getByText('of the second', { exact: true }).waitFor();
    await write(second, 2, 'more of the second\n');
    await later.page.getByText('more of the second', { exact: true }).waitFor();
    await settled(earlier);
    expect(await earlier.page.getByText('of the second').count()).toBe(0);
    expect(await later.page.getByText('of the first').count()).toBe(0);
    await earlier.goto(`/v1/monitor/tasks/${id}/output?attempt=99`);
    await earlier.page.getByText('This task has no attempt 99.').waitFor();
    for (const view of [earlier, later]) expectNoFaults(view);
  });
});
