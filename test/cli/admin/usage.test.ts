// The command `usage`: what it prints and asks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

const usage = (...args: string[]): Promise<Outcome> =>
  command(['usage', ...args], { env: { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') } });

it('prints a row for each group, with unknown costs apart [ui-6.8.11]', async () => {
  const worker = await service.worker();
  for (const release of [{ usage: { input_tokens: 7, cost_usd: 0.5 } }, {}]) {
    const task = await service.task({ model: 'one:small' });
    const [assignment] = await worker.claim(1, task.id);
    if (assignment === undefined) throw new Error('not claimed');
    await worker.release(assignment, { status: 'completed', ...release });
  }
  const { code, out } = await usage('--by', 'model');
  expect(code).toBe(exitCodes.ok);
  const [head, row] = out.split('\n');
  expect(head).toMatch(/^BY +TASKS +COMPLETED/);
  expect(row).toMatch(/^one:small +2 +2 +0 +[\d.]+ s +7 +0 +0 +\$0\.50 +1$/);
  const json = JSON.parse((await usage('--by', 'model', '--json', '--from', '2026-01-01')).out);
  expect(json.usage).toMatchObject([{ key: 'one:small', tasks: 2 }]);
  expect((await usage('--from', '2001-01-01', '--to', '2001-01-02')).out.trim().split('\n')).toHaveLength(1);
});

it('refuses a group that does not exist, and a from after its to [ui-6.8.11]', async () => {
  expect((await usage('--by', 'nonsense')).code).toBe(exitCodes.usage);
  expect((await usage('--from', '2026-02-01', '--to', '2026-01-01')).code).toBe(exitCodes.usage);
});
