// The list of tasks: its filters as words, menus and chips, its news, its export, its keys, its menus of rows.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
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

const path = '/v1/monitor/tasks';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const focusedRow = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-row') ?? undefined);

describe.skipIf(chromiumProgram === undefined)('the filter of the list of tasks', () => {
  it('takes names in its words, and shows what it narrows as chips that drop it [ui-4.3.40]', async () => {
    await using view = await monitor.openPage({ path });
    const { page } = view;
    await link(page, 'Fix the login test').waitFor();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('codebase:web-app worker:build-7 login');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('codebase') === monitor.seed.codebaseId);
    expect(new URL(page.url()).searchParams.get('worker')).toBe(monitor.seed.worker.id);
    const chips = page.getByRole('list', { name: 'Filters in use' });
    await chips.getByText('Codebase: web-app').waitFor();
    await chips.getByText('Worker: build-7').waitFor();
    await page.getByRole('button', { name: 'Drop Words: login' }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('q'));
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Filter' }).inputValue())
      .toBe('codebase:web-app worker:build-7');
    expectNoFaults(view);
  });

  it('leaves out values that are none, with one notice [ui-3.1.40]', async () => {
    await using view = await monitor.openPage({ path });
    const { page } = view;
    const dropped = page.getByText('A part of the address was not understood and was left out.');
    for (const query of ['status=bogus', 'since=soon', 'ended=yesterday']) {
      await view.goto(`${path}?${query}`);
      await dropped.first().waitFor();
      await link(page, 'Fix the login test').first().waitFor();
      expect(await dropped.count()).toBe(1);
    }
    await view.goto(`/v1/monitor/tasks/${monitor.seed.tasks.completed}/output?line=first`);
    await dropped.first().waitFor();
    await view.goto('/v1/monitor/costs?from=2026-13-45');
    await dropped.first().waitFor();
    expectNoFaults(view);
  });

  it('is a sheet of menus on a phone, and says what does not fit [ui-4.3.41]', async () => {
    await using view = await monitor.openPage({ path, width: 390 });
    const { page } = view;
    await link(page, 'Fix the login test').waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('State', { exact: true }).selectOption({ label: 'Cancelled' });
    await sheet.getByLabel('Agent', { exact: true }).selectOption({ label: 'codex' });
    await sheet.getByRole('button', { name: 'Show the tasks (0)' }).tap();
    await page.getByText('No task fits.').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Drop Agent: codex' }).last().tap();
    await link(page, 'Draw a logo').waitFor();
    expectNoFaults(view);
  });

  it('is that of the export [ui-4.3.42]', async () => {
    await using view = await monitor.openPage({ path: `${path}?status=failed` });
    const { page } = view;
    await link(page, 'Rename the API').waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[2])).toEqual(['failed']);
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the news of the list of tasks', () => {
  it('count what fits and what does not fit any more, and nothing else [ui-3.3.41]', async () => {
    const { service, seed } = monitor;
    const fields = { codebase_id: seed.codebaseId, conversation_id: 'news' };
    const first = await service.task({ title: 'First of the news', ...fields }, 'operator');
    await using view = await monitor.openPage({ path: `${path}?status=pending&conversation=news` });
    const { page } = view;
    await link(page, 'First of the news').waitFor();
    await settled(view);
    // Neither of these fits: another conversation, and another state.
    await service.task({ title: 'Of another conversation', codebase_id: seed.codebaseId }, 'operator');
    await service.call('POST', `/v1/agent/tasks/${seed.tasks.pending}/cancel`, { as: 'operator', body: {} });
    await service.task({ title: 'Second of the news', ...fields }, 'operator');
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor();
    await service.call('POST', `/v1/agent/tasks/${first.id}/cancel`, { as: 'operator', body: {} });
    await page.getByRole('button', { name: '1 new, 1 changed', exact: true }).waitFor();
    await row(page, 'First of the news').getByText('Cancelled').waitFor();
    await page.getByRole('button', { name: '1 new, 1 changed', exact: true }).click();
    await link(page, 'Second of the news').waitFor();
    await link(page, 'First of the news').waitFor({ state: 'hidden' });
    expectNoFaults(view);
  });

  it('bring the worker of a row that has begun [ui-3.3.41]', async () => {
    const { service, seed } = monitor;
    const { id } = await service.task({ title: 'Begins in sight', codebase_id: seed.codebaseId }, 'operator');
    await using view = await monitor.openPage({ path: `${path}?q=Begins` });
    const { page } = view;
    await link(page, 'Begins in sight').waitFor();
    await seed.worker.claim(1, id);
    await row(page, 'Begins in sight').getByText('build-7').waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the rows of the list of tasks', () => {
  it('have their actions as a menu [ui-4.3.43]', async () => {
    const { service, seed } = monitor;
    const { id } = await service.task({ title: 'Has a menu', codebase_id: seed.codebaseId }, 'operator');
    await using view = await monitor.openPage({ path: `${path}?q=menu` });
    const { page } = view;
    await row(page, 'Has a menu').hover();
    await page.getByRole('button', { name: 'Actions of Has a menu' }).click();
    await page.getByRole('menuitem', { name: 'Copy id' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(id);
    await page.getByRole('button', { name: 'Actions of Has a menu' }).click();
    await page.getByRole('menuitem', { name: /^Cancel task/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel task' }).click();
    await until('it is cancelled', async () => {
      const { body } = await service.call('GET', `/v1/agent/tasks/${id}`);
      return body.task.status === 'cancelled';
    });
    expectNoFaults(view);
  });

  it('are walked by arrows, and selected in a range by a key [ui-4.18.40]', async () => {
    await using view = await monitor.openPage({ path: `${path}?conversation=login-tests` });
    const { page } = view;
    await link(page, 'Fix the login test').waitFor();
    for (const [key, place] of [
      ['ArrowDown', '0'],
      ['ArrowDown', '1'],
      ['ArrowUp', '0'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focusedRow(page)).toBe(place);
    }
    await page.keyboard.press('x');
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('4 selected').waitFor();
    expectNoFaults(view);
  });

  it('lead to their tasks, from each to the next and back to the list by keys [ui-4.18.41]', async () => {
    await using view = await monitor.openPage({ path: `${path}?status=completed,failed` });
    const { page } = view;
    await link(page, 'Fix the login test').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'Rename the API').waitFor();
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.press('j');
    await heading(page, 'Fix the login test').waitFor();
    await page.keyboard.press('k');
    await heading(page, 'Rename the API').waitFor();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
    await heading(page, 'Tasks').waitFor();
    expect(new URL(page.url()).search).toBe('?status=completed,failed');
    await view.goto(`/v1/monitor/fleet/${monitor.seed.worker.id}`);
    await heading(page, 'build-7').waitFor();
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('a change of many tasks', () => {
  it('takes a whole priority from 0 to 100, and the plan of the last one [ui-4.3.44]', async () => {
    const { service, seed } = monitor;
    const { id } = await service.task({ title: 'Gets a priority', codebase_id: seed.codebaseId }, 'operator');
    await using view = await monitor.openPage({ path: `${path}?q=priority` });
    const { page } = view;
    await page.getByLabel('Select Gets a priority').check();
    const plans: number[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/tasks/bulk')) return;
      const { priority }: { priority: number } = request.postDataJSON();
      plans.push(priority);
    });
    await page.getByRole('button', { name: 'Priority', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('1 of 1 can be changed so.').waitFor();
    const field = dialog.getByLabel('Priority, 0 to 100');
    await field.fill('');
    await dialog.getByText('Write a whole number from 0 to 100.').waitFor();
    const change = dialog.getByRole('button', { name: /^Change/ });
    await expect.poll(() => change.getAttribute('aria-disabled')).toBe('true');
    await field.fill('101');
    await expect.poll(() => change.getAttribute('aria-disabled')).toBe('true');
    await field.fill('70');
    await dialog.getByText('1 of 1 can be changed so.').waitFor();
    await change.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(plans).toEqual([50, 70, 70]);
    expect((await service.call('GET', `/v1/agent/tasks/${id}`)).body.task.priority).toBe(70);
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('a new task', () => {
  it('is given in a panel over any page, which keeps its heading [ui-4.4.40]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/fleet' });
    const { page } = view;
    await heading(page, 'Fleet').waitFor();
    await settled(view);
    await page.keyboard.press('n');
    const panel = page.getByRole('dialog', { name: 'New task' });
    await panel.getByLabel('Prompt', { exact: true }).fill('Given over the fleet');
    await expect.poll(() => page.locator('h1').innerText()).toBe('Fleet');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await page.keyboard.press('n');
    await expect.poll(() => panel.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Given over the fleet');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Given over the fleet').waitFor();
    await panel.waitFor({ state: 'hidden' });
    expectNoFaults(view);
  });
});
