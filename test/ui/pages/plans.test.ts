// Schedules and objectives in Chromium: made, decided and followed by keys and by touch; refusals; roles.
import type { Page } from 'playwright-core';
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

const schedules = '/v1/monitor/schedules';
const objectives = '/v1/monitor/objectives';
const phone = { width: 390, theme: 'dark' } as const;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true });
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const times = (page: Page) => page.getByRole('dialog').getByRole('status').getByRole('listitem');
const widthOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

async function tab(page: Page, presses: number): Promise<void> {
  for (let i = 0; i < presses; i += 1) await page.keyboard.press('Tab');
}

async function objective(title: string): Promise<string> {
  const key_results = [{ title: 'Median below 200 ms' }, { title: 'Load test', measure: { kind: 'milestone' } }];
  const task_template = { codebase_id: monitor.seed.codebaseId };
  const body = { objective: title, key_results, task_template };
  return (await monitor.service.call('POST', '/v1/okr', { as: 'operator', body })).body.okr.okr_id;
}

/** A worker does the open tasks of an objective's run, and leaves a report of this progress. */
async function work(id: string, progress: number): Promise<void> {
  const { okr } = (await monitor.service.call('GET', `/v1/okr/${id}`)).body;
  const { run } = (await monitor.service.call('GET', `/v1/okr/${id}/runs/${okr.open_run_id}`)).body;
  for (const { task_id } of run.items) {
    const held = await claim(task_id);
    const data = { summary: 'Cached the prices.', evidence: ['make bench: 320 ms'], progress };
    await monitor.seed.worker.report(held, [
      { type: 'artifact', n: 1, name: 'okr-progress', mime_type: 'application/json', data },
    ]);
    await monitor.seed.worker.release(held, { status: 'completed' });
  }
}

async function claim(id: string): Promise<AssignmentWire> {
  const [held] = await monitor.seed.worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  return held;
}

