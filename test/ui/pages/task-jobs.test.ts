// What a person does with tasks from the first prompt to the comparison: by the keyboard alone, and by touch on a phone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { until } from '../../support/until.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const { status } = await monitor.service.call('POST', '/v1/auth/tenants', { body: tenant });
  if (status !== 201) throw new Error(`The tenant was answered ${status}.`);
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** Goes to a control as a keyboard does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach the control.');
}

/** The task that the page shows. */
async function shownTask(page: Page): Promise<string> {
  await page.waitForURL(/\/v1\/monitor\/tasks\/[0-9a-f]{8}-[^/]+/);
  return new URL(page.url()).pathname.split('/')[4] ?? '';
}

async function statusOf(id: string): Promise<string> {
  return (await monitor.service.call('GET', `/v1/agent/tasks/${id}`)).body.task.status;
}

/** The played worker takes the task and writes a line. */
async function work(id: string, line: string): Promise<AssignmentWire> {
  const [held] = await monitor.seed.worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  await monitor.seed.worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: `${line}\n` }]);
  return held;
}

async function interventionsOf(id: string): Promise<string[]> {
  const { body } = await monitor.service.call('GET', `/v1/monitor/interventions?task_id=${id}`);
  return body.interventions.map(({ action, message }: { action: string; message?: string }) => message ?? action);
}

describe.skipIf(chromiumProgram === undefined)('tasks by the keyboard alone', () => {
  it('are given, watched, told, paused, cancelled and retried [ui-12.9.3]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks' });
    const { page } = view;
    await settled(view);
    await page.keyboard.press('n');
    await tabTo(page, page.getByLabel('Prompt', { exact: true }));
    await page.keyboard.type('Do it by keys');
    await tabTo(page, page.getByLabel('Codebase', { exact: true }));
    await page.keyboard.type('web-app');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Do it by keys').waitFor();
    const id = await shownTask(page);
    await work(id, 'I begin.');
    await page.getByText('I begin.', { exact: true }).waitFor();
    await button(page, 'Pause').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByLabel('Message', { exact: true }).waitFor();
    await page.keyboard.type('Be brief');
    await page.keyboard.press('Control+Enter');
    await told(page, 'Message: ');
    await page.keyboard.press('p');
    await told(page, 'The agent is asked to pause.');
    expect((await interventionsOf(id)).toSorted()).toEqual(['Be brief', 'pause']);
    await page.keyboard.press('c');
    const asked = page.getByRole('alertdialog');
    await asked.waitFor();
    await page.keyboard.press('Enter');
    await asked.waitFor({ state: 'hidden' });
    expect(await statusOf(id)).toBe('running');
    await page.keyboard.press('c');
    await asked.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until('it is cancelled', async () => (await statusOf(id)) === 'cancelled');
    await button(page, 'Retry').waitFor();
    await page.keyboard.press('R');
    await heading(page, 'New task').waitFor();
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Do it by keys');
    await page.goBack();
    await button(page, 'Retry').waitFor();
    await page.keyboard.press('r');
    await until('there is a task of the same prompt', async () => {
      const { body } = await monitor.service.call('GET', `/v1/agent/tasks?retry_of=${id}`);
      return body.tasks.length === 1;
    });
    expectNoFaults(view);
  });

  it('are chosen and compared [ui-12.9.3]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks?status=completed,failed' });
    const { page } = view;
    await page.getByRole('link', { name: 'Fix the login test' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('=');
    await heading(page, 'Compare').waitFor();
    expect(new URL(page.url()).searchParams.get('ids')?.split(',').toSorted()).toEqual(
      [monitor.seed.tasks.completed, monitor.seed.tasks.failed].toSorted(),
    );
    await page.getByRole('region', { name: 'The compared tasks' }).waitFor();
    expectNoFaults(view);
  });

  it('of another tenant are seen by its administrator [ui-12.9.5]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks', role: 'admin' });
    const { page } = view;
    await page.getByRole('link', { name: 'Fix the login test' }).first().waitFor();
    await tabTo(page, page.getByLabel('Tenant', { exact: true }));
    await page.keyboard.type('Acme');
    await page.waitForURL(/[?&]tenant=acme\b/);
    await page.getByText('You act in acme').waitFor();
    await page.getByRole('link', { name: 'Fix the login test' }).first().waitFor({ state: 'hidden' });
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('tasks by touch at 390 pixels', () => {
  it('are given, watched, told, paused, cancelled and retried [ui-12.9.4]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks', width: 390 });
    const { page } = view;
    await settled(view);
    await page.getByRole('link', { name: 'New task' }).tap();
    await page.getByLabel('Prompt', { exact: true }).fill('Do it by touch');
    await page.getByLabel('Codebase', { exact: true }).selectOption({ label: 'web-app' });
    await button(page, 'Create task').tap();
    await heading(page, 'Do it by touch').waitFor();
    const id = await shownTask(page);
    await work(id, 'I begin on a phone.');
    await page.getByText('I begin on a phone.', { exact: true }).waitFor();
    await button(page, 'Tell').tap();
    await page.getByLabel('Message', { exact: true }).fill('Be brief');
    await button(page, 'Send').tap();
    await told(page, 'Message: ');
    await button(page, 'Pause').tap();
    await told(page, 'The agent is asked to pause.');
    expect((await interventionsOf(id)).toSorted()).toEqual(['Be brief', 'pause']);
    await button(page, 'Cancel task').tap();
    const asked = page.getByRole('alertdialog');
    await asked.getByRole('button', { name: 'Cancel task' }).tap();
    await until('it is cancelled', async () => (await statusOf(id)) === 'cancelled');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await button(page, 'Retry').tap();
    await until('there is a task of the same prompt', async () => {
      const { body } = await monitor.service.call('GET', `/v1/agent/tasks?retry_of=${id}`);
      return body.tasks.length === 1;
    });
    expectNoFaults(view);
  });

  it('are chosen and compared [ui-12.9.4]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks?status=completed,failed', width: 390 });
    const { page } = view;
    await page.getByLabel('Select Fix the login test').tap();
    await page.getByLabel('Select Rename the API').tap();
    await button(page, 'Compare').tap();
    await heading(page, 'Compare').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expectNoFaults(view);
  });

  it('of another tenant are seen by its administrator [ui-12.9.5]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/tasks', role: 'admin', width: 390 });
    const { page } = view;
    await page.getByRole('link', { name: 'Fix the login test' }).first().waitFor();
    await button(page, 'More').tap();
    await page.getByRole('dialog').getByLabel('Tenant', { exact: true }).selectOption({ label: 'Acme' });
    await page.waitForURL(/[?&]tenant=acme\b/);
    await page.getByRole('link', { name: 'Fix the login test' }).first().waitFor({ state: 'hidden' });
    expectNoFaults(view);
  });
});
