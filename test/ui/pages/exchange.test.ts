// The exchange of a task with a long log: read from its end, in pages, and only where it is looked at.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

let monitor: Monitor;
let id: string;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  const { service, seed } = monitor;
  id = (await service.task({ title: 'Says a lot', codebase_id: seed.codebaseId }, 'operator')).id;
  const [held] = await seed.worker.claim(1, id);
  if (held === undefined) throw new Error('the task was not claimed');
  const events = Array.from({ length: 120 }, (_, i) =>
    i % 2 === 0
      ? { type: 'output', n: i + 1, stream: 'agent', text: `step ${i}\n` }
      : { type: 'message', n: i + 1, role: 'agent', parts: [{ text: `message ${(i + 1) / 2}.` }] },
  );
  await seed.worker.report(held, events);
  await seed.worker.release(held, { status: 'needs_input', message: { text: 'Is that all?' } });
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

/** The queries of the calls for events of the task, as they are made. */
function noteEventCalls(page: Page): string[] {
  const queries: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/v1/agent/tasks/${id}/events`) queries.push(search);
  });
  return queries;
}

describe.skipIf(chromiumProgram === undefined)('the exchange of a task', () => {
  it('is read from its end, and further back on demand [ui-4.5.40]', async () => {
    await using view = await monitor.openPage();
    const { page } = view;
    const queries = noteEventCalls(page);
    await view.goto(`/v1/monitor/tasks/${id}/exchange`);
    const exchange = page.getByRole('region', { name: 'Exchange' });
    await exchange.getByText('message 60.').waitFor();
    await exchange.getByText('Is that all?').waitFor();
    // It is read once more when the stream of the page begins.
    const [asked, ...others] = new Set(queries);
    expect(asked).toContain('types=message%2Cstatus');
    expect(others).toEqual([]);
    expect(await exchange.getByText('message 1.', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Earlier messages' }).click();
    await exchange.getByText('message 1.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Earlier messages' }).waitFor({ state: 'detached' });
    const numbers = await exchange.getByText(/^message \d+\.$/).allTextContents();
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, i) => `message ${i + 1}.`));
    expectNoFaults(view);
  });

  it('is not read by the page of a question before it is unfolded [ui-4.2.40]', async () => {
    await using view = await monitor.openPage();
    const { page } = view;
    const queries = noteEventCalls(page);
    await view.goto(`/v1/monitor/questions/${id}`);
    await page.getByLabel('Your answer', { exact: true }).waitFor();
    await settled(view);
    expect(queries).toEqual([]);
    await page.getByText('The exchange so far').click();
    await page.getByText('message 60.').waitFor();
    expect(new Set(queries).size).toBe(1);
    expectNoFaults(view);
  });
});
