// The page of one task: why it failed, what came of it, its attempts, its output as a file, its artifacts, links of lines.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { expectAccessible } from '../support/accessible.ts';
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

const track = (page: Page) => page.getByRole('list', { name: 'The life of the task' });

async function claim(id: string): Promise<AssignmentWire> {
  const [held] = await monitor.seed.worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  return held;
}

async function newTask(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  return (await monitor.service.task({ title, codebase_id: monitor.seed.codebaseId, ...fields }, 'operator')).id;
}

async function centreOf(control: Locator): Promise<{ x: number; y: number }> {
  const box = await control.boundingBox();
  if (box === null) throw new Error('The control is not drawn.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe.skipIf(chromiumProgram === undefined)('the page of a task', () => {
  it('shows the last lines of a failed one, and its retry as a switch of its line [ui-4.5.42, ui-9.4.40]', async () => {
    const { service, seed } = monitor;
    const retried = await service.call('POST', `/v1/agent/tasks/${seed.tasks.failed}/retry`, { as: 'operator' });
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${seed.tasks.failed}/attempts` });
    const { page } = view;
    await page.getByRole('group', { name: 'Last output' }).getByText('error TS2304').waitFor();
    await track(page).getByRole('listitem').filter({ hasText: 'retried as' }).getByRole('link').click();
    await page.waitForURL(`**/tasks/${retried.body.task.id}`);
    await track(page).getByText('retry of').waitFor();
    await view.goto(`/v1/monitor/tasks/${seed.tasks.completed}`);
    await track(page).getByText('followed up by').waitFor();
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('names base and trace among its facts [ui-4.5.43]', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body } = await monitor.service.call('POST', '/v1/agent/tasks', {
      as: 'operator',
      body: { title: 'On a base', prompt: 'x', codebase_id: 'global', metadata: { git_base: 'release-2' } },
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${body.task.id}` });
    await view.page.getByText(traceId).waitFor();
    await view.page.getByText('release-2').waitFor();
    expectNoFaults(view);
  });

  it('compares the attempts that are chosen [ui-4.5.44]', async () => {
    const id = await newTask('Tried three times');
    for (const n of [1, 2, 3]) {
      const held = await claim(id);
      if (n === 3) break;
      await monitor.seed.worker.release(held, { status: 'needs_input', message: { text: `Question ${n}?` } });
      await monitor.service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'operator', body: { message: 'Yes.' } });
    }
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${id}/attempts` });
    const { page } = view;
    await page.getByRole('link', { name: 'Compare attempts 2, 3' }).waitFor();
    await page.getByLabel('Compare attempt 2').uncheck();
    await page.getByText('Choose two to four attempts to compare.').waitFor();
    await page.getByLabel('Compare attempt 1').check();
    await page.getByRole('link', { name: 'Compare attempts 1, 3' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('attempts') === '1,3');
    expectNoFaults(view);
  });

  it('saves the output as a file, and opens addresses of a line by a menu that shows them whole [ui-5.1.42, ui-7.2.41]', async () => {
    const id = await newTask('Prints an address');
    const held = await claim(id);
    const text = 'Read https://evil.example/a?b=c#d, then (https://evil.example/e).\nDone.\n';
    await monitor.seed.worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text }]);
    await monitor.seed.worker.release(held, { status: 'completed', result: 'done' });
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${id}/output` });
    const { page } = view;
    await page.getByText('Done.', { exact: true }).waitFor();
    expect(await page.getByRole('log').getByRole('link', { name: /evil/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Addresses in line 1' }).click();
    const entries = await page.getByRole('menuitem').allTextContents();
    expect(entries).toEqual(['Open https://evil.example/a?b=c#d', 'Open https://evil.example/e']);
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`task-${id.slice(-8)}.log`);
    expect(await readFile(await download.path(), 'utf8')).toBe(text);
    expectNoFaults(view);
  });

  it('draws an artifact that is a picture by its bytes, and no other [ui-7.1.40]', async () => {
    const id = await newTask('Leaves pictures');
    const held = await claim(id);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    );
    await monitor.seed.worker.report(held, [
      { type: 'artifact', n: 1, name: 'shot.png', mime_type: 'text/plain', bytes: png },
      { type: 'artifact', n: 2, name: 'drawing.png', mime_type: 'image/png', bytes: svg },
      { type: 'artifact', n: 3, name: 'notes', mime_type: 'text/html', text: '<img src=x onerror=alert(1)>' },
    ]);
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${id}/raw` });
    const { page } = view;
    const artifact = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await artifact('shot.png').getByRole('button', { name: 'Show' }).click();
    const picture = page.getByRole('img', { name: 'Picture shot.png' });
    await picture.waitFor();
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/);
    await artifact('drawing.png').getByRole('button', { name: 'Show' }).click();
    await artifact('drawing.png').getByText('Its content is no text and no picture.').waitFor();
    await artifact('notes').getByRole('button', { name: 'Show' }).click();
    await artifact('notes').getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(1);
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the lines of a change', () => {
  it('are links by a press on their number, and a range by a drag [ui-3.1.41, ui-5.2.40]', async () => {
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${monitor.seed.tasks.completed}/changes` });
    const { page } = view;
    const comment = page.getByRole('button', { name: /^Comment on new line \d+$/ });
    await comment.first().waitFor();
    await settled(view);
    const lines = (await comment.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))).map(
      (name) => Number(/\d+$/.exec(name)?.[0]),
    );
    const first = lines.find((line) => lines.includes(line + 1)) ?? 0;
    const number = (line: number) =>
      page
        .locator('td.diff-gutter')
        .filter({ has: page.getByRole('button', { name: `Comment on new line ${line}`, exact: true }) });
    const box = await number(first).first().boundingBox();
    // Beside the button of a comment.
    const place = { x: (box?.x ?? 0) + (box?.width ?? 0) * 0.6, y: (box?.y ?? 0) + 8 };
    await page.mouse.click(place.x, place.y);
    await page.waitForURL(({ searchParams }) => searchParams.get('at') === `R${first}`);
    const { y } = await centreOf(number(first + 1).first());
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x, y, { steps: 4 });
    await page.mouse.up();
    await page.getByLabel(`Comment on new lines ${first} to ${first + 1}`).waitFor();
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    expectNoFaults(view);
  });

  it('are those of the files that the tree has by state and by what was looked at [ui-5.2.41]', async () => {
    await using view = await monitor.openPage({ path: `/v1/monitor/tasks/${monitor.seed.tasks.completed}/changes` });
    const { page } = view;
    const tree = page.getByRole('navigation', { name: 'Files' });
    await tree.getByText(/^viewed 0 of \d+$/).waitFor();
    const files = tree.getByRole('listitem').filter({ has: page.locator('abbr') });
    const all = await files.count();
    await tree.getByLabel('Which files').selectOption({ label: 'Added' });
    const added = await files.count();
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(all);
    await tree.getByLabel('Which files').selectOption({ label: 'With comments' });
    await tree.getByText('No file fits.').waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('a thing of the pages', () => {
  it('has a menu that copies it: question, conversation, PRD chat, key, delivery [ui-3.0.40]', async () => {
    const { seed } = monitor;
    await using view = await monitor.openPage();
    const { page } = view;
    const things = [
      [`/v1/monitor/questions/${seed.tasks.asking}`, 'Copy', seed.tasks.asking],
      [`/v1/monitor/conversations/${seed.conversationId}`, 'Copy', seed.conversationId],
      [`/dashboard/ralph/prd/${seed.prdSessionId}`, 'Copy', seed.prdSessionId],
      ['/v1/monitor/settings/keys', 'Copy ci of web-app', seed.keyId],
      [`/v1/monitor/tasks/${seed.tasks.completed}/deliveries`, /^Copy [0-9a-f-]{36}$/, undefined],
    ] as const;
    for (const [path, name, id] of things) {
      await view.goto(path);
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Copy id' }).click();
      const copied: unknown = await page.evaluate('navigator.clipboard.readText()');
      expect([path, copied]).toEqual([path, id ?? expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    }
    expectNoFaults(view);
  });

  it('has its exact time while its row has the focus [ui-8.0.40]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks?status=completed' });
    const { page } = view;
    await page.getByRole('link', { name: 'Fix the login test' }).first().focus();
    const time = page.getByRole('row').filter({ hasText: 'Fix the login test' }).first().locator('time');
    const shown = await time.evaluate((element) => getComputedStyle(element, '::after').content);
    expect(shown).toContain(String(new Date().getFullYear()));
    expectNoFaults(view);
  });

  it('that failed leads to its entry in the audit [ui-3.2.41]', async () => {
    await using view = await monitor.openPage({ expected: [/500/] });
    const { page } = view;
    const problem = {
      type: 'about:blank',
      title: 'Failed',
      status: 500,
      code: 'internal',
      detail: 'It broke.',
      request_id: 'request-7',
    };
    await page.route('**/v1/agent/tasks?*', (route) => route.fulfill({ status: 500, json: problem }));
    await view.goto('/v1/monitor/tasks');
    await page.getByText('It broke.').waitFor();
    await page.getByRole('link', { name: 'Its entry in the audit' }).click();
    await page.waitForURL('**/audit?request=request-7');
  });
});
