// The page Compare in Chromium: two tasks, their files and patches, the one that is taken, the rest cancelled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const filePatch = (path: string, text: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n-old\n+${text}\n`;

async function held(title: string) {
  const { worker, codebaseId } = monitor.seed;
  const { id } = await monitor.service.task({ title, codebase_id: codebaseId }, 'operator');
  const [assignment] = await worker.claim(1, id);
  if (assignment === undefined) throw new Error(`${id} was not claimed`);
  return { id, assignment };
}

async function changed(title: string, patch: string, usage: Record<string, number>): Promise<string> {
  const { id, assignment } = await held(title);
  const { worker } = monitor.seed;
  await worker.report(assignment, [{ type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: patch }]);
  await worker.release(assignment, { status: 'completed', result: 'Done.\n14 tests passed', usage });
  return id;
}

async function twoTasks(): Promise<[string, string]> {
  const one = await changed('With lax', filePatch('src/a.ts', 'lax') + filePatch('src/same.ts', 'same'), {
    input_tokens: 1_000,
    output_tokens: 200,
    cost_usd: 0.25,
  });
  const other = await changed(
    'With none',
    filePatch('src/a.ts', 'none') + filePatch('src/same.ts', 'same') + filePatch('src/b.ts', 'more'),
    { input_tokens: 10, output_tokens: 2 },
  );
  return [one, other];
}

describe.skipIf(chromiumProgram === undefined)('the page Compare', () => {
  it('has facts as columns, files by their hunks, patches side by side, and one to take [ui-4.6.1, ui-4.6.2]', async () => {
    const [one, other] = await twoTasks();
    await using view = await monitor.openPage({ path: `/v1/monitor/compare?ids=${one},${other}` });
    const { page } = view;
    await settled(view);
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    const facts = page.getByRole('region', { name: 'The compared tasks' });
    const row = async (name: string): Promise<string[]> =>
      facts
        .getByRole('row', { name: new RegExp(`^${name} `) })
        .getByRole('cell')
        .allInnerTexts();
    await facts.getByRole('link', { name: 'With lax' }).waitFor();
    expect(await row('State')).toEqual(['Completed', 'Completed']);
    expect(await row('Tokens')).toEqual(['1,200', '12']);
    expect(await row('Cost')).toEqual(['$0.25', 'unpriced']);
    expect(await row('Files')).toEqual(['2', '3']);
    expect(await row('Lines')).toEqual(['+2 −2', '+3 −3']);
    expect(await row('Tests said')).toEqual(['14 tests passed', '14 tests passed']);
    const files = page.getByRole('region', { name: 'The changed files' });
    const verdict = (path: string) =>
      files
        .getByRole('row', { name: `Patches of ${path}` })
        .getByRole('cell')
        .first();
    await expect.poll(() => verdict('src/a.ts').innerText()).toBe('different');
    await expect.poll(() => verdict('src/same.ts').innerText()).toBe('equal');
    await expect.poll(() => verdict('src/b.ts').innerText()).toBe('only in 1');
    await files.getByRole('button', { name: 'Patches of src/a.ts' }).press('Enter');
    const patches = page.getByRole('region', { name: 'The patches of src/a.ts' });
    await patches.getByRole('article', { name: 'With lax' }).getByText('lax', { exact: true }).waitFor();
    await patches.getByRole('article', { name: 'With none' }).getByText('none', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('file')).toBe('src/a.ts');
    await page.getByRole('button', { name: 'Take this one: With none' }).press('Enter');
    await until(
      'the command',
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === `git merge switchyard/${other}`,
    );
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('cancels the rest after asking [ui-4.6.3]', async () => {
    const [one] = await twoTasks();
    const running = await held('Still at work');
    await using view = await monitor.openPage({ path: `/v1/monitor/compare?ids=${one},${running.id}` });
    const { page } = view;
    await page.getByRole('button', { name: 'Cancel the rest' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Cancel 1 task?' });
    await dialog.getByText('Still at work').waitFor();
    expect(await dialog.getByText('With lax').count()).toBe(0);
    await until('the focus', async () =>
      dialog.getByRole('button', { name: 'Keep them' }).evaluate((button) => button === document.activeElement),
    );
    await dialog.getByRole('button', { name: 'Cancel 1 task' }).click();
    await until('the end of the rest', async () => {
      const { body } = await monitor.service.call('GET', `/v1/agent/tasks/${running.id}`, { as: 'operator' });
      return body.task.status === 'cancelled';
    });
    expectNoFaults(view);
  });

  it('compares attempts of one task, each by its own diff [ui-4.6.4]', async () => {
    const { worker } = monitor.seed;
    const first = await held('Tried twice');
    await worker.report(first.assignment, [
      { type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: filePatch('src/a.ts', 'first try') },
    ]);
    await worker.release(first.assignment, { status: 'needs_input', message: { text: 'Which?' } });
    await monitor.service.call('POST', `/v1/agent/tasks/${first.id}/input`, {
      as: 'operator',
      body: { message: 'The other.' },
    });
    const [second] = await worker.claim(1, first.id);
    if (second === undefined) throw new Error('The second attempt was not claimed.');
    await worker.report(second, [
      { type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: filePatch('src/a.ts', 'second try') },
    ]);
    await worker.release(second, { status: 'completed', result: 'Done.' });
    await using view = await monitor.openPage({
      path: `/v1/monitor/compare?task=${first.id}&attempts=1,2&file=src/a.ts`,
    });
    const { page } = view;
    await page.getByRole('article', { name: 'Attempt 1' }).getByText('first try').waitFor();
    await page.getByRole('article', { name: 'Attempt 2' }).getByText('second try').waitFor();
    const older = page.getByRole('button', { name: /Take this one: Attempt 1/ });
    await expect.poll(() => older.getAttribute('title')).toBe('Its branch has a later attempt');
    expectNoFaults(view);
  });

  it('fits a phone, and says what is missing [ui-4.6.5]', async () => {
    const [one, other] = await twoTasks();
    await using view = await monitor.openPage({
      path: `/v1/monitor/compare?ids=${one},${other}&file=src/a.ts`,
      width: 390,
      expected: [/404/],
    });
    const { page } = view;
    await page.getByRole('article', { name: 'With none' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    await view.goto('/v1/monitor/compare');
    await page.getByText('Nothing to compare').waitFor();
    await view.goto(`/v1/monitor/compare?ids=${one},00000000-0000-7000-8000-000000000000`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expectNoFaults(view);
  });
});
