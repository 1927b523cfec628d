// A new run and a PRD chat in Chromium: the check beside the field, the start, lettered options, the PRD with its marks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRunSite, prdDocument, storyDocument } from '../../../support/runs/new-run.ts';
import { until } from '../../../support/until.ts';
import { expectAccessible } from '../../support/accessible.ts';
import { chromiumProgram } from '../../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../../support/monitor.ts';
import { expectNoFaults } from '../../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  monitor = await openMonitor();
  await openRunSite(monitor.service, 'form-site');
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const weak = storyDocument('US-001', { acceptanceCriteria: ['It works fast'], dependsOn: ['US-009'] });

describe.skipIf(chromiumProgram === undefined)('the form of a new run', () => {
  it('checks the PRD when the field is left, and starts the run [ui-4.7.9]', async () => {
    await using view = await monitor.openPage({ path: '/dashboard/ralph/new' });
    const { page } = view;
    const prd = page.getByLabel('PRD', { exact: true });
    await prd.fill(JSON.stringify(prdDocument({ userStories: [weak] })));
    await page.getByLabel('Codebase').focus();
    const errors = page.getByRole('list', { name: 'Errors' });
    await errors.getByText('There is no story US-009.').waitFor();
    await page
      .getByRole('list', { name: 'Weaknesses' })
      .getByText(/"works"/)
      .waitFor();
    await expectAccessible(page);
    await prd.fill(JSON.stringify(prdDocument({ branchName: 'from-the-form' })));
    await page.getByLabel('Codebase').focus();
    await page.getByLabel('Codebase').selectOption({ label: 'form-site' });
    await errors.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Codebase').locator('option', { hasText: 'global' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Start run', exact: true }).click();
    await page.waitForURL(/\/dashboard\/ralph\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    expectNoFaults(view);
  });

  it('says what is wrong where the service refuses it, and keeps the PRD over a reload [ui-4.7.9]', async () => {
    await using view = await monitor.openPage({ path: '/dashboard/ralph/new', width: 390, expected: [/400/] });
    const { page } = view;
    await page.getByLabel('PRD', { exact: true }).fill('project: [');
    await page.getByRole('button', { name: 'Start run', exact: true }).click();
    await page.getByRole('form').or(page.locator('form')).getByRole('alert').first().waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    await page.reload();
    await expect.poll(() => page.getByLabel('PRD', { exact: true }).inputValue()).toBe('project: [');
    expectNoFaults(view);
  });
});

describe.skipIf(chromiumProgram === undefined)('the PRD chat', () => {
  it('shows the PRD with its marks beside the chat, and takes a text of a person [ui-4.7.10]', async () => {
    const { body } = await monitor.service.call('POST', '/v1/ralph/prd/sessions', {
      as: 'operator',
      body: { title: 'A weak one', prd: prdDocument({ userStories: [{ ...weak, dependsOn: [] }] }) },
    });
    await using view = await monitor.openPage({ path: `/dashboard/ralph/prd/${body.session.id}` });
    const { page } = view;
    await page.getByRole('heading', { level: 1, name: 'A weak one' }).waitFor();
    const prd = page.getByRole('region', { name: 'PRD', exact: true });
    await prd
      .getByRole('list', { name: 'Weaknesses US-001' })
      .getByText(/"works"/)
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit as text' }).click();
    await page.getByLabel('PRD as JSON or YAML').fill(JSON.stringify(prdDocument({ project: 'A better one' })));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await prd.getByText('Version 2').waitFor();
    await prd.getByRole('heading', { name: 'A better one' }).waitFor();
    await page.getByRole('button', { name: 'Start run', exact: true }).waitFor();
    expect(
      await prd
        .getByRole('list', { name: /^Weaknesses US/ })
        .getByText(/"works"/)
        .count(),
    ).toBe(0);
    expectNoFaults(view);
  });

  it('begins from the list, and answers a question by its letter [ui-4.7.1, ui-4.7.10]', async () => {
    await using view = await monitor.openPage({ path: '/dashboard/ralph' });
    const { page } = view;
    await page.getByRole('button', { name: 'New PRD chat' }).click();
    await page.getByRole('dialog').getByLabel('Name (optional)').fill('Greeting');
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.waitForURL(/\/dashboard\/ralph\/prd\//);
    await page.getByLabel('Message').fill('A greeting as a shell script.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('A greeting as a shell script.').waitFor();
    const first = page.getByRole('button', { name: /^A\. / });
    await first.waitFor();
    const choice = await first.innerText();
    await first.click();
    await page.getByRole('listitem').getByText(choice, { exact: true }).first().waitFor();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('');
    await expectAccessible(page);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await until('the choice is a turn', async () => {
      const { turns } = (await monitor.service.call('GET', `/v1/ralph/prd/sessions/${id}/turns`)).body;
      return turns.some(({ text }: { text: string }) => text === choice);
    });
  });
});
