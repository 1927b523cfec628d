// The fifteen jobs of a person at the monitor, each written once: whoever does it has a keyboard or a finger, and nothing else.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestUser } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { script } from '../../support/worker/local-worker.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { PageView } from '../support/page-view.ts';
import type { Hands } from './hands.ts';
import type { World } from './world.ts';

export interface Walk {
  readonly view: PageView;
  readonly page: Page;
  readonly hands: Hands;
  readonly world: World;
}

export interface Job {
  readonly name: string;
  /** Default: operator. */
  readonly role?: TestUser;
  /** The page that it begins on. Default: the list of tasks. */
  readonly path?: string;
  readonly walk: (walk: Walk) => Promise<void>;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
const clipboard = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

/** The task that the page shows. */
async function shownTask(page: Page): Promise<string> {
  await page.waitForURL(/\/v1\/monitor\/tasks\/[0-9a-f]{8}-[^/]+/);
  return new URL(page.url()).pathname.split('/')[4] ?? '';
}

export const jobs: readonly Job[] = [
  {
    name: '15: the first minute, with a worker that runs commands',
    role: 'other',
    path: '/v1/monitor/start',
    async walk({ view, page, hands }) {
      await page.getByRole('heading', { name: 'The worker real is here' }).waitFor();
      await hands.press(button(page, 'Run it'));
      await heading(page, 'A first task').waitFor();
      const id = await shownTask(page);
      await page
        .getByText(/^Hello from /)
        .first()
        .waitFor();
      await button(page, 'Follow up').waitFor();
      await hands.press(page.getByRole('link', { name: /^Changes/ }));
      await page.getByText('HELLO.md').first().waitFor();
      await view.goto('/v1/monitor/start');
      await page.getByText(`git merge switchyard/${id}`).waitFor();
      await hands.go('Overview');
      await heading(page, 'Overview').waitFor();
    },
  },
  {
    name: '1: is anything stuck, and why',
    async walk({ page, hands }) {
      await hands.go('Overview');
      const stuck = page.getByRole('region', { name: 'Stuck or slow' });
      await stuck.getByText('No worker has all capabilities that it needs.').waitFor();
      await hands.press(stuck.getByRole('button', { name: 'Copy' }).first());
      await until('the remedy is copied', async () =>
        /^switchyard worker .*--capabilities/.test(await clipboard(page)),
      );
      await hands.press(stuck.getByRole('link', { name: /^Show the / }).first());
      await heading(page, 'Tasks').waitFor();
      await link(page, 'Write the changelog').waitFor();
    },
  },
  {
    name: '2: an agent asks: answer',
    async walk({ page, hands, world }) {
      const title = `Which way, by ${hands.device}`;
      const id = await world.task(title);
      const held = await world.work(id, 'I do not know.');
      const message = { text: 'Left or right?', options: [{ value: 'left', label: 'Left' }] };
      await world.monitor.seed.worker.release(held, { status: 'needs_input', message });
      await hands.go('Questions');
      await hands.press(page.getByRole('link', { name: new RegExp(title) }).first());
      await heading(page, title).waitFor();
      const option = button(page, 'Left');
      if (hands.device === 'touch') expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await hands.write(page.getByLabel('Your answer', { exact: true }), 'Straight on');
      await hands.press(button(page, 'Answer'));
      await told(page, 'Your answer: queued');
      expect(await world.statusOf(id)).toBe('pending');
      const again = await world.work(id, 'Straight on it is.');
      await told(page, 'queued → delivered to build-7');
      await world.finish(again);
    },
  },
  {
    name: '3: what is this agent doing now',
    async walk({ page, hands, world }) {
      const title = `Watched by ${hands.device}`;
      const held = await world.work(await world.task(title), 'I look around.');
      // A list that was read before counts the task as news.
      await page.reload();
      await hands.press(link(page, title));
      await page.getByText('I look around.', { exact: true }).waitFor();
      await page.getByText(/^Running on build-7/).waitFor();
      const wrap = button(page, 'Wrap');
      const isPressed = await wrap.getAttribute('aria-pressed');
      await hands.act('w', wrap);
      await until('wrapping is turned', async () => (await wrap.getAttribute('aria-pressed')) !== isPressed);
      await world.finish(held);
    },
  },
  {
    name: '4: review a change, and the agent mends the lines',
    role: 'other',
    async walk({ page, hands, world }) {
      const title = `Made for ${hands.device}`;
      const id = await world.changedTask(title);
      await hands.press(link(page, title));
      await hands.press(page.getByRole('link', { name: /^Changes/ }));
      const mend = script("sed -i 's/one/1/; s/two/2/' made.txt");
      for (const [line, text] of [
        [1, `Write numbers:\n${mend}`],
        [2, 'Here, too.'],
      ] as const) {
        await hands.press(button(page, `Comment on new line ${line}`).first());
        await hands.write(page.getByRole('textbox', { name: `Comment on new line ${line}` }), text);
        await hands.press(button(page, 'Save'));
        await page.getByRole('article', { name: `Comment on new line ${line}` }).waitFor();
      }
      await hands.act('Control+Enter', button(page, 'Send to the agent'));
      const sheet = page.getByRole('dialog', { name: 'Send to the agent' });
      await until('both comments are listed', async () => (await sheet.getByRole('listitem').count()) === 2);
      await hands.press(sheet.getByRole('button', { name: 'Send', exact: true }));
      await heading(page, `Review of ${title}`).waitFor();
      await button(page, 'Follow up').waitFor();
      const { prompt, metadata } = await followUpOf(world, id);
      expect(prompt).toContain('## 1. made.txt, new line 1\n> ```\n> one\n> ```');
      expect(metadata['git_base']).toBe(`switchyard/${id}`);
      await hands.press(page.getByRole('link', { name: /^Changes/ }));
      await page.getByText('2 of 2 comments addressed').waitFor();
    },
  },
  {
    name: '5: tell, pause, resume, stop',
    async walk({ page, hands, world }) {
      const title = `Stopped by ${hands.device}`;
      const id = await world.task(title);
      const held = await world.work(id, 'I begin.');
      await hands.press(link(page, title));
      await hands.act('m', button(page, 'Tell'));
      await hands.write(page.getByRole('dialog').getByLabel('Message', { exact: true }), 'Be brief');
      await hands.press(button(page, 'Send'));
      await told(page, 'Message: queued');
      await world.confirm(held);
      await told(page, 'Message: delivered');
      await hands.act('p', button(page, 'Pause'));
      await told(page, 'The agent is asked to pause.');
      await world.confirm(held);
      await hands.act('p', button(page, 'Resume'));
      const asked = page.getByRole('alertdialog');
      await hands.act('c', button(page, 'Cancel task'));
      await hands.press(asked.getByRole('button', { name: 'Keep it' }));
      await asked.waitFor({ state: 'hidden' });
      expect(await world.statusOf(id)).toBe('running');
      await hands.act('c', button(page, 'Cancel task'));
      await hands.press(asked.getByRole('button', { name: 'Cancel task' }));
      await button(page, 'Retry').waitFor();
      expect(await world.statusOf(id)).toBe('cancelled');
      await hands.act('r', button(page, 'Retry'));
      await page.waitForURL((url) => !url.pathname.includes(id));
      const { task } = (await world.monitor.service.call('GET', `/v1/agent/tasks/${await shownTask(page)}`)).body;
      expect(task).toMatchObject({ title, retry_of: id });
    },
  },
  {
    name: '6: it failed: why, ask again, with changes',
    path: '/v1/monitor/tasks?status=failed',
    async walk({ page, hands, world }) {
      await hands.press(link(page, 'Rename the API'));
      await page.getByText('The agent ended with exit code 1.').first().waitFor();
      await page.getByText('error TS2304: Cannot find name things').first().waitFor();
      await hands.act('R', button(page, 'Retry with changes'));
      await heading(page, 'New task').waitFor();
      const prompt = page.getByLabel('Prompt', { exact: true });
      await expect.poll(() => prompt.inputValue()).toBe('Rename /v1/items to /v1/things.');
      await hands.write(prompt, `Rename it, but in the ${hands.device} files only.`);
      await hands.press(button(page, 'Create task'));
      const id = await shownTask(page);
      const { task } = (await world.monitor.service.call('GET', `/v1/agent/tasks/${id}`)).body;
      expect(task.prompt).toContain(hands.device);
    },
  },
  {
    name: '7: give a task',
    async walk({ page, hands, world }) {
      const title = `Do it by ${hands.device}`;
      await hands.act('n', page.getByRole('link', { name: 'New task' }));
      await hands.write(page.getByLabel('Prompt', { exact: true }), title);
      await hands.choose(page.getByLabel('Codebase', { exact: true }), 'web-app');
      await page.getByText('can take this now').waitFor();
      await hands.press(button(page, 'Create task'));
      await heading(page, title).waitFor();
      const { task } = (await world.monitor.service.call('GET', `/v1/agent/tasks/${await shownTask(page)}`)).body;
      expect([task.prompt, task.codebase_id]).toEqual([title, world.monitor.seed.codebaseId]);
    },
  },
  {
    name: '8: compare two tasks',
    path: '/v1/monitor/tasks?conversation=login-tests&status=completed,failed',
    async walk({ page, hands, world }) {
      for (const title of ['Fix the login test', 'Rename the API'])
        await hands.press(page.getByLabel(`Select ${title}`));
      await page.getByText('2 selected').waitFor();
      await hands.act('=', button(page, 'Compare'));
      await heading(page, 'Compare').waitFor();
      await hands.press(button(page, 'Patches of src/server/session.ts'));
      await page.getByRole('region', { name: 'The patches of src/server/session.ts' }).waitFor();
      await hands.press(button(page, 'Take this one: Fix the login test'));
      const merge = `git merge switchyard/${world.monitor.seed.tasks.completed}`;
      await until('the command is copied', async () => (await clipboard(page)) === merge);
    },
  },
  {
    name: '9: which story of a run, which gate, which evidence',
    async walk({ page, hands, world }) {
      await hands.go('Runs');
      await hands.press(link(page, 'Accounts'));
      await page.waitForURL(`**/dashboard/ralph/${world.runId}`);
      await hands.press(page.getByRole('region', { name: 'Passed' }).getByRole('link', { name: /US-001/ }));
      const criteria = page.getByRole('region', { name: 'Criteria' });
      await criteria
        .getByText(/passed by check · exit 0/)
        .first()
        .waitFor();
      await hands.press(criteria.locator('summary').first());
      await criteria
        .getByText(/^iteration 1 · passed · by check/)
        .first()
        .waitFor();
    },
  },
  {
    name: '10: workers, capacity, versions',
    async walk({ page, hands }) {
      await hands.go('Fleet');
      await page
        .getByRole('table', { name: 'Slots by codebase' })
        .getByRole('row', { name: /web-app/ })
        .waitFor();
      await hands.press(link(page, 'build-7'));
      await heading(page, 'build-7').waitFor();
      await page.getByText('The program pi is not on the path.').waitFor();
    },
  },
  {
    name: '11: cost by codebase',
    async walk({ page, hands, world }) {
      await hands.go('Costs');
      await hands.press(link(page, 'Codebase'));
      const row = page.getByRole('row').filter({ hasText: 'web-app' });
      await row.getByText('$0.12').waitFor();
      await hands.press(row.getByRole('link', { name: 'web-app' }));
      await page.waitForURL(({ searchParams }) => searchParams.get('codebase') === world.monitor.seed.codebaseId);
      await heading(page, 'Tasks').waitFor();
    },
  },
  {
    name: '12: who did what, on the whole and on one task',
    path: '/v1/monitor/tasks?status=completed&conversation=login-tests',
    async walk({ page, hands }) {
      await hands.press(link(page, 'Fix the login test'));
      await hands.press(link(page, 'Who'));
      await page.getByText('token:operator').first().waitFor();
      await hands.go('Audit');
      await hands.write(page.getByLabel('Action', { exact: true }), 'tasks.create');
      await hands.press(button(page, 'Filter'));
      await page.waitForURL(/action=tasks\.create/);
      await hands.press(page.getByRole('table').getByRole('link', { name: 'tasks.create' }).first());
      await page
        .getByRole('dialog', { name: /^Entry/ })
        .getByText('Previous hash')
        .waitFor();
    },
  },
  {
    name: '13: try a call by hand',
    async walk({ page, hands }) {
      await hands.go('Inspector');
      await hands.press(link(page, 'REST'));
      const search = page.getByRole('searchbox', { name: 'Search calls' });
      await hands.act('/', page.getByRole('region', { name: 'Calls' }).getByRole('button').first().or(search).first());
      await hands.write(search, 'me auth');
      await hands.press(link(page, 'GET /v1/auth/me'));
      await hands.press(button(page, 'Send'));
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('200').first().waitFor();
      await answer
        .getByText(/permissions/)
        .first()
        .waitFor();
      await expectAccessible(page);
    },
  },
  {
    name: '14: a key is made and revoked, a tenant is crossed',
    role: 'admin',
    async walk({ page, hands, world }) {
      const { service } = world.monitor;
      const name = `key of the ${hands.device}`;
      await hands.go('Settings');
      await hands.press(link(page, 'Keys'));
      await hands.press(button(page, 'New key'));
      const dialog = page.getByRole('dialog', { name: 'New key' });
      await hands.write(dialog.getByLabel('Name', { exact: true }), name);
      await hands.press(dialog.getByRole('checkbox', { name: 'tasks:read', exact: true }));
      await hands.press(button(page, 'Create key'));
      const secret = (
        await page
          .getByRole('dialog', { name: `Key ${name}` })
          .locator('pre')
          .innerText()
      ).trim();
      await hands.press(button(page, 'I have it'));
      const me = await service.call('GET', '/v1/auth/me', { token: secret });
      expect(me.body.permissions).toEqual(['tasks:read']);
      expect(await page.content()).not.toContain(secret);
      const row = page.getByRole('row').filter({ hasText: name });
      await hands.press(row.getByRole('button', { name: 'Revoke', exact: true }));
      await hands.press(button(page, 'Revoke key'));
      await row.getByText('revoked').waitFor();
      expect((await service.call('GET', '/v1/auth/me', { token: secret })).status).toBe(401);
      await hands.go('Tasks');
      await page.locator('[data-row]').first().waitFor();
      if (hands.device === 'touch') await hands.press(button(page, 'More'));
      await hands.choose(page.getByLabel('Tenant', { exact: true }).first(), 'Acme');
      await page.waitForURL(/[?&]tenant=acme\b/);
      await page.getByText('You act in acme').first().waitFor({ state: 'attached' });
      await page.locator('[data-row]').first().waitFor({ state: 'hidden' });
    },
  },
];

async function followUpOf(world: World, id: string): Promise<{ prompt: string; metadata: Record<string, unknown> }> {
  const { body } = await world.monitor.service.call('GET', `/v1/agent/tasks?follows=${id}`, { as: 'other' });
  return body.tasks[0];
}
