// The review of a task's changes in Chromium: by keys and on a phone, to the new task's prompt; drafts that are never lost.
import type { Page } from 'playwright-core';
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

const patchOf = (text: string): string =>
  [
    'diff --git a/src/session.ts b/src/session.ts',
    '--- a/src/session.ts',
    '+++ b/src/session.ts',
    '@@ -40,4 +40,5 @@ export function session() {',
    '   const secret = read();',
    '   const cookie = {',
    "-  sameSite: 'lax',",
    `+  sameSite: '${text}',`,
    '+  secure: true,',
    '   };',
    'diff --git a/src/labels.ts b/src/labels.ts',
    '--- a/src/labels.ts',
    '+++ b/src/labels.ts',
    '@@ -1,2 +1,2 @@',
    ' export const a = 1;',
    '-  export const b = 2;',
    '+export const b = 2;',
    '',
  ].join('\n');

/** A finished task that changed two files on a branch. */
async function changedTask(title: string, patch = patchOf('none')): Promise<{ id: string; path: string }> {
  const { id } = await monitor.service.task({ title, codebase_id: monitor.seed.codebaseId }, 'operator');
  await finish(id, patch);
  return { id, path: `/v1/monitor/tasks/${id}/changes` };
}

async function finish(id: string, patch: string): Promise<void> {
  const { worker } = monitor.seed;
  const [held] = await worker.claim(1, id);
  if (held === undefined) throw new Error(`${id} was not claimed`);
  await worker.report(held, [
    { type: 'artifact', n: 1, name: 'diff', mime_type: 'text/x-diff', text: patch },
    {
      type: 'artifact',
      n: 2,
      name: 'branch',
      data: { branch: `switchyard/${id}`, commit: '1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b' },
    },
  ]);
  await worker.release(held, { status: 'completed', result: 'Done. 14 tests passed.' });
}

async function draftOf(id: string): Promise<{ comments: { text: string }[]; viewed: string[] }> {
  return (await monitor.service.call('GET', `/v1/agent/tasks/${id}/review`, { as: 'operator' })).body.review;
}

async function followUpsOf(id: string): Promise<{ id: string; prompt: string; metadata: Record<string, unknown> }[]> {
  return (await monitor.service.call('GET', `/v1/agent/tasks?follows=${id}`, { as: 'operator' })).body.tasks;
}

const lineButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

