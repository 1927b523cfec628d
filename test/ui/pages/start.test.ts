// The page Start in Chromium: the way there, its facts, the first task.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { expectAccessible } from '../support/accessible.ts';
import { makeSession } from '../support/monitor.ts';
import { expectNoFaults, openView, type PageView } from '../support/page-view.ts';

let service: TestService;
let browser: Browser;
let worker: ManualWorker;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  service = await openService({ config: { leaseSeconds: 3_600 } });
  browser = await launchChromium();
});
afterAll(async () => {
  if (chromiumProgram === undefined) return;
  await browser.close();
  await service[Symbol.asyncDispose]();
});

async function openPage(path: string, width = 1280): Promise<PageView> {
  const session = await makeSession(service, service.token('operator'));
  return openView(browser, service.url, session, { path, width });
}

describe.skipIf(chromiumProgram === undefined)('the page Start', () => {
  it('opens by itself while there is no task, and tells what is missing and how to get it [ui-4.16.1, ui-4.16.2]', async () => {
    await using view = await openPage('/v1/monitor/');
    const { page } = view;
    await page.waitForURL('**/v1/monitor/start');
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.getByRole('heading', { name: 'The service runs' }).waitFor();
    await page.getByRole('heading', { name: 'No worker is here' }).waitFor();
    await page.getByRole('heading', { name: 'No codebase is bound' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run it' }).count()).toBe(0);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('tells the worker, its agents and the codebase [ui-4.16.2]', async () => {
    worker = await service.worker(
      {
        name: 'here',
        agents: ['command'],
        agents_missing: [{ name: 'claude', reason: 'It is not on the path.' }],
        codebases: [{ name: 'web-app', path: '/srv/web-app' }],
      },
      'operator',
    );
    await using view = await openPage('/v1/monitor/start', 390);
    const { page } = view;
    await page.getByRole('heading', { name: 'The worker here is here' }).waitFor();
    await page.getByText('It found the agents command.').waitFor();
    await page.getByText('Not found: claude. It is not on the path.').waitFor();
    await page.getByRole('heading', { name: 'The codebase web-app is bound' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('runs the first task and lands on its page; afterwards it tells the branch [ui-4.16.1, ui-4.16.3, ui-4.16.4]', async () => {
    await using view = await openPage('/v1/monitor/start');
    const { page } = view;
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByRole('heading', { level: 1, name: 'A first task' }).waitFor();
    const id = new URL(page.url()).pathname.split('/')[4] ?? '';
    const { task } = (await service.call('GET', `/v1/agent/tasks/${id}`)).body;
    expect([task.agent_type, task.codebase_id]).toEqual(['command', worker.registered.codebases[0]?.codebase_id]);
    expect(task.prompt).toContain('```sh\n');

    const [held] = await worker.claim(1, id);
    if (held === undefined) throw new Error('not claimed');
    const diff =
      'diff --git a/HELLO.md b/HELLO.md\nnew file mode 100644\n--- /dev/null\n+++ b/HELLO.md\n@@ -0,0 +1 @@\n+Hello\n';
    await worker.report(held, [{ type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: diff }]);
    await worker.release(held, { status: 'completed', result: 'done' });

    await view.goto('/v1/monitor/start');
    await page.getByText(`git merge switchyard/${id}`).waitFor();
    await view.goto('/v1/monitor/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expectNoFaults(view);
  });
});
