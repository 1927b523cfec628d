// The inspector in Chromium: calls of each part by hand, their answers, errors at their fields, streams, and the history.
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install, signer } from '../../support/client/signed-tools.ts';
import { expectAccessible } from '../support/accessible.ts';
import { chromiumProgram } from '../../support/peers/chromium.ts';
import { openMonitor, type Monitor } from '../support/monitor.ts';
import { settled } from '../support/page-view.ts';

let monitor: Monitor;
beforeAll(async () => {
  if (chromiumProgram === undefined) return;
  const cardSigningKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const tools = {
    trustedKeys: [`tests:${signer.trusted}`],
    allowedPaths: [],
    maxMemoryMb: 1024,
    maxCpuSeconds: 300,
    runsAtOnce: 4,
    bwrap: undefined,
  };
  monitor = await openMonitor({ service: { config: { cardSigningKey, tools } } });
});
afterAll(async () => {
  if (chromiumProgram !== undefined) await monitor[Symbol.asyncDispose]();
});

const root = '/v1/monitor/inspector';
const answerArea = (page: Page) => page.getByRole('region', { name: 'Answer' });
const requestArea = (page: Page) => page.getByRole('region', { name: 'Request' });
const history = (page: Page) => page.getByRole('region', { name: 'History' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const waitFor = (page: Page, text: string | RegExp) => answerArea(page).getByText(text).first().waitFor();
const call = (id: string, more = '') => `?call=${encodeURIComponent(id)}${more}`;

describe.skipIf(chromiumProgram === undefined)('the inspector', () => {
  it('opens A2A without a part, and knows no other parts than its four [ui-4.13.1, ui-16.1]', async () => {
    await using view = await monitor.openPage({ path: root });
    await settled(view);
    await expect.poll(() => view.page.getByRole('heading', { level: 1 }).textContent()).toBe('Inspector');
    await view.page.getByRole('heading', { name: 'Agent card' }).waitFor();
    await view.goto(root);
    for (const name of ['MCP', 'REST', 'Tools']) {
      await view.page.getByRole('link', { name, exact: true }).click();
      await view.page.getByRole('textbox', { name: 'Path', exact: true }).waitFor();
      await expect.poll(() => view.page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    }
    expect(view.faults()).toEqual([]);
  });

  it('shows an unknown part as Not found [ui-4.13.1]', async () => {
    await using view = await monitor.openPage({ path: `${root}/soap`, expected: [/404/] });
    expect(
      await view.page
        .getByText(/not found|no page/i)
        .first()
        .innerText(),
    ).not.toBe('');
  });

  it('sends a REST call, and shows status, time, size and headers without the token [ui-4.13.3, ui-4.13.10]', async () => {
    await using view = await monitor.openPage({ path: `${root}/rest${call('GET /v1/agent/tasks')}` });
    const { page } = view;
    await page.getByRole('spinbutton', { name: 'limit' }).fill('1');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Path', exact: true }).inputValue())
      .toBe('/v1/agent/tasks?limit=1');
    await page.keyboard.press('Control+Enter');
    await waitFor(page, '200');
    await waitFor(page, /^[\d,]+ ms$/);
    await waitFor(page, /bytes$/);
    await answerArea(page).getByText('Sent headers').click();
    await waitFor(page, 'Bearer …');
    await waitFor(page, 'tasks:');
    expect(await page.content()).not.toContain('ses_');
    await expectAccessible(page);
    expect(view.faults()).toEqual([]);
  });

  it('keeps fields and texts the same both ways, and tells errors at their fields [ui-4.13.2, ui-4.13.12]', async () => {
    await using view = await monitor.openPage({
      path: `${root}/rest${call('POST /v1/agent/tasks')}`,
      expected: [/400/],
    });
    const { page } = view;
    const body = page.getByRole('textbox', { name: 'JSON body' });
    await page.getByRole('textbox', { name: 'prompt (required)' }).fill('Do it');
    expect(JSON.parse(await body.inputValue())).toMatchObject({ prompt: 'Do it' });
    await body.fill('{"prompt": "Another", "priority": 200}');
    await expect.poll(() => page.getByRole('textbox', { name: 'prompt (required)' }).inputValue()).toBe('Another');
    await body.fill('{"prompt": ');
    await requestArea(page).getByText('This is not JSON').waitFor();
    expect(await page.getByRole('textbox', { name: 'prompt (required)' }).isEditable()).toBe(false);
    await body.fill('{"prompt": "Another", "priority": 200}');
    await send(page);
    await waitFor(page, '400');
    const priority = page.getByRole('spinbutton', { name: 'priority' });
    await expect.poll(() => priority.getAttribute('aria-invalid')).toBe('true');
    await requestArea(page).getByText('must be <= 100').waitFor();
    expect(view.faults()).toEqual([]);
  });

  it('does not send a path with a hole or to another origin [ui-4.13.13]', async () => {
    await using view = await monitor.openPage({ path: `${root}/rest${call('GET /v1/agent/tasks/{id}')}` });
    const { page } = view;
    await send(page);
    await requestArea(page).getByText('Fill in id first.').waitFor();
    for (const path of ['//hooks.example/', '/\\hooks.example/', 'https://hooks.example/']) {
      await page.getByRole('textbox', { name: 'Path', exact: true }).fill(path);
      await send(page);
      await requestArea(page).getByText('stay on this service').waitFor();
    }
    expect(view.faults()).toEqual([]);
  });

  it('remembers calls; one is pinned, edited and sent again, and goes with the tab [ui-4.13.5]', async () => {
    await using view = await monitor.openPage({ path: `${root}/rest${call('GET /v1/agent/tasks')}` });
    const { page } = view;
    await page.getByRole('textbox', { name: 'Path', exact: true }).fill('/v1/agent/tasks?limit=2');
    await send(page);
    await history(page).getByText('GET /v1/agent/tasks').waitFor();
    await history(page).getByRole('button', { name: 'Pin' }).click();
    await page.getByRole('link', { name: 'MCP', exact: true }).click();
    await history(page).getByRole('button', { name: 'Edit and send again' }).click();
    await page.waitForURL(/inspector\/rest/);
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Path', exact: true }).inputValue())
      .toBe('/v1/agent/tasks?limit=2');
    await waitFor(page, '200');
    await send(page);
    await history(page).getByRole('button', { name: 'Edit and send again' }).nth(1).waitFor();
    await expect
      .poll(() => page.evaluate('Object.keys({ ...sessionStorage, ...localStorage }).sort()'))
      .toEqual(['switchyard_caller', 'switchyard_session']);
    await page.reload();
    await history(page).getByText('The last 50 calls of this tab').waitFor();
    expect(view.faults()).toEqual([]);
  });

  it('copies a call as curl, without the token [ui-4.13.6]', async () => {
    await using view = await monitor.openPage({ path: `${root}/rest${call('GET /v1/agent/tasks')}` });
    const { page } = view;
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toBe(`curl -sS -g ${monitor.service.url}/v1/agent/tasks -H "Authorization: Bearer $SWITCHYARD_TOKEN"`);
  });

  it('checks the card and its signature, and sees a card that was changed [ui-4.13.7]', async () => {
    await using view = await monitor.openPage({ path: `${root}/a2a` });
    await view.page.getByText('Valid for v1.0, v0.3.').waitFor();
    await view.page.getByText('Its signature is right.').waitFor();
    await using forged = await monitor.openPage();
    await forged.page.route('**/.well-known/agent-card.json', async (route) => {
      const card = await (await route.fetch()).text();
      await route.fulfill({ contentType: 'application/json', body: card.replace('coding tasks', 'other tasks') });
    });
    await forged.goto(`${root}/a2a`);
    await forged.page.getByText('Its signature is wrong').waitFor();
    expect(view.faults()).toEqual([]);
  });

  it.each([
    ['v1.0', 'SendMessage', '&version=1.0'],
    ['v0.3', 'message/send', '&version=0.3'],
    ['REST of v1.0', 'POST /a2a/rest/message:send', '&version=1.0&binding=rest'],
    ['REST of v0.3', 'POST /a2a/rest/v1/message:send', '&version=0.3&binding=rest'],
  ])('sends a message over %s [ui-4.13.7]', async (name, id, mode) => {
    await using view = await monitor.openPage({ path: `${root}/a2a${call(id, mode)}` });
    const { page } = view;
    const body = page.getByRole('textbox', { name: 'JSON body' });
    const message: unknown = JSON.parse(await body.inputValue());
    // Over v1.0 a send waits for its task unless it is told not to.
    const quick = { returnImmediately: true };
    const request =
      id === 'SendMessage'
        ? withQuick(message, quick)
        : id === 'POST /a2a/rest/message:send'
          ? { ...asObject(message), configuration: quick }
          : message;
    await body.fill(JSON.stringify(request).replace('Say in one sentence', `Say over ${name}`));
    await send(page);
    await waitFor(page, '200');
    const { tasks } = (await monitor.service.call('GET', '/v1/agent/tasks?limit=1', { as: 'operator' })).body;
    expect(tasks[0].prompt).toContain(`Say over ${name}`);
    expect(view.faults()).toEqual([]);
  });

  it('shows the frames of a stream as they come, stops it, and goes on after the last one [ui-4.13.4, ui-4.13.8]', async () => {
    await using view = await monitor.openPage({ path: `${root}/a2a${call('SendStreamingMessage')}` });
    const { page } = view;
    await send(page);
    await waitFor(page, /1 frame so far/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await waitFor(page, 'Ended before the answer was complete.');
    await page.getByRole('button', { name: 'Resubscribe after the last frame' }).click();
    await page.waitForURL(/SubscribeToTask/);
    const lastId = await page.getByRole('textbox', { name: 'Last-Event-ID' }).inputValue();
    expect(lastId).not.toBe('');
    await send(page);
    await waitFor(page, '200');
    await page.getByRole('button', { name: 'Stop' }).click();
    await waitFor(page, 'Ended before the answer was complete.');
    expect(view.faults()).toEqual([]);
  });

  it.each(['2026-07-28', '2025-11-25', 'plain'])('calls a tool in revision %s [ui-4.13.9]', async (era) => {
    await using view = await monitor.openPage({ path: `${root}/mcp${call('list_codebases', `&era=${era}`)}` });
    const { page } = view;
    await requestArea(page).getByText('The tool needs codebases:read too.').waitFor();
    await requestArea(page)
      .getByText(/only reads.*stays in the service/)
      .waitFor();
    await requestArea(page).getByText('Written to the audit as list_codebases.').waitFor();
    await send(page);
    await waitFor(page, '200');
    await waitFor(page, /structuredContent/);
    expect(view.faults()).toEqual([]);
  });

  it('reads a resource, gets a prompt, completes, and tells a wrong argument at its field [ui-4.13.9, ui-4.13.12]', async () => {
    await using view = await monitor.openPage();
    for (const [id, said] of [
      ['coord://codebases', /contents/],
      ['prompt:triage_failed_task', /messages/],
      ['completion/complete', /hasMore/],
      ['server/discover', /supportedVersions/],
    ] as const) {
      await view.goto(`${root}/mcp${call(id)}`);
      const task = view.page.getByRole('textbox', { name: 'task_id (required)' });
      if (id.startsWith('prompt:')) await task.fill(monitor.seed.tasks.failed);
      await send(view.page);
      await waitFor(view.page, '200');
      await waitFor(view.page, said);
    }
    await view.goto(`${root}/mcp${call('create_task')}`);
    await view.page.getByRole('textbox', { name: 'title (required)' }).fill('A task');
    await view.page.getByRole('spinbutton', { name: 'priority' }).fill('1000');
    await send(view.page);
    await requestArea(view.page).getByText('must be <= 100').waitFor();
    expect(view.faults()).toEqual([]);
  });

  it('runs a signed tool in the sandbox and tells its usage [ui-4.13.11]', async () => {
    const content = '#!/bin/sh\necho from-the-sandbox\n';
    await install(monitor.service, { tool_id: 'hello', content });
    await using view = await monitor.openPage({ path: `${root}/tools${call('hello@1.0.0')}` });
    const { page } = view;
    await requestArea(page).getByText('Signed by tests').waitFor();
    await send(page);
    await waitFor(page, 'Exit code 0');
    await waitFor(page, 'Ended by itself');
    await waitFor(page, /ms of CPU/);
    await waitFor(page, /from-the-sandbox/);
    expect(view.faults()).toEqual([]);
  });

  it('of a viewer shows what the service refuses [ui-4.13.9]', async () => {
    await using view = await monitor.openPage({
      role: 'viewer',
      path: `${root}/rest${call('POST /v1/agent/tasks')}`,
      expected: [/403/],
    });
    await send(view.page);
    await waitFor(view.page, '403');
    await waitFor(view.page, /tasks:write/);
    expect(view.faults()).toEqual([]);
  });
});

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The JSON-RPC request with a configuration of its send. */
function withQuick(request: unknown, configuration: object): object {
  const { params, ...rest }: { params?: unknown } = asObject(request);
  return { ...rest, params: { ...asObject(params), configuration } };
}
