// The commands of cron jobs, against a service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../../support/process/cli-io.ts';
import { openService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

it('cron creates, lists, shows, edits, turns off and on, triggers and deletes jobs [platform-3.3.8]', async () => {
  const as = (who: 'editor' | 'admin') => ({ env: { SWITCHYARD_TOKEN: service.token(who) } });
  const run = (...args: string[]) => command(['cron', ...args, '--url', service.url], as('editor'));
  const made = await run(
    'create',
    'nightly',
    '0 3 * * *',
    '--timezone',
    'Europe/Berlin',
    '--prompt',
    'Tidy up.',
    '--json',
  );
  const { cronjob } = JSON.parse(made.out);
  expect(cronjob).toMatchObject({ name: 'nightly', timezone: 'Europe/Berlin', task_template: { prompt: 'Tidy up.' } });
  const id = String(cronjob.cronjob_id);
  expect((await run('list')).out).toMatch(
    /^ID +NAME +CRON +ZONE +NEXT +LAST +RUNS +FAILED\n\S+ +nightly +0 3 \* \* \* /,
  );
  expect((await run('show', id)).out).toContain('  next:     20');
  const edited = await run('edit', id, '--cron', '@daily', '--title', 'tidy', '--overlap', 'allow', '--json');
  expect(JSON.parse(edited.out).cronjob).toMatchObject({
    cron: '@daily',
    overlap: 'allow',
    task_template: { prompt: 'Tidy up.', title: 'tidy' },
    version: 2,
  });
  expect((await run('disable', id)).out).toContain('(off)');
  const task = (await run('trigger', id)).out.trim();
  expect((await service.call('GET', `/v1/agent/tasks/${task}`)).body.task).toMatchObject({ title: 'tidy' });
  expect((await run('runs', id)).out).toMatch(/^DUE +STATUS +BY +TASK +REASON\n\S+ +started +manual /);
  expect((await run('enable', id)).out).not.toContain('(off)');
  expect((await run('delete', id)).code).toBe(4);
  const deleted = await command(['cron', 'delete', id, '--url', service.url], as('admin'));
  expect([deleted.code, deleted.out]).toEqual([0, `deleted ${id}  nightly\n`]);
});

it('cron creates a disabled job with bounds, edits it after its codebase is gone, and filters lists [platform-3.3.8]', async () => {
  const run = (...args: string[]) =>
    command(['cron', ...args, '--url', service.url], { env: { SWITCHYARD_TOKEN: service.token('editor') } });
  const bounds = ['--starts-at', '2031-01-01T00:00:00Z', '--ends-at', '2032-01-01T00:00:00Z'];
  const about = ['--description', 'each spring', '--catch-up-window', '3600', '--disabled'];
  const made = await run('create', 'in the spring', '@monthly', '--prompt', 'Sow.', ...bounds, ...about, '--json');
  const { cronjob } = JSON.parse(made.out);
  expect(cronjob).toMatchObject({
    enabled: false,
    description: 'each spring',
    catch_up_window_seconds: 3600,
    starts_at: '2031-01-01T00:00:00.000Z',
    ends_at: '2032-01-01T00:00:00.000Z',
  });
  const id = String(cronjob.cronjob_id);
  await run('trigger', id);
  await service.db.query(
    `update cronjobs set task_template = task_template || '{"codebaseId": "gone"}' where cronjob_id = $1`,
    [id],
  );
  const edited = await run('edit', id, '--cron', '@daily', '--ends-at', '', '--json');
  expect(JSON.parse(edited.out).cronjob).toMatchObject({ cron: '@daily', ends_at: null, description: 'each spring' });
  const ids = async (...args: string[]) =>
    JSON.parse((await run('list', ...args, '--json')).out).cronjobs.map((job: { name: string }) => job.name);
  expect(await ids('--disabled', '--q', 'SPRING')).toEqual(['in the spring']);
  expect(await ids('--enabled', '--q', 'SPRING')).toEqual([]);
  expect(JSON.parse((await run('runs', id, '--status', 'failed', '--json')).out).runs).toEqual([]);
  expect(JSON.parse((await run('runs', id, '--status', 'started', '--json')).out).runs.length).toBe(1);
});

it('cron validate tells the next five times, and what is wrong with an expression [platform-3.3.8]', async () => {
  const run = (...args: string[]) =>
    command(['cron', 'validate', ...args, '--url', service.url], {
      env: { SWITCHYARD_TOKEN: service.token('viewer') },
    });
  const good = await run('0 9 * * MON-FRI', '--timezone', 'Asia/Tokyo');
  expect(good.out.trim().split('\n').length).toBe(5);
  expect(good.out).toMatch(/^\d{4}-\d\d-\d\dT09:00:00\+09:00 {2}\d{4}-\d\d-\d\dT00:00:00\.000Z\n/);
  const bad = await run('often');
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('five fields')]);
});