describe.skipIf(chromiumProgram === undefined)('the schedules', () => {
  it('make one by keys alone, with its next five times before it is made [ui-16.3.1, ui-16.3.3]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks', expected: [/400/] });
    const { page } = view;
    await settled(view);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await heading(page, 'Schedules').waitFor();
    await page.keyboard.press('a');
    await field(page, 'Name').waitFor();
    await page.keyboard.type('Dependencies');
    await tab(page, 2);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0 3 * *');
    await page.getByRole('dialog').getByText('field', { exact: false }).first().waitFor();
    await expect.poll(() => field(page, 'Expression').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type(' 1');
    await tab(page, 1);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Europe/Berlin');
    await times(page)
      .nth(4)
      .filter({ hasText: 'Mon' })
      .filter({ hasText: '03:00' })
      .filter({ hasText: /\+0[12]:00/ })
      .waitFor();
    expect(await times(page).count()).toBe(5);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a prompt.').waitFor();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Dependencies');
    await tab(page, 1);
    await page.keyboard.type('Update what is old.');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Dependencies').waitFor();
    await page.getByText('Next five times').waitFor();
    const { cronjob } = (await monitor.service.call('GET', `/v1/cronjobs/${idOf(page)}`)).body;
    expect(cronjob).toMatchObject({
      cron: '0 3 * * 1',
      timezone: 'Europe/Berlin',
      enabled: true,
      task_template: { prompt: 'Update what is old.' },
    });
    await page.keyboard.press('r');
    await notice(page, 'The task is created.').waitFor();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link', { name: 'Open the task' }).waitFor();
    await page.keyboard.press('p');
    await notice(page, 'The schedule is disabled.').waitFor();
    await button(page, /^Enable/).waitFor();
    await page.keyboard.press('e');
    await field(page, 'Name').fill('Dependencies of the shop');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Dependencies of the shop').waitFor();
    expectNoFaults(view);
  });

  it('make, edit and run one on a phone by touch [ui-16.3.2]', async () => {
    await using view = await monitor.openPage({ ...phone, path: schedules });
    const { page } = view;
    await button(page, /^New schedule/).tap();
    await field(page, 'Name').fill('Report');
    await field(page, 'How often').selectOption({ label: 'Each Monday at 9:00' });
    await times(page).nth(4).filter({ hasText: 'Mon' }).waitFor();
    await expect.poll(() => field(page, 'Expression').inputValue()).toBe('0 9 * * MON');
    await field(page, 'Prompt').fill('Write the report.');
    await field(page, 'Codebase').selectOption({ label: 'web-app' });
    await page.getByText('More', { exact: true }).last().tap();
    await field(page, 'While an earlier task runs').selectOption({ label: 'Create another task' });
    await settled(view);
    await expectAccessible(page);
    await button(page, 'Create schedule').tap();
    await heading(page, 'Report').waitFor();
    await button(page, /^Run now/).tap();
    await notice(page, 'The task is created.').waitFor();
    await button(page, /^Edit/).tap();
    await field(page, 'Expression').fill('@daily');
    await times(page).nth(4).filter({ hasText: '12:00' }).waitFor();
    await button(page, 'Save').tap();
    await notice(page, 'The schedule is saved.').waitFor();
    const { cronjob } = (await monitor.service.call('GET', `/v1/cronjobs/${idOf(page)}`)).body;
    expect(cronjob).toMatchObject({
      cron: '@daily',
      overlap: 'allow',
      task_template: { codebase_id: monitor.seed.codebaseId },
    });
    await settled(view);
    await expectAccessible(page);
    expect(await widthOf(page)).toBe(390);
    expectNoFaults(view);
  });

  it('list by state and name, and show what became of due times [ui-16.3.4, ui-16.3.5]', async () => {
    await using view = await monitor.openPage({ path: `${schedules}?state=off` });
    const { page } = view;
    await page.getByRole('link', { name: 'Nightly tests' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.keyboard.press('Enter');
    await page.getByText('No schedule fits.').waitFor();
    await page.getByRole('link', { name: 'Show all schedules' }).click();
    await page.getByRole('link', { name: 'Nightly tests' }).click();
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
    await rows.nth(4).waitFor();
    const shown = async (): Promise<string[]> =>
      (await rows.allInnerTexts()).slice(1).map((row) => row.split('\n').slice(1).join(' | '));
    await expect
      .poll(shown)
      .toEqual([
        'Failed | due time | Two tests fail.',
        'Completed | due time',
        'Skipped | due time | An earlier task was not finished.',
        'Missed | due time | 3 due times',
      ]);
    await page.getByRole('link', { name: 'Skipped', exact: true }).click();
    await page.waitForURL('**?status=skipped');
    await expect.poll(() => rows.count()).toBe(2);
    expectNoFaults(view);
  });

  it('of an empty tenant show the command that makes one [ui-16.3.5, ui-16.4.4]', async () => {
    await using view = await monitor.openPage({ role: 'admin', path: `${schedules}/${monitor.seed.cronjobId}` });
    const { page } = view;
    await button(page, 'Delete').click();
    await page.getByRole('alertdialog', { name: 'Delete the schedule Nightly tests?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect((await monitor.service.call('GET', `/v1/cronjobs/${monitor.seed.cronjobId}`)).status).toBe(200);
    await monitor.service.call('POST', '/v1/auth/tenants', { as: 'admin', body: { tenant_id: 'acme', name: 'Acme' } });
    for (const [path, command] of [
      [schedules, "switchyard cron create nightly '0 3 * * *'"],
      [objectives, 'switchyard okr create'],
    ] as const) {
      await view.goto(`${path}?tenant=acme`);
      await page.getByText(command).waitFor();
    }
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the objectives', () => {
  it('create, approve and run one by keys alone, and follow the run [ui-16.4.1]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks' });
    const { page } = view;
    await settled(view);
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await heading(page, 'Objectives').waitFor();
    await page.keyboard.press('a');
    await field(page, 'Objective').waitFor();
    await page.keyboard.type('Prices load fast');
    await field(page, 'Codebase of its tasks').press('w');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Prices load fast').waitFor();
    await page.getByText('Draft', { exact: true }).first().waitFor();
    await button(page, 'Add key result').press('Enter');
    await field(page, 'Key result').waitFor();
    await page.keyboard.type('Median below 200 ms');
    await page.keyboard.press('Control+Enter');
    await notice(page, 'The key result is added.').waitFor();
    await page.keyboard.press('a');
    await field(page, 'Reason (optional)').waitFor();
    await page.keyboard.type('Worth it.');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await notice(page, 'The objective is approved.').waitFor();
    await page.getByText('Approved', { exact: true }).first().waitFor();
    await page.keyboard.press('s');
    await field(page, 'Instructions').waitFor();
    await page.keyboard.type('Measure first.');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Prices load fast').waitFor();
    await page.getByRole('heading', { name: 'Open run' }).waitFor();
    await page.getByRole('link', { name: 'Open the task' }).waitFor();
    await work(idOf(page), 40);
    await page.getByRole('heading', { name: 'Open run' }).waitFor({ state: 'detached' });
    await page.getByText('0 % to 40 %').waitFor();
    await page.getByText('Cached the prices.').waitFor();
    await page.getByText('make bench: 320 ms').waitFor();
    await page.getByText('40 %', { exact: true }).first().waitFor();
    await settled(view);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('approve, run and report on one on a phone by touch [ui-16.4.2]', async () => {
    const id = await objective('Touch is enough');
    await using view = await monitor.openPage({ ...phone, path: `${objectives}?status=draft` });
    const { page } = view;
    await page.getByRole('link', { name: 'Touch is enough' }).tap();
    await button(page, /^Approve/).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).tap();
    await notice(page, 'The objective is approved.').waitFor();
    await button(page, 'Report on Load test').tap();
    await field(page, 'Reached').tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Report', exact: true }).tap();
    await notice(page, 'The report is saved.').waitFor();
    await page.getByText('1 of 2 completed').waitFor();
    await button(page, /^Start run/).tap();
    await settled(view);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Start run', exact: true }).tap();
    await page.getByRole('link', { name: 'Open the task' }).waitFor();
    await work(id, 100);
    await page.getByText('2 of 2 completed').waitFor();
    await page.getByText('Reported', { exact: true }).waitFor();
    await settled(view);
    await expectAccessible(page);
    expect(await widthOf(page)).toBe(390);
    expectNoFaults(view);
  });

  it('refuse a decision that another came before, and show the newer state [ui-16.4.3, ui-16.4.4]', async () => {
    const id = await objective('Decided twice');
    await using view = await monitor.openPage({ path: `${objectives}/${id}`, expected: [/409/] });
    const { page } = view;
    await button(page, /^Deny/).click();
    await field(page, 'Reason (optional)').waitFor();
    const path = `/v1/okr/${id}`;
    await monitor.service.call('PUT', path, { as: 'admin', body: { status: 'approved', reason: 'Do it.' } });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Do it.').waitFor();
    await button(page, /^Start run/).waitFor();
    expect((await monitor.service.call('GET', path)).body.okr.status).toBe('approved');
    await button(page, /^Deny/).click();
    await page.keyboard.press('Control+Enter');
    await notice(page, 'The objective is denied.').waitFor();
    expect((await monitor.service.call('GET', path)).body.okr.status).toBe('denied');
    expectNoFaults(view);
  });

  it('and schedules name the permission that a role lacks [ui-16.5.1]', async () => {
    const { cronjobId, okrId } = monitor.seed;
    await using agent = await monitor.openPage({ role: 'agent', path: schedules });
    await agent.page.getByText('This page needs the permission cronjobs:read. You are agent.').waitFor();
    await agent.goto(`${objectives}/${okrId}`);
    await agent.page.getByText('This page needs the permission okr:read. You are agent.').waitFor();
    expectNoFaults(agent);
    await using viewer = await monitor.openPage({
      role: 'viewer',
      path: `${schedules}/${cronjobId}`,
      expected: [/404/],
    });
    await button(viewer.page, /^Run now \(.*cronjobs:write.*viewer/).waitFor();
    await viewer.goto(`${objectives}/${okrId}`);
    await button(viewer.page, /^Start run \(.*okr:write.*viewer/).waitFor();
    const gone = '01900000-0000-7000-8000-000000000000';
    for (const path of [schedules, objectives]) {
      await viewer.goto(`${path}/${gone}`);
      await viewer.page.getByText(`There is no ${gone} here`).waitFor();
    }
    expectNoFaults(viewer);
  });
});
