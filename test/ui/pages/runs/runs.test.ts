// The pages of runs in Chromium: list, board, story, questions, actions, keys; on a phone; without permission; turned off.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRunId, openRunSite, prdDocument, storyDocument, type RunSite } from '../../../support/runs/new-run.ts';
import { scriptStepWorker, type ScriptedStepWorker } from '../../../support/runs/scripted-step-worker.ts';
import { openService, testConfig } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { expectAccessible } from '../../support/accessible.ts';
import { chromiumProgram } from '../../../support/peers/chromium.ts';
import { makeSession, openMonitor, type Monitor } from '../../support/monitor.ts';
import { expectNoFaults, openView, settled } from '../../support/page-view.ts';

let monitor: Monitor;
let site: RunSite;
let steps: ScriptedStepWorker;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  site = await openRunSite(monitor.service, 'board');
  steps = scriptStepWorker(monitor.service, site);
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

let made = 0;

/** A run of three stories that nobody works on yet: two independent ones, and one behind both. */
async function newBoard(): Promise<string> {
  made += 1;
  const prd = prdDocument({
    project: `Board ${made}`,
    branchName: `board-${made}`,
    userStories: [
      storyDocument('US-001', { dependsOn: [] }),
      storyDocument('US-002', { dependsOn: [], title: 'Say <b>no</b> \u202E to markup' }),
      storyDocument('US-003', { dependsOn: ['US-001', 'US-002'] }),
    ],
  });
  return newRunId(monitor.service, { codebase_id: site.codebaseId, prd }, 'operator');
}

