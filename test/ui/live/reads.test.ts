// What frames make a page read again: each answer at most every five seconds, and the questions whatever else waits.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function countCalls(page: Page, isCounted: (path: string) => boolean): () => number {
  let calls = 0;
  page.on('request', (request) => (calls += isCounted(new URL(request.url()).pathname) ? 1 : 0));
  return () => calls;
}

describe.skipIf(chromiumProgram === undefined)('the frames of the streams', () => {
  it('make a busy task be read a few times, not once for each event [ui-3.3.40]', async () => {
    const { service, seed } = monitor;
    const { id } = await service.task({ title: 'Busy', codebase_id: seed.codebaseId }, 'operator');
    const [held] = await seed.worker.claim(1, id);
    if (held === undefined) throw new Error('the task was not claimed');
    await using view = await monitor.openPage();
    const { page } = view;
    const taskCalls = countCalls(page, (path) => path === `/v1/agent/tasks/${id}`);
    const listCalls = countCalls(page, (path) => path === '/v1/monitor/attention');
    const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/monitor/stream');
    await view.goto(`/v1/monitor/tasks/${id}/output`);
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    // Everything is read once more when the stream begins.
    await stream;
    await settled(view);
    const [before, listBefore] = [taskCalls(), listCalls()];
    const began = Date.now();
    let n = 0;
    for (let batch = 0; batch < 30; batch++) {
      const message = { type: 'message', n: (n += 1), role: 'agent', parts: [{ text: `word ${batch}` }] };
      const artifact = { type: 'artifact', n: (n += 1), name: `file ${batch}`, text: 'x' };
      const output = { type: 'output', n: (n += 1), stream: 'agent', text: `line ${batch}\n` };
      await seed.worker.report(held, [message, artifact, output]);
      await page.getByText(`line ${batch}`, { exact: true }).waitFor();
    }
    await settled(view);
    // One at once, then one for each five seconds that this took.
    const most = 2 + Math.floor((Date.now() - began) / 5_000);
    expect(taskCalls() - before).toBeLessThanOrEqual(most);
    expect(listCalls() - listBefore).toBe(0);
    expectNoFaults(view);
  });

  it('tell nothing of what came before the first of them, which is read again [ui-3.3.43]', async () => {
    const { service, seed } = monitor;
    await using view = await monitor.openPage();
    const { page } = view;
    const opened = Promise.withResolvers<void>();
    await page.route('**/v1/monitor/stream*', async (route) => {
      await opened.promise;
      await route.continue();
    });
    await view.goto('/v1/monitor/tasks');
    await page.getByRole('link', { name: 'Rename the API', exact: true }).first().waitFor();
    await service.task({ title: 'Made before the stream', codebase_id: seed.codebaseId }, 'operator');
    opened.resolve();
    await page.getByRole('link', { name: 'Made before the stream', exact: true }).first().waitFor();
    expectNoFaults(view);
  });

  it('count questions, however many other things wait that are newer [ui-4.2.41]', async () => {
    await using view = await monitor.openPage();
    const { page } = view;
    const item = {
      title: '',
      about: { kind: 'task', id: 't' },
      text: 'x',
      asked_at: new Date().toISOString(),
      link: '/',
    };
    await page.route('**/v1/monitor/attention*', async (route) => {
      const kinds = new URL(route.request().url()).searchParams.get('kinds')?.split(',') ?? [];
      const isAsking = kinds.includes('task_question') && !kinds.includes('dead_delivery');
      const items = isAsking
        ? [{ ...item, kind: 'task_question', id: 'question' }]
        : Array.from({ length: 100 }, (_, i) => ({ ...item, kind: 'dead_delivery', id: `dead ${i}` }));
      await route.fulfill({ json: { items, next_cursor: null } });
    });
    await view.goto('/v1/monitor/tasks');
    await settled(view);
    expect(await page.title()).toMatch(/^\(1\) Tasks/);
    await page.getByRole('link', { name: 'Questions 1 question waits for an answer' }).waitFor();
  });
});
