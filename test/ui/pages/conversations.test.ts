// The pages of conversations in Chromium: read, searched, answered and continued.
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

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const widthOf = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');

describe.skipIf(chromiumProgram === undefined)('conversations', () => {
  it('are listed by their last word and opened by keys [ui-4.8.1, ui-4.8.2]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/conversations' });
    const { page } = view;
    await heading(page, 'Conversations').waitFor();
    const link = page.getByRole('link', { name: /^Fix the login test/ });
    await link.getByText(/open tasks/).waitFor();
    await link.getByText(/build-7/).waitFor();
    await settled(view);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'Fix the login test').waitFor();
    await page.getByText('The cookie was the cause.').waitFor();
    expect(await page.title()).toContain('Fix the login test');
    await page
      .getByRole('heading', { level: 2, name: /Completed Fix the login test/ })
      .first()
      .waitFor();
    await settled(view);
    expectNoFaults(view);
  });

  it('are searched over all messages, and a hit leads to its message, on a phone [ui-4.8.4]', async () => {
    await using view = await monitor.openPage({ path: '/v1/monitor/conversations', width: 390 });
    const { page } = view;
    await page.getByLabel('Search all messages').fill('cookie was the');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const hit = page.getByRole('list', { name: 'Messages found' }).getByRole('link');
    await hit.getByText('cookie was the', { exact: true }).waitFor();
    expect(await widthOf(page)).toBe(390);
    await hit.click();
    await page.locator('[aria-current=true]').getByText('The cookie was the cause.').waitFor();
    await settled(view);
    expect(await widthOf(page)).toBe(390);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('have a box that answers the question, and makes the next task once all have ended [ui-4.8.3]', async () => {
    const { seed, service } = monitor;
    await using view = await monitor.openPage({ path: `/v1/monitor/conversations/${seed.conversationId}` });
    const { page } = view;
    await page.getByLabel('Your answer').fill('Change the server, please.');
    await page.getByLabel('Your answer').press('Control+Enter');
    await until('the question is answered', async () => {
      const { body } = await service.call('GET', `/v1/agent/tasks/${seed.tasks.asking}`);
      return body.task.status === 'pending';
    });
    await page.getByText('Change the server, please.').first().waitFor();
    const { id } = await service.task({ title: 'A short talk', conversation_id: 'short-talk' }, 'operator');
    await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { as: 'operator', body: {} });
    await view.goto('/v1/monitor/conversations/short-talk');
    await page.getByLabel('Your next message').fill('Once more, shorter.');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await until('the conversation has a second task', async () => {
      const { body } = await service.call('GET', '/v1/agent/tasks?conversation_id=short-talk');
      return body.tasks.length === 2;
    });
    const { body } = await service.call('GET', '/v1/agent/tasks?conversation_id=short-talk');
    expect(body.tasks[0].prompt).toContain('Once more, shorter.');
    expectNoFaults(view);
  });

  it('are told as not found where there is none', async () => {
    await using view = await monitor.openPage({
      path: '/v1/monitor/conversations/nobody-said-this',
      expected: [/status of 40[04]/],
    });
    await heading(view.page, 'Not found').waitFor();
    expect(await view.page.getByLabel('Your answer').count()).toBe(0);
    expectNoFaults(view);
  });
});
