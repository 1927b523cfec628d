// The page of questions in Chromium: answered by keys, by options and on a phone; answered elsewhere; what went wrong.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { until } from '../../support/until.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { expectNoFaults, settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor({ service: { config: { webhookBackoffSeconds: 0.01 } } });
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const options = [
  { value: 'test', label: 'Change the test' },
  { value: 'server', label: 'Change the server' },
];

interface Asked {
  readonly id: string;
  readonly link: string;
}

/** A task that the played worker holds, and that asks. */
async function ask(title: string, message: Record<string, unknown> = {}): Promise<Asked> {
  const { worker, codebaseId } = monitor.seed;
  const { id } = await monitor.service.task({ title, codebase_id: codebaseId }, 'operator');
  const held = await claim(id);
  const text = Array.from({ length: 40 }, (_, line) => `line ${line + 1}\n`).join('');
  await worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text }]);
  await worker.release(held, { status: 'needs_input', message: { text: `What of **${title}**?`, ...message } });
  return { id, link: `/v1/monitor/questions/${id}` };
}

async function claim(id: string): Promise<AssignmentWire> {
  const [held] = await monitor.seed.worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  return held;
}

async function statusOf(id: string): Promise<string> {
  return (await monitor.service.call('GET', `/v1/agent/tasks/${id}`)).body.task.status;
}

/** The last message that a person wrote to the task. */
async function lastWord(id: string): Promise<string | undefined> {
  const { events } = (await monitor.service.call('GET', `/v1/agent/tasks/${id}/events`)).body;
  const said = events.filter(
    (event: { type: string; data: { role?: string } }) => event.type === 'message' && event.data.role === 'user',
  );
  return said.at(-1)?.data.parts[0].text;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const answerField = (page: Page) => page.getByLabel('Your answer');
const storageOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`Object.keys(sessionStorage).filter((key) => key.startsWith('switchyard_answer'))`);

