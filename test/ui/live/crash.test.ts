// A page that follows a log while its service is killed, and while its connections are cut: each line once, in order.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumProgram, launchChromium } from '../../support/peers/chromium.ts';
import { startReplica } from '../../chaos/support/replica.ts';
import { cloneDatabase } from '../../support/database/database.ts';
import { until } from '../../support/until.ts';
import { openConnectionGate } from '../../support/worker/connection-gate.ts';
import { makeSession } from '../support/monitor.ts';
import { expectNoFaults, openView } from '../support/page-view.ts';

const batches = 40;
const linesOfBatch = 20;
const brokenConnection = [/ERR_CONNECTION_|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_SOCKET|Failed to fetch/];

const created = z.object({ task: z.object({ id: z.string() }) });
const registered = z.object({ worker: z.object({ worker_id: z.string() }) });
const claimed = z.object({ tasks: z.array(z.object({ lease_token: z.string() })) });

/** Calls the service as operator, again and again while it is away: as a worker does. */
async function post<T>(url: string, path: string, body: unknown, answer: z.ZodType<T>): Promise<T> {
  return until(`${path} is answered`, async () => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-operator', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    return response?.ok === true ? answer.parse(await response.json()) : undefined;
  });
}

interface HeldTask {
  readonly id: string;
  /** Writes batch `n` of the log, counted from 1. */
  write(n: number): Promise<unknown>;
}

async function holdTask(url: string): Promise<HeldTask> {
  const { task } = await post(
    url,
    '/v1/agent/tasks',
    { title: 'A long log', prompt: 'write', codebase_id: 'global' },
    created,
  );
  const { worker } = await post(
    url,
    '/v1/agent/workers/register',
    { name: 'hand', slots: 1, codebases: [{ codebase_id: 'global', name: 'global', path: '/nowhere' }] },
    registered,
  );
  const { tasks } = await post(url, '/v1/worker/tasks/claim', { worker_id: worker.worker_id, limit: 1 }, claimed);
  const lease_token = tasks[0]?.lease_token ?? '';
  return {
    id: task.id,
    write: (n) => {
      const lines = Array.from({ length: linesOfBatch }, (_, i) => `line ${(n - 1) * linesOfBatch + i + 1}\n`);
      const events = [{ type: 'output', n, stream: 'agent', text: lines.join('') }];
      return post(url, `/v1/worker/tasks/${task.id}/events`, { lease_token, events }, z.unknown());
    },
  };
}

/** Every line that the page holds, once it has the last one. */
async function linesOf(page: Page): Promise<string[]> {
  const log = page.getByRole('log', { name: 'Output' });
  await log.getByText(`line ${batches * linesOfBatch}`, { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Plain text' }).click();
  return (await log.locator('pre').innerText()).trim().split('\n');
}

const allLines = Array.from({ length: batches * linesOfBatch }, (_, i) => `line ${i + 1}`);

describe.skipIf(chromiumProgram === undefined)('the output of a task', () => {
  it('has each line once after the service was killed while it was followed [ui-3.3.11]', async () => {
    await using database = await cloneDatabase();
    await using service = await startReplica(database.service, { leaseSeconds: 3_600 });
    await using browser = await launchChromium();
    const held = await holdTask(service.url);
    const session = await makeSession(service, 'token-of-the-operator');
    await held.write(1);
    const path = `/v1/monitor/tasks/${held.id}/output`;
    await using view = await openView(browser, service.url, session, { path, expected: brokenConnection });
    const { page } = view;
    await page.getByText('line 20', { exact: true }).waitFor();
    for (let n = 2; n <= 20; n++) await held.write(n);
    const back = service.kill();
    for (let n = 21; n <= batches; n++) await held.write(n);
    await back;
    expect(await linesOf(page)).toEqual(allLines);
    await page.getByText('live', { exact: true }).waitFor();
    expectNoFaults(view);
  });

  it('has each line once after its connections were cut three times [ui-3.3.11]', async () => {
    await using database = await cloneDatabase();
    await using service = await startReplica(database.service, { leaseSeconds: 3_600 });
    await using gate = await openConnectionGate(service.url);
    await using browser = await launchChromium();
    const held = await holdTask(service.url);
    const session = await makeSession(service, 'token-of-the-operator');
    await held.write(1);
    const path = `/v1/monitor/tasks/${held.id}/output`;
    await using view = await openView(browser, gate.url, session, { path, expected: brokenConnection });
    await view.page.getByText('line 20', { exact: true }).waitFor();
    for (let n = 2; n <= batches; n++) {
      await held.write(n);
      if (n % 15 === 0) gate.cut();
      if (n % 15 === 5) gate.mend();
    }
    gate.mend();
    expect(await linesOf(view.page)).toEqual(allLines);
    expectNoFaults(view);
  });
});
