// Codebases: registered by whoever may, found by their path, global, shared and exclusive. core-2.6, core-3.4.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { script } from '../support/worker/local-worker.ts';
import { untilThere } from './support/prompts.ts';
import { fileOnBranch } from './support/repository.ts';
import type { WalkContext } from './support/walk-context.ts';
import { walks } from './support/walk.ts';

const writes = (text: string): string[] => [`echo ${text} > made.txt`, `echo wrote ${text}`];

async function bind(on: WalkContext, fields: Record<string, unknown>): Promise<string> {
  const body = { name: 'a codebase', ...fields };
  return (await on.must(201, 'POST', '/v1/agent/codebases', { as: 'operator', body })).codebase.codebase_id;
}

async function registerPath(on: WalkContext, at: string): Promise<string> {
  const answer = await on.must(202, 'POST', '/v1/agent/codebases', {
    as: 'operator',
    body: { name: 'by path', path: at },
  });
  expect(answer).toMatchObject({ pending: true });
  return answer.task_id;
}

walks('codebases', { on: ['replicas'] }, (walk) => {
  walk(['codebase-no-workers'], 'a path without any worker is answered that none is available', async (on) => {
    const body = { name: 'nowhere', path: on.folder };
    const refused = await on.must(503, 'POST', '/v1/agent/codebases', { as: 'lonely', body });
    expect(refused).toMatchObject({
      code: 'no_workers_available',
      detail: expect.stringContaining('No workers are available'),
    });
  });

  walk(
    ['codebase-for-worker', 'task-to-a-worker'],
    'a codebase that an operator registers for a worker is worked on',
    async (on) => {
      const worker = await on.worker();
      const repository = await on.repository();
      const codebaseId = await bind(on, { path: repository, worker_id: worker.id });
      const task = await on.task(codebaseId, writes('for the operator'));
      expect(await on.made(task, repository, 'made.txt')).toBe('for the operator\n');
      expect(await on.get(task)).toMatchObject({ worker_id: worker.id, attempt: 1 });
      expect((await on.codebaseAt(worker, repository)).worker_id).toBe(worker.id);
    },
  );

  walk(['codebase-at-once'], 'tasks submitted in the same breath as their binding run', async (on) => {
    const worker = await on.worker({ slots: 2 });
    const repository = await on.repository();
    const codebaseId = await bind(on, { path: repository, worker_id: worker.id });
    const tasks = await Promise.all(['one', 'two', 'three'].map((text) => on.task(codebaseId, writes(text))));
    const made = await Promise.all(tasks.map((task) => on.made(task, repository, 'made.txt')));
    expect(made).toEqual(['one\n', 'two\n', 'three\n']);
  });

  walk(['codebase-by-path'], 'the worker that has a path binds it, and its tasks run there', async (on) => {
    const repository = await on.repository();
    const elsewhere = await on.worker({ roots: path.join(on.folder, 'of-nobody') });
    const finder = await on.worker();
    const registration = await registerPath(on, repository);
    const { result } = await on.completed(registration);
    const { codebase_id: codebaseId } = JSON.parse(result ?? '');
    expect(await on.must(200, 'GET', `/v1/agent/codebases/${codebaseId}`)).toMatchObject({
      codebase: { path: repository, status: 'active', bindings: [{ worker_id: finder.id, path: repository }] },
    });
    const task = await on.task(codebaseId, writes('by path'));
    expect(await on.made(task, repository, 'made.txt')).toBe('by path\n');
    expect((await on.get(task)).worker_id).not.toBe(elsewhere.id);
  });

  walk(['codebase-no-such-path'], 'a path that no worker has ends its registration', async (on) => {
    await on.worker();
    const registration = await registerPath(on, path.join(on.folder, 'nowhere'));
    expect(await on.ended(registration)).toMatchObject({ status: 'failed', error: { code: 'path_not_found' } });
  });

  walk(['codebase-not-served'], 'folders outside of the roots, and those of the system, are refused', async (on) => {
    const worker = await on.worker({ roots: path.join(on.folder, 'open') });
    for (const at of [path.join(on.folder, 'elsewhere'), '/proc/self', '/']) {
      const body = { name: 'a codebase', path: at, worker_id: worker.id };
      const refused = await on.must(409, 'POST', '/v1/agent/codebases', { as: 'operator', body });
      expect(refused).toMatchObject({ code: 'path_not_allowed' });
      const registration = await on.ended(await registerPath(on, at));
      expect(registration.error?.message).toContain('A2A_WORKER_CODEBASE_ROOTS');
    }
  });

  walk(['codebase-global'], 'a task for global runs in the global folder of any worker that offers one', async (on) => {
    [on.user, on.agent] = ['other', 'otheragent'];
    const [one, two, own] = [await on.repository('one'), await on.repository('two'), await on.repository('own')];
    const first = await on.worker({ global: one, codebases: [{ path: own }] });
    const second = await on.worker({ global: two });
    const gate = path.join(on.folder, 'gate');
    // Each keeps its only slot until the other has a task too.
    const held = [untilThere(gate), ...writes('global')];
    const tasks = [await on.task('global', held), await on.task('global', held)];
    for (const id of tasks) await on.inState(id, 'running');
    const regular = await on.task((await on.codebaseAt(first, own)).codebase_id, writes('regular'));
    await writeFile(gate, '');
    const takenBy = await Promise.all(tasks.map(async (id) => (await on.completed(id)).worker_id));
    expect(new Set(takenBy)).toEqual(new Set([first.id, second.id]));
    for (const [n, id] of tasks.entries()) {
      const place = takenBy[n] === first.id ? one : two;
      expect(await fileOnBranch(place, id, 'made.txt')).toBe('global');
    }
    expect(await on.made(regular, own, 'made.txt')).toBe('regular\n');
  });

  walk(
    ['codebase-exclusive'],
    'a codebase that was registered for one worker goes to it alone, though another has the path',
    async (on) => {
      const repository = await on.repository();
      const [idle, chosen] = [await on.worker({ slots: 4 }), await on.worker()];
      const codebaseId = await bind(on, { path: repository, worker_id: chosen.id });
      expect((await on.codebaseAt(chosen, repository)).worker_id).toBe(chosen.id);
      const tasks = await Promise.all([1, 2, 3].map((n) => on.task(codebaseId, writes(String(n)))));
      for (const id of tasks) expect((await on.completed(id)).worker_id).toBe(chosen.id);
      await chosen.stop();
      const waiting = await on.task(codebaseId, writes('later'));
      await until('why it waits', async () => (await on.get(waiting)).waiting_reason === 'no_worker_for_codebase');
      expect(await on.get(waiting)).toMatchObject({ status: 'pending', worker_id: null });
      await chosen.start();
      expect(await on.made(waiting, repository, 'made.txt')).toBe('later\n');
      expect(idle.printed).not.toContain(codebaseId);
    },
  );

  walk(
    ['codebase-shared'],
    'two workers hold one codebase at their own paths, and each works in its own',
    async (on) => {
      const [here, there] = [
        await on.repository('here', { 'which.txt': 'here\n' }),
        await on.repository('there', { 'which.txt': 'there\n' }),
      ];
      const [first, second] = [await on.worker(), await on.worker()];
      const codebaseId = await bind(on, { path: here, worker_id: first.id });
      expect(await bind(on, { codebase_id: codebaseId, path: there, worker_id: second.id })).toBe(codebaseId);
      const { bindings } = await on.codebaseAt(second, there);
      expect(bindings).toHaveLength(2);
      for (const [worker, repository, which] of [
        [first, here, 'here'],
        [second, there, 'there'],
      ] as const) {
        const task = await on.task(codebaseId, ['cp which.txt made.txt'], { target_worker_id: worker.id });
        expect(await on.made(task, repository, 'made.txt')).toBe(`${which}\n`);
        expect((await on.get(task)).worker_id).toBe(worker.id);
      }
    },
  );

  walk(
    ['codebase-commands'],
    'the command line adds a folder, runs a task in it, lists it and takes it out',
    async (on) => {
      const worker = await on.worker();
      const repository = await on.repository('by command');
      const added = await on.cli('operator', 'codebase', 'add', repository, '--json');
      expect([added.code, added.err]).toEqual([0, '']);
      const { codebase_id: codebaseId } = JSON.parse(added.out).codebase;
      const prompt = script(...writes('by command'));
      const followed = await on.cli('editor', 'task', 'create', '--codebase', repository, '--follow', prompt);
      expect([followed.code, followed.out]).toEqual([0, 'wrote by command\n']);
      const bound = await on.cli('operator', 'codebase', 'add', repository, '--name', 'for one', '--worker', worker.id);
      expect([bound.code, bound.out]).toEqual([0, expect.stringContaining(codebaseId)]);
      expect((await on.cli('viewer', 'codebase', 'list')).out).toContain(codebaseId);
      expect((await on.cli('admin', 'codebase', 'rm', codebaseId)).code).toBe(0);
      expect((await on.cli('viewer', 'codebase', 'list')).out).not.toContain(codebaseId);
      expect((await on.call('GET', `/v1/agent/codebases/${codebaseId}`)).status).toBe(404);
    },
  );
});