describe.skipIf(chromiumProgram === undefined)('the review of changes', () => {
  it('comments two lines and sends them, by keys alone [ui-4.5.21, ui-4.5.22]', async () => {
    const task = await changedTask('Fix the cookie');
    await using view = await monitor.openPage({ path: task.path });
    const { page } = view;
    await settled(view);
    await page.getByText("sameSite: 'none',").waitFor();
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Comment on old line 42' }).waitFor();
    await page.getByRole('button', { name: 'Drop', exact: true }).press('Enter');
    await lineButton(page, 'Comment on new line 42').press('Enter');
    await page.keyboard.type('Only when BASE_URL is https.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Comment on new line 42' }).waitFor();
    await lineButton(page, 'Comment on new line 43').press('Enter');
    await page.keyboard.type('Test this.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Comment on new line 43' }).waitFor();
    await page.keyboard.press('Control+Enter');
    const sheet = page.getByRole('dialog', { name: 'Send to the agent' });
    await sheet.getByText('Only when BASE_URL is https.').waitFor();
    expect(await sheet.getByRole('listitem').count()).toBe(2);
    await expectAccessible(page);
    await page.keyboard.type('Well done otherwise.');
    await sheet.getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Review of Fix the cookie' }).waitFor();
    const [followUp] = await followUpsOf(task.id);
    expect(followUp?.prompt).toContain(
      "## 1. src/session.ts, new line 42\n> ```\n>   sameSite: 'none',\n> ```\nOnly when",
    );
    expect(followUp?.prompt).toContain('## 2. src/session.ts, new line 43');
    expect(followUp?.prompt).toContain('Well done otherwise.');
    expect(followUp?.metadata['git_base']).toBe(`switchyard/${task.id}`);
    expect(await draftOf(task.id)).toMatchObject({ comments: [] });
    expectNoFaults(view);
  });

  it('shows both tasks what became of each comment [ui-4.5.23]', async () => {
    const task = await changedTask('Name the labels');
    const body = {
      comments: [
        { path: 'src/session.ts', side: 'new', line: 42, quote: "  sameSite: 'none',", text: 'Use lax.' },
        { path: 'src/session.ts', side: 'new', line: 41, quote: '  const cookie = {', text: 'Rename it.' },
        { path: 'src/session.ts', side: 'new', line: 90, quote: 'is gone', text: 'Gone.' },
      ],
    };
    const { body: made } = await monitor.service.call('POST', `/v1/agent/tasks/${task.id}/follow-up`, {
      as: 'operator',
      body,
    });
    const patch = [
      'diff --git a/src/session.ts b/src/session.ts',
      '--- a/src/session.ts',
      '+++ b/src/session.ts',
      '@@ -42,1 +42,1 @@',
      "-  sameSite: 'none',",
      "+  sameSite: 'lax',",
      '',
    ].join('\n');
    await finish(made.task.id, patch);
    await using view = await monitor.openPage({ path: task.path });
    const { page } = view;
    const reviews = page.getByRole('region', { name: 'Reviews' });
    await reviews.getByText('1 of 3 comments addressed').click();
    await reviews.getByText('addressed', { exact: true }).waitFor();
    await expect
      .poll(() => reviews.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringContaining('addressed'),
        expect.stringContaining('open'),
        expect.stringContaining('outdated'),
      ]);
    await reviews.getByRole('link', { name: 'Review of Name the labels' }).click();
    await page.getByRole('heading', { level: 1, name: 'Review of Name the labels' }).waitFor();
    await page.getByText('This task follows a review of').waitFor();
    await page.getByText('1 of 3 comments addressed').click();
    await page.getByRole('link', { name: 'Show the place' }).first().click();
    await page.waitForURL(`**/tasks/${task.id}/changes?file=src/session.ts&at=R42`);
    await expectAccessible(page);
    expectNoFaults(view);
  });

  it('keeps the draft on the service while it is written, and in the tab while the service fails [ui-4.5.24]', async () => {
    const task = await changedTask('Keep the words');
    await using view = await monitor.openPage({ path: task.path, expected: [/Failed to load resource/] });
    const { page } = view;
    await lineButton(page, 'Comment on new line 42').press('Enter');
    await page.keyboard.type('Half a wor');
    await until('the draft on the service', async () => (await draftOf(task.id)).comments[0]?.text === 'Half a wor');
    const isReview = (url: URL): boolean => url.pathname.endsWith('/review');
    await page.route(isReview, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await page.keyboard.type('d more');
    await page.getByText('The draft is kept in this tab').waitFor();
    await page.reload();
    await page.getByRole('article', { name: 'Comment on new line 42' }).getByText('Half a word more').waitFor();
    await page.unroute(isReview);
    await until('the whole draft', async () => (await draftOf(task.id)).comments[0]?.text === 'Half a word more');
    await page.getByText('Draft saved').waitFor();
    await page.getByRole('checkbox', { name: 'Viewed src/labels.ts' }).check();
    await until('the mark', async () => (await draftOf(task.id)).viewed[0] === 'src/labels.ts');
    await using other = await monitor.openPage({ path: task.path });
    await other.page.getByText('Half a word more').waitFor();
    await other.page.getByText('viewed 1 of 2').waitFor();
    await expect.poll(() => other.page.getByRole('article').count()).toBe(1);
    expectNoFaults(other);
  });

  it('copies commands, downloads the patch, hides white space, explains a file [ui-4.5.26]', async () => {
    const task = await changedTask('Take it along');
    await using view = await monitor.openPage({ path: task.path });
    const { page } = view;
    await page.getByText('export const b = 2;').first().waitFor();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Copy merge command');
    await until('the command', async () => (await copied()) === `git merge switchyard/${task.id}`);
    await choose('Copy git apply');
    await until('the command', async () => (await copied()) === `switchyard task show ${task.id} --diff | git apply`);
    const saved = page.waitForEvent('download');
    await choose('Download patch');
    expect((await saved).suggestedFilename()).toMatch(/^task-[0-9a-f]{8}\.diff$/);
    await page.getByRole('button', { name: 'Hide white space' }).click();
    await page.getByText('No line changed.').waitFor();
    await page.getByRole('button', { name: 'Comment on src/session.ts' }).click();
    await page.getByRole('textbox', { name: 'Comment on src/session.ts' }).fill('A comment for later.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Explain this file' }).click();
    await expect
      .poll(() => page.getByLabel('A word to the agent').inputValue())
      .toContain('Explain your changes of src/session.ts');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Review of Take it along' }).waitFor();
    await until('the comment is still there', async () => (await draftOf(task.id)).comments.length === 1);
    expectNoFaults(view);
  });

  it('shows a linked line, another attempt, and what cannot be done [ui-4.5.27]', async () => {
    const task = await changedTask('Look here');
    await using view = await monitor.openPage({
      role: 'viewer',
      path: `${task.path}?file=src/session.ts&at=R43&attempt=1`,
    });
    const { page } = view;
    await page.getByText('The changes of attempt 1.').waitFor();
    await page.getByText('secure: true').waitFor();
    const send = page.getByRole('button', { name: 'Send to the agent' });
    await expect.poll(() => send.getAttribute('title')).toContain('needs tasks:write');
    await view.goto(`${task.path}?attempt=7`);
    await page.getByText('This task has no attempt 7.').waitFor();
    await view.goto(`/v1/monitor/tasks/${monitor.seed.tasks.running}/changes`);
    await page.getByText('This task has changed no file yet.').waitFor();
    expectNoFaults(view);
  });
});
