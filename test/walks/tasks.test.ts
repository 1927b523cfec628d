// Tasks over the agent family and the command line: created, ordered, followed, cancelled, retried, answered.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { TaskWire } from '../../src/contracts/task.ts';
import { openStream } from '../support/client/sse.ts';
import { until } from '../support/until.ts';
import { script } from '../support/worker/local-worker.ts';
import { haveExited, pidsIn } from '../support/worker/left-processes.ts';
import { requestsInput, leavesProcesses, untilThere } from './support/prompts.ts';
import { fileOnBranch } from './support/repository.ts';
import { walks } from './support/walk.ts';

walks('tasks', { on: ['embedded', 'replicas'] }, (walk) => {
  walk(
    ['task-create', 'task-in-codebase', 'task-poll', 'task-to-a-worker'],
    'tasks of both paths change the repository, and are listed',
    async (on) => {
      const { worker, repository, codebaseId } = await on.workplace({ slots: 2 });
      const body = { title: 'in its codebase', prompt: script('echo new > new.txt', 'rm kept.txt', 'echo made it') };
      const { task } = await on.must(201, 'POST', `/v1/agent/codebases/${codebaseId}/tasks`, { body });
      expect(task).toMatchObject({ status: 'pending', title: 'in its codebase', codebase_id: codebaseId });
      const other = await on.task(codebaseId, ['echo other > other.txt']);
      expect(await on.made(task.id, repository, 'new.txt')).toBe('new\n');
      expect(await on.made(task.id, repository, 'kept.txt')).toBeUndefined();
      expect(await on.made(other, repository, 'other.txt')).toBe('other\n');
      expect(await fileOnBranch(repository, task.id, 'new.txt')).toBe('new');
      const done: TaskWire = await on.get(task.id);
      expect(done).toMatchObject({
        worker_id: worker.id,
        attempt: 1,
        error: null,
        result: expect.stringContaining('made it'),
      });
      expect(Date.parse(done.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(done.started_at ?? ''));
      const { tasks } = await on.must(200, 'GET', `/v1/agent/tasks?codebase_id=${codebaseId}&status=completed`);
      expect(tasks.map(({ id }: TaskWire) => id)).toEqual([other, task.id]);
      const { artifact } = await on.must(200, 'GET', `/v1/agent/tasks/${task.id}/artifacts/files`);
      expect(artifact.data).toMatchObject([
        { path: 'kept.txt', status: 'deleted' },
        { path: 'new.txt', status: 'added' },
      ]);
    },
  );

  walk(
    ['task-trigger', 'task-poll'],
    'a trigger starts an agent, and its task is polled until it is done',
    async (on) => {
      const { repository, codebaseId } = await on.workplace();
      const body = { prompt: script('echo triggered > made.txt'), agent: 'build' };
      const started = await on.must(202, 'POST', `/v1/agent/codebases/${codebaseId}/trigger`, { body });
      expect(started).toMatchObject({ status: 'pending', session_id: expect.any(String), run_id: expect.any(String) });
      const task = await until('the triggered task is done', async () => {
        const { status } = await on.get(started.task_id);
        return ['completed', 'failed'].includes(status) && status;
      });
      expect(task).toBe('completed');
      expect(await on.get(started.task_id)).toMatchObject({ agent_type: 'build', run_id: started.run_id });
      expect(await on.made(started.task_id, repository, 'made.txt')).toBe('triggered\n');
    },
  );

  walk(['task-priority'], 'of waiting tasks the one with the higher priority runs first', async (on) => {
    const { codebaseId } = await on.workplace();
    const [gate, order] = [path.join(on.folder, 'gate'), path.join(on.folder, 'order')];
    const first = await on.task(codebaseId, ['echo begun', untilThere(gate)]);
    await on.printed(first, 'begun');
    const submitWithPriority = (priority: number): Promise<string> =>
      on.task(codebaseId, [`echo ${priority} >> '${order}'`, `cat '${order}'`], { priority });
    const low = await submitWithPriority(1);
    const [high, middle] = [await submitWithPriority(90), await submitWithPriority(50)];
    await writeFile(gate, '');
    await Promise.all([high, middle].map((id) => on.completed(id)));
    await on.completed(low);
    expect(await on.output(low)).toBe('90\n50\n1\n');
  });

  walk(['task-without-codebase'], 'a task for no codebase waits and says why', async (on) => {
    await on.worker({ global: await on.repository() });
    const body = { title: 'for nobody', prompt: script('echo never') };
    const { task } = await on.must(201, 'POST', '/v1/agent/tasks', { body });
    const other = await on.task('global', ['echo for anybody']);
    await on.completed(other);
    expect(await on.get(task.id)).toMatchObject({ status: 'pending', attempt: 0, waiting_reason: 'no_codebase' });
    await on.must(200, 'POST', `/v1/agent/tasks/${task.id}/cancel`);
  });

  walk(['task-fails'], 'a failed task says how, and its retry is a task of its own', async (on) => {
    const { repository, codebaseId } = await on.workplace();
    const flag = path.join(on.folder, 'flag');
    const failing = await on.task(
      codebaseId,
      [`[ -e '${flag}' ] || { echo broken >&2; exit 3; }`, 'echo mended > made.txt'],
      { max_attempts: 1 },
    );
    const failed = await on.ended(failing);
    expect(failed).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: expect.any(String), message: expect.stringContaining('3') },
    });
    expect(await on.output(failing)).toContain('broken');
    await writeFile(flag, '');
    const { task: again } = await on.must(201, 'POST', `/v1/agent/tasks/${failing}/retry`);
    expect(again).toMatchObject({ retry_of: failing, status: 'pending' });
    expect(await on.made(again.id, repository, 'made.txt')).toBe('mended\n');
    expect((await on.get(failing)).status).toBe('failed');
  });

  walk(['task-cancel-pending'], 'a waiting task is cancelled and never runs', async (on) => {
    const { worker, codebaseId } = await on.workplace();
    await worker.stop();
    const trace = path.join(on.folder, 'trace');
    const id = await on.task(codebaseId, [`touch '${trace}'`]);
    expect(await on.must(200, 'POST', `/v1/agent/tasks/${id}/cancel`)).toMatchObject({ task: { status: 'cancelled' } });
    await worker.start();
    const behind = await on.task(codebaseId, [`[ ! -e '${trace}' ]`]);
    await on.completed(behind);
    expect(await on.get(id)).toMatchObject({ status: 'cancelled', attempt: 0 });
    expect((await on.call('POST', `/v1/agent/tasks/${id}/cancel`)).status).toBe(409);
  });

  walk(['task-cancel-running'], 'cancelling a running task ends everything that its agent started', async (on) => {
    const { codebaseId } = await on.workplace();
    const file = path.join(on.folder, 'pids');
    const id = await on.task(codebaseId, ['echo half > half.txt', ...leavesProcesses(file), 'sleep 600']);
    const pids = await pidsIn(file);
    expect(pids).toHaveLength(2);
    await on.must(200, 'POST', `/v1/agent/tasks/${id}/cancel`);
    await haveExited(pids);
    const diff = await until('what it had changed', async () => {
      const { status, body } = await on.call('GET', `/v1/agent/tasks/${id}/artifacts/diff`);
      return status === 200 && body.artifact.text;
    });
    expect(diff).toContain('+half');
    expect((await on.get(id)).status).toBe('cancelled');
    await on.completed(await on.task(codebaseId, ['echo free again']));
  });

  walk(['task-deadline'], 'a task that has not ended by its deadline fails, running or not', async (on) => {
    const { codebaseId } = await on.workplace();
    const shortDeadline = (): Record<string, unknown> => ({ deadline_at: new Date(Date.now() + 5_000).toISOString() });
    const file = path.join(on.folder, 'pids');
    const running = await on.task(codebaseId, [...leavesProcesses(file), 'sleep 600'], shortDeadline());
    const pids = await pidsIn(file);
    const waiting = await on.task(codebaseId, ['echo never'], {
      ...shortDeadline(),
      required_capabilities: ['flying'],
    });
    for (const id of [running, waiting]) {
      expect(await on.ended(id)).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } });
    }
    await haveExited(pids);
  });

  walk(['task-question'], 'an agent asks, somebody answers, and it goes on with the answer', async (on) => {
    const { repository, codebaseId } = await on.workplace();
    const id = await on.task(codebaseId, requestsInput('Which colour?'));
    await on.inState(id, 'needs_input');
    const { messages } = await on.must(200, 'GET', `/v1/monitor/messages?q=colour&limit=50`);
    expect(messages).toContainEqual(
      expect.objectContaining({ task_id: id, text: expect.stringContaining('Which colour?') }),
    );
    await on.must(200, 'POST', `/v1/agent/tasks/${id}/input`, { body: { message: 'Green, please.' } });
    expect(await on.made(id, repository, 'answer.txt')).toBe('Green, please.\n');
    expect(await on.get(id)).toMatchObject({ attempt: 1, result: expect.stringContaining('read Green') });
  });

  walk(['task-follow'], 'a follower that was cut off goes on at another replica and misses nothing', async (on) => {
    const { codebaseId } = await on.workplace();
    const gate = path.join(on.folder, 'gate');
    const id = await on.task(codebaseId, ['echo first', untilThere(gate), 'echo second', 'echo third']);
    const where = `/v1/agent/tasks/${id}/events`;
    await on.printed(id, 'first');
    await using cut = await openStream(on.caller('viewer', 0), where);
    let last: string | undefined;
    for (let frame = await cut.next(); frame !== undefined; frame = await cut.next()) {
      last = frame.id;
      if (frame.event === 'output') break;
    }
    await cut.close();
    await writeFile(gate, '');
    await on.completed(id);
    await using rest = await openStream(on.caller('viewer', 1), where, { lastEventId: last });
    await rest.ended;
    const seqs = [...cut.frames.slice(0, Number(last)), ...rest.frames].map((frame) => frame.data.seq);
    expect(seqs).toEqual(seqs.map((_, n) => n + 1));
    expect(rest.frames.at(-1)?.data).toMatchObject({ type: 'status', data: { status: 'completed', final: true } });
    const { events } = await on.must(200, 'GET', `${where}?after=0&limit=1000`, { as: 'viewer' });
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(seqs);
    expect(await on.output(id)).toBe('first\nsecond\nthird\n');
  });

  walk(['task-commands'], 'the command line creates, follows, shows, cancels and retries', async (on) => {
    const { repository, codebaseId } = await on.workplace();
    const create = ['task', 'create', '--codebase', codebaseId];
    const good = await on.cli('editor', ...create, '--follow', script('echo working', 'echo new > new.txt'));
    expect([good.code, good.out]).toEqual([0, 'working\n']);
    const id = /^task (\S+)$/m.exec(good.err)?.[1] ?? '';
    expect((await on.cli('viewer', 'task', 'show', id)).out).toMatch(/^status +completed$/m);
    expect((await on.cli('viewer', 'task', 'show', id, '--diff')).out).toBe(await on.diff(id));
    expect(await on.made(id, repository, 'new.txt')).toBe('new\n');
    expect((await on.cli('editor', ...create, '--follow', script('exit 3'))).code).toBe(1);
    const created = await on.cli('editor', ...create, '--follow', script(...requestsInput('Which one?')));
    expect([created.code, `${created.out}${created.err}`]).toEqual([7, expect.stringContaining('Which one?')]);
    const waitingId = /^task (\S+)$/m.exec(created.err)?.[1] ?? '';
    expect((await on.cli('editor', 'task', 'answer', waitingId, 'This one.')).code).toBe(0);
    expect((await on.cli('editor', 'task', 'watch', waitingId)).code).toBe(0);
    expect((await on.cli('viewer', 'logs', waitingId)).out).toContain('read This one.');
    const long = (await on.cli('editor', ...create, script('sleep 600'))).out.trim();
    await on.inState(long, 'running');
    expect((await on.cli('editor', 'task', 'cancel', long)).code).toBe(0);
    expect((await on.cli('editor', 'task', 'cancel', long)).code).toBe(6);
    expect((await on.ended(long)).status).toBe('cancelled');
  });
});
