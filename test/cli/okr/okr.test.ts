// The commands of objectives, against a service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../../support/process/cli-io.ts';
import { openService, type ManualWorker, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ slots: 4 });
});
afterAll(() => service[Symbol.asyncDispose]());

const run = (...args: string[]) =>
  command(['okr', ...args, '--url', service.url], { env: { SWITCHYARD_TOKEN: service.token('editor') } });
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};

it('okr creates, lists, shows, edits, decides, reports and deletes [platform-4.37]', async () => {
  const keyResults = [
    '--key-result',
    'median below 200 ms=800..200 ms',
    '--key-result',
    'audit passed=milestone',
    '--key-result',
    'plain',
  ];
  const made = await json(
    'create',
    'Faster checkouts',
    ...keyResults,
    '--codebase',
    'global',
    '--tag',
    'speed',
    '--target-date',
    '2031-03-31',
  );
  const { okr_id: id, key_results: found } = made.okr;
  expect(found).toMatchObject([
    { title: 'median below 200 ms', measure: { kind: 'number', start: 800, target: 200, unit: 'ms' } },
    { title: 'audit passed', measure: { kind: 'milestone' } },
    { title: 'plain', measure: { kind: 'manual' } },
  ]);
  const [median, audit, plain] = found.map(({ key_result_id }: { key_result_id: string }) => key_result_id);
  const added = await json('add', id, 'one more', '--measure', 'tasks', '--weight', '2.5');
  expect(added.key_result).toMatchObject({ measure: { kind: 'tasks' }, weight: 2.5, position: 3 });
  await run('remove', id, added.key_result.key_result_id);
  expect((await run('change', id, plain, '--title', 'renamed')).out).toContain('renamed');
  expect((await run('list', '--q', 'FASTER')).out).toMatch(
    /^ID +STATUS +DONE +OWNER +DUE +OBJECTIVE\n\S+ +draft +0 % +token:editor +2031-03-31 +Faster checkouts\n$/,
  );
  const edited = await json('edit', id, '--description', 'why', '--target-date', '', '--title', 'a title');
  expect(edited.okr).toMatchObject({
    description: 'why',
    target_date: null,
    task_template: { codebase_id: 'global', title: 'a title' },
  });
  expect((await run('approve', id, '--reason', 'worth it')).out).toContain('decided:   by token:editor: worth it');
  expect((await run('report', id, median, '--current', '500')).out).toContain(
    '50 %  in-progress  median below 200 ms  (800 to 200 ms, now 500)',
  );
  expect((await run('report', id, median, '--progress', '5')).code).toBe(6);
  expect((await json('report', id, audit, '--status', 'blocked', '--reason', 'no auditor')).key_result).toMatchObject({
    status: 'blocked',
    status_reason: 'no auditor',
  });
  expect((await run('show', id)).out).toContain('status:    approved, 16.67 %');
  expect((await run('complete', id)).code).toBe(6);
  expect((await run('stats')).out).toContain('approved         1\n');
  expect((await run('deny', id)).out).toContain('status:    denied');
  expect((await run('delete', id)).code).toBe(4);
  expect((await run('create', 'x', '--key-result', 'bad=4..')).code).toBe(2);
});

it('okr runs an objective and follows it; the exit code is its outcome [platform-4.37]', async () => {
  const { okr } = await json('create', 'To run', '--key-result', 'good', '--key-result', 'bad', '--codebase', 'global');
  await run('approve', okr.okr_id);
  const watched = run('run', okr.okr_id, '--watch');
  for (let ended = 0; ended < 2;) {
    const [held] = await until('a task is claimed', async () => {
      const claimed = await worker.claim(1);
      return claimed.length > 0 && claimed;
    });
    if (held === undefined) continue;
    const artifacts = [
      { name: 'okr-progress', mime_type: 'application/json', data: { summary: 'half', evidence: [], progress: 50 } },
    ];
    const failed = { status: 'failed', error: { code: 'agent_error', message: 'it broke' } };
    await worker.release(held, held.task.title.endsWith('good') ? { status: 'completed', artifacts } : failed);
    ended += 1;
  }
  const { code, out } = await watched;
  expect(code).toBe(1);
  expect(out).toMatch(/completed {3}good {2}0 % to 50 % {2}task \S+\n {4}half\n/);
  expect(out).toMatch(/failed\n$/);
  const { runs } = await json('runs', okr.okr_id);
  expect(runs.length).toBe(1);
  expect((await run('watch', okr.okr_id, runs[0].run_id)).code).toBe(1);
  expect((await run('cancel', okr.okr_id, runs[0].run_id)).code).toBe(6);
  const second = (
    await run('run', okr.okr_id, '--key-result', okr.key_results[0].key_result_id, '--sequential')
  ).out.trim();
  expect((await run('cancel', okr.okr_id, second)).out).toMatch(/cancelled, sequential\n {2}cancelled {3}good/);
});