async function statusOf(id: string): Promise<string> {
  return (await monitor.service.call('GET', `/v1/ralph/runs/${id}`)).body.run.status;
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const focusedStory = (page: Page): Promise<unknown> =>
  page.evaluate(`document.activeElement.closest('[data-story]')?.dataset.story`);

describe.skipIf(chromiumProgram === undefined)('the pages of runs', () => {
  it('lists runs with their stories, what is spent and the first question [ui-4.7.1]', async () => {
    await using view = await monitor.openPage({ path: '/dashboard/ralph' });
    const { page } = view;
    const row = page.getByRole('row').filter({ hasText: 'npm ci ended with exit code 1.' });
    await row.waitFor();
    const text = await row.innerText();
    for (const part of ['Asks', 'shop', '0 of 3 stories passed', 'unpriced']) expect(text).toContain(part);
    await page.getByRole('heading', { name: 'PRD chats' }).waitFor();
    expect(await page.getByRole('link', { name: 'New run', exact: true }).count()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard\/ralph\/[0-9a-f-]{36}$/);
    expectNoFaults(view);
  });

  it('shows the stories by state as links, follows the run, and ends with Retry [ui-4.7.2, tools-2.3.8, tools-4.2.38, ui-4.7.4, ui-4.7.8]', async () => {
    const id = await newBoard();
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}` });
    const { page } = view;
    await region(page, 'Pending').getByRole('heading', { name: 'Pending 3' }).waitFor();
    for (const name of ['Running', 'Passed', 'Failed'])
      await expect.poll(() => region(page, name).getByRole('heading').innerText()).toContain('0');
    for (const name of ['Pause', 'Tell', 'Cancel run']) expect(await button(page, name).count()).toBe(1);
    expect(await region(page, 'Pending').locator('b').count()).toBe(0);
    await expect.poll(() => region(page, 'Pending').innerText()).toContain('Say <b>no</b> ⟨202E⟩ to markup');
    await steps.workUntil(id, 'completed');
    await region(page, 'Passed').getByRole('heading', { name: 'Passed 3' }).waitFor();
    await button(page, 'Retry').waitFor();
    expect(await region(page, 'Passed').getByRole('link').count()).toBe(3);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('shows each criterion with its evidence, and the tasks of each attempt [ui-4.7.5]', async () => {
    const id = await newBoard();
    await steps.workUntil(id, 'completed');
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}/US-001?evidence=1` });
    const { page } = view;
    await page.getByRole('heading', { level: 2, name: 'US-001 Story US-001' }).waitFor();
    const criteria = page.getByRole('region', { name: 'Criteria' });
    await criteria.getByText('iteration 1').first().waitFor();
    const text = await criteria.innerText();
    for (const part of ['passed by check', 'npm test -- US-001', 'exit 0']) expect(text).toContain(part);
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByRole('link', { name: 'implement' }).waitFor();
    await expect.poll(() => attempts.getByRole('link').allInnerTexts()).toEqual(['implement', 'check']);
    expect(await button(page, 'Edit the story').count()).toBe(0);
    await expectAccessible(page);
    await attempts.getByRole('link', { name: 'check' }).click();
    await page.waitForURL(/\/v1\/monitor\/tasks\//);
    expectNoFaults(view);
  });

  it('answers by one button for each option, with a field beside it [ui-4.7.3]', async () => {
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${monitor.seed.runId}` });
    const { page } = view;
    await page.getByText('npm ci ended with exit code 1.').first().waitFor();
    const options = page.getByRole('group', { name: 'Answers to choose from' });
    await expect.poll(() => options.getByRole('button').allInnerTexts()).toEqual(['Retry', 'Other agent', 'Cancel']);
    await options.getByRole('button', { name: 'Other agent' }).click();
    await options.getByRole('alert').waitFor();
    await page.getByLabel('Agent (Other agent)').fill('codex');
    await expectAccessible(page);
    await options.getByRole('button', { name: 'Other agent' }).click();
    await until('the run goes on', async () => (await statusOf(monitor.seed.runId)) !== 'needs_input');
    await page.getByRole('status').getByText('Answered.').waitFor();
  });

  it('pauses, resumes, tells and cancels; cancelling asks first and keeps the run by Enter [ui-4.7.4]', async () => {
    const id = await newBoard();
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}` });
    const { page } = view;
    await button(page, 'Pause').click();
    await button(page, 'After the running steps').click();
    await button(page, 'Resume').click();
    await button(page, 'Tell').click();
    await page.getByRole('dialog').getByLabel('Message').fill('Use the date library.');
    await button(page, 'Send').click();
    await page
      .getByRole('status')
      .getByText(/^queued/)
      .waitFor();
    await button(page, 'Cancel run').click();
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await statusOf(id)).not.toBe('cancelled');
    await button(page, 'Cancel run').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click();
    await button(page, 'Retry').waitFor();
    expect(await statusOf(id)).toBe('cancelled');
    expectNoFaults(view);
  });

  it('is walked by keys: columns, cards, a story, its evidence, and back to its card [ui-4.7.7]', async () => {
    const id = await newBoard();
    await steps.claimStep('implement');
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}` });
    const { page } = view;
    await region(page, 'Running').getByRole('heading', { name: 'Running 1' }).waitFor();
    const walk: unknown[] = [];
    for (const key of ['j', 'j', 'k', 'ArrowRight', 'ArrowLeft']) {
      await page.keyboard.press(key);
      walk.push(await focusedStory(page));
    }
    expect(walk).toEqual(['US-002', 'US-003', 'US-002', 'US-001', 'US-002']);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/ralph/${id}/US-002`);
    await page.getByRole('heading', { level: 2, name: /^US-002/ }).waitFor();
    await page.keyboard.press('e');
    await page.waitForURL(`**/US-002?evidence=1`);
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/dashboard/ralph/${id}`);
    await until('the card has the focus', async () => (await focusedStory(page)) === 'US-002');
    expectNoFaults(view);
  });

  it('edits a pending story [ui-4.7.6]', async () => {
    const id = await newBoard();
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}/US-003` });
    const { page } = view;
    await button(page, 'Edit the story').click();
    await page.getByLabel('Title').fill('');
    await button(page, 'Save').click();
    await page.getByRole('form').getByRole('alert').first().waitFor();
    await page.getByLabel('Title').fill('A better title');
    await expectAccessible(page);
    await button(page, 'Save').click();
    await page.getByRole('heading', { level: 2, name: 'US-003 A better title' }).waitFor();
    const { body } = await monitor.service.call('GET', `/v1/ralph/runs/${id}/stories/US-003`);
    expect(body.story).toMatchObject({ title: 'A better title', depends_on: ['US-001', 'US-002'] });
  });

  it('has one column at 390 px, and a story has the page to itself [ui-4.7.12]', async () => {
    const id = await newBoard();
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}`, width: 390 });
    const { page } = view;
    await region(page, 'Pending').getByRole('link').first().waitFor();
    const width = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBe(390);
    await region(page, 'Pending')
      .getByRole('link', { name: /^Pending US-002/ })
      .click();
    await page.getByRole('heading', { level: 2, name: /^US-002/ }).waitFor();
    expect([await width(), await region(page, 'Pending').isVisible()]).toEqual([390, false]);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('says Not found for a missing run and for one of another tenant [ui-4.7.14]', async () => {
    const id = await newBoard();
    for (const [path, role] of [
      ['00000000-0000-7000-8000-000000000000', 'operator'],
      [id, 'other'],
    ] as const) {
      await using view = await monitor.openPage({ path: `/dashboard/ralph/${path}`, role, expected: [/404/] });
      await view.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
      expect(await view.page.getByText('Board').count()).toBe(0);
      expectNoFaults(view);
    }
  });

  it('keeps its controls from a viewer, with the reason [ui-4.7.4]', async () => {
    const id = await newBoard();
    await using view = await monitor.openPage({ path: `/dashboard/ralph/${id}`, role: 'viewer' });
    await view.page.getByRole('button', { name: /^Cancel run/ }).waitFor();
    const off = view.page.getByRole('button', { name: /^Cancel run/ });
    await expect.poll(() => off.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => off.innerText()).toContain('needs ralph:write');
  });
});

describe.skipIf(chromiumProgram === undefined)('runs that are turned off', () => {
  it('are said to be off by the list and the form; the rest can be read [ui-4.7.11]', async () => {
    const { runs } = testConfig();
    await using off = await openService({ config: { runs: { ...runs, enabled: false } } });
    const session = await makeSession(off, off.token('operator'));
    await using view = await openView(monitor.browser, off.url, session, { path: '/dashboard/ralph' });
    const { page } = view;
    await page.getByText('Runs are turned off on this service').waitFor();
    await view.goto('/dashboard/ralph/new');
    await settled(view);
    await page.getByText('Runs are turned off on this service').first().waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /^Start run/ }).getAttribute('aria-disabled'))
      .toBe('true');
    await expectAccessible(page);
    expectNoFaults(view);
  });
});