describe.skipIf(chromiumProgram === undefined)('the page of questions', () => {
  it('lists what asks, then what went wrong, and opens a question beside the list [ui-4.2.1, ui-4.2.6, ui-4.2.11]', async () => {
    const { link } = await ask('Look at the list', { options });
    await using view = await monitor.openPage({ path: '/v1/monitor/questions' });
    const { page } = view;
    await heading(page, 'Questions').waitFor();
    await page.getByRole('link', { name: /Look at the list/ }).click();
    await page.waitForURL(`**${link}`);
    await heading(page, 'Look at the list').waitFor();
    const titles = await page
      .getByRole('navigation', { name: 'What waits for a person' })
      .locator('h2')
      .allTextContents();
    expect(titles).toEqual(['Asks', 'Went wrong']);
    await page.getByRole('group', { name: 'The last output' }).waitFor();
    const lines = (await page.getByRole('group', { name: 'The last output' }).innerText()).trim().split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([30, 'line 11', 'line 40']);
    await page.getByText('No file is changed yet.').waitFor();
    await page.getByRole('heading', { name: 'The exchange so far' }).click();
    await page.getByRole('heading', { name: /^Agent/ }).waitFor();
    expect(await page.title()).toMatch(/^\(\d+\) Look at the list/);
    await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toContain('icon-asks');
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('answers by the button of an option at once, and tells queued, then delivered [ui-4.2.2, ui-4.2.4]', async () => {
    const { id, link } = await ask('Choose one', { options });
    await using view = await monitor.openPage({ path: link });
    const { page } = view;
    await page.getByRole('button', { name: 'Change the server', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Your answer: queued' }).waitFor();
    expect(await lastWord(id)).toBe('Change the server');
    await claim(id);
    await page.getByRole('status').filter({ hasText: 'queued → delivered to build-7' }).waitFor();
    expectNoFaults(view);
  });

  it('is worked by keys alone: a, an answer, mod+Enter, then a number [ui-4.2.3, ui-4.2.9]', async () => {
    const second = await ask('The second', { options });
    const first = await ask('The first');
    await using view = await monitor.openPage({ path: first.link });
    const { page } = view;
    await heading(page, 'The first').waitFor();
    await answerField(page).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('Take the short way');
    expect(await storageOf(page)).toHaveLength(1);
    await page.reload();
    await answerField(page).waitFor();
    await expect.poll(() => answerField(page).inputValue()).toBe('Take the short way');
    await answerField(page).press('Control+Enter');
    await page.waitForURL(`**${second.link}`);
    expect(await lastWord(first.id)).toBe('Take the short way');
    expect(await storageOf(page)).toEqual([]);
    await heading(page, 'The second').waitFor();
    await page.getByRole('button', { name: 'Change the test', exact: true }).waitFor();
    await page.keyboard.press('1');
    await until('the option is taken', async () => (await statusOf(second.id)) === 'pending' || undefined);
    expect(await lastWord(second.id)).toBe('Change the test');
    expectNoFaults(view);
  });

  it('tells who answered a question elsewhere, and moves on [ui-4.2.5]', async () => {
    await ask('Comes next');
    const { id, link } = await ask('Answered by another');
    // An editor may not read the audit.
    await using view = await monitor.openPage({ path: link, role: 'editor' });
    const { page } = view;
    await answerField(page).waitFor();
    await monitor.service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'admin', body: { message: 'no' } });
    await page
      .getByText(/^Answered by token:admin .* ago\.$/)
      .first()
      .waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    expect(new URL(page.url()).pathname).toMatch(/^\/v1\/monitor\/questions\/./);
    expectNoFaults(view);
  });

  it('refuses a late answer with who was first, and moves on [ui-4.2.5]', async () => {
    const { id, link } = await ask('Answered late');
    const expected = [/409 \(Conflict\)/];
    await using view = await monitor.openPage({ path: link, expected });
    const { page } = view;
    await answerField(page).fill('mine');
    // The page hears nothing of it: its calls of reads fail as those of a page that is behind.
    await page.route('**/v1/monitor/stream*', (route) => route.abort());
    await page.route(`**/v1/agent/tasks/${id}`, (route) => route.abort());
    await monitor.service.call('POST', `/v1/agent/tasks/${id}/input`, { as: 'admin', body: { message: 'first' } });
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page
      .getByText(/^Answered by token:admin .* ago\.$/)
      .first()
      .waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    expect(await lastWord(id)).toBe('first');
  });

  it('answers a run by an option with its field, and tells what the field lacks [ui-4.2.7]', async () => {
    const list = (await monitor.service.call('GET', '/v1/monitor/attention')).body.items;
    const asked = list.find(({ kind }: { kind: string }) => kind === 'run_question');
    await using view = await monitor.openPage({ path: asked.link, expected: [/400 \(Bad Request\)/] });
    const { page } = view;
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
    // The third option ends the run: it has no key.
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Other agent', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'is required' }).first().waitFor();
    await page.getByLabel('Agent (Other agent)').fill('codex');
    await page.getByRole('button', { name: 'Other agent', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Your answer was taken.' }).first().waitFor();
    const { run } = (await monitor.service.call('GET', `/v1/ralph/runs/${monitor.seed.runId}`)).body;
    expect(run.questions.map(({ question_id }: { question_id: string }) => question_id)).not.toContain(asked.id);
    expectNoFaults(view);
  });

  it('sends a dead delivery again or dismisses it [ui-4.2.8]', async () => {
    const dead = await until('a delivery is dead', async () => {
      const { items } = (await monitor.service.call('GET', '/v1/monitor/attention')).body;
      return items.find(({ kind }: { kind: string }) => kind === 'dead_delivery');
    });
    await using view = await monitor.openPage({ path: `/v1/monitor/questions/${dead.id}` });
    const { page } = view;
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('status').filter({ hasText: 'Dismissed.' }).waitFor();
    const { items } = (await monitor.service.call('GET', '/v1/monitor/attention')).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(dead.id);
    expectNoFaults(view);
  });

  it('shows a viewer the question, with controls that say what is missing [ui-4.2.2]', async () => {
    const { link } = await ask('Not for viewers', { options });
    await using view = await monitor.openPage({ path: link, role: 'viewer' });
    const button = view.page.getByRole('button', { name: /^Change the test/ });
    await button.waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => button.innerText()).toContain('needs tasks:write; you are viewer');
  });

  it('says for a missing one that it is not found, and for nobody who may read what is needed [ui-4.2.1]', async () => {
    const missing = '01a1fe54-4a4a-7000-89aa-ee8f27cb4186';
    await using view = await monitor.openPage({ path: `/v1/monitor/questions/${missing}`, expected: [/404/] });
    await heading(view.page, 'Not found').waitFor();
    expect(await view.page.getByText(missing).count()).toBeGreaterThan(0);
  });

  it('asks for notifications by a button only [ui-4.2.10]', async () => {
    await using view = await monitor.openPage({ isOwn: true });
    const { page } = view;
    await page.addInitScript(() => {
      const asked = { count: 0 };
      Object.assign(globalThis, { asked });
      Object.defineProperty(Notification, 'permission', { get: () => (asked.count > 0 ? 'granted' : 'default') });
      Notification.requestPermission = async () => {
        asked.count += 1;
        return 'granted';
      };
    });
    await view.goto('/v1/monitor/questions');
    await settled(view);
    const button = page.getByRole('button', { name: 'Notify me of questions' });
    await button.waitFor();
    await expect.poll(() => page.evaluate('asked.count')).toBe(0);
    await button.click();
    await page.getByRole('status').filter({ hasText: 'This browser tells you of new questions.' }).waitFor();
    await expect.poll(() => page.evaluate('asked.count')).toBe(1);
  });
});
