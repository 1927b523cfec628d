// The commands on what waits for a person, against a service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { command } from '../../support/process/cli-io.ts';
import { until } from '../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService({ config: { webhookBackoffSeconds: 0.01 } });
});
afterAll(() => service[Symbol.asyncDispose]());

it('attention lists what waits, and dismisses what asks nothing [ui-6.19.7]', async () => {
  const { id } = await service.task({ title: 'cannot deliver', webhook_url: 'https://hooks.invalid/y' });
  await service.call('POST', `/v1/agent/tasks/${id}/cancel`, { body: {} });
  const options = { env: { SWITCHYARD_TOKEN: service.token('editor') } };
  const run = (...args: string[]) => command(['attention', ...args, '--url', service.url], options);
  const item = await until('it waits', async () => JSON.parse((await run('--json')).out).items[0]);
  expect(item).toMatchObject({ kind: 'dead_delivery', title: 'cannot deliver' });
  const listed = await run();
  expect([listed.code, listed.out]).toEqual([
    0,
    expect.stringMatching(/^KIND +ID +SINCE +TITLE +TEXT\ndead_delivery /),
  ]);
  const dismissed = await run('dismiss', item.id);
  expect([dismissed.code, dismissed.out]).toEqual([0, `dismissed ${item.id}\n`]);
  expect(JSON.parse((await run('--json')).out)).toEqual({ items: [] });
  const missing = await run('dismiss', item.id);
  expect([missing.code, missing.err]).toEqual([
    expect.any(Number),
    expect.stringContaining('There is no such attention item.'),
  ]);
  expect(missing.code).not.toBe(0);
});
