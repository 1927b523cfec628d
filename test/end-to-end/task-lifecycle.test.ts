// One task from its creation to its end, as a caller and a worker see it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the life of a task', () => {
  it('is created pending, claimed, reported on, completed, and its log says so without a gap', async () => {
    const task = await service.task();
    expect(task).toMatchObject({ status: 'pending', waiting_reason: 'no_worker_for_codebase', attempt: 0 });
    const worker = await service.worker();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    expect(held.task).toMatchObject({ id: task.id, status: 'running', attempt: 1, worker_id: worker.id });
    await worker.report(held, [{ type: 'output', n: 1, stream: 'agent', text: 'working' }]);
    const end = await worker.release(held, { status: 'completed', result: 'done' });
    expect(end).toMatchObject({ status: 200, body: { status: 'completed', seq: 4 } });
    const log = await service.call('GET', `/v1/agent/tasks/${task.id}/events`);
    expect(log.body.events.map((e: { seq: number }) => e.seq)).toEqual([1, 2, 3, 4]);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}`)).body.task).toMatchObject({
      status: 'completed',
      result: 'done',
      run_id: task.run_id,
    });
  });

  it('goes back to pending with a question answered, the whole exchange in its messages', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    const answered = await service.call('POST', `/v1/agent/tasks/${task.id}/input`, { body: { message: 'this' } });
    expect(answered).toMatchObject({ status: 200, body: { task: { status: 'pending', attempt: 0 } } });
    const [again] = await worker.claim();
    expect(again?.task.messages.map((m) => [m.role, m.parts])).toEqual([
      ['agent', [{ text: 'which?' }]],
      ['user', [{ text: 'this' }]],
    ]);
    if (again === undefined) throw new Error('nothing claimed');
    await worker.release(again, { status: 'completed' });
  });

  it('is cancelled at once, and the worker learns it from its next heartbeat', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    expect((await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`)).body.task.status).toBe('cancelled');
    expect((await worker.heartbeat([held])).body).toMatchObject({ renewed: [], lost: [], cancel: [task.id] });
    expect((await worker.release(held, { status: 'completed' })).body.code).toBe('lease_lost');
    const lateReport = await worker.report(held, [{ type: 'artifact', n: 1, name: 'diff', text: 'late' }]);
    expect(lateReport).toMatchObject({ status: 200, body: { cancel_requested: true } });
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/diff`)).body.artifact.text).toBe('late');
  });

  it('keeps the artifacts of a release that comes after its cancel, once however often it is repeated [choices-2.26]', async () => {
    const worker = await service.worker();
    for (const status of ['cancelled', 'completed']) {
      const task = await service.task();
      const [held] = await worker.claim();
      if (held === undefined) throw new Error('nothing claimed');
      await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
      const release = { status, artifacts: [{ name: 'diff', text: 'late', append: true }] };
      for (let round = 0; round < 2; round += 1) {
        expect((await worker.release(held, release)).status).toBe(status === 'cancelled' ? 200 : 409);
      }
      const { body } = await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/diff`);
      expect(body.artifact.text).toBe('late');
    }
  });

  it('does not get the artifacts of a repeated release twice [choices-5.34]', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    const release = { status: 'cancelled', artifacts: [{ name: 'diff', text: 'once', append: true }] };
    for (let round = 0; round < 2; round += 1) expect((await worker.release(held, release)).status).toBe(200);
    expect((await service.call('GET', `/v1/agent/tasks/${task.id}/artifacts/diff`)).body.artifact.text).toBe('once');
  });

  it('is lost to a token that is none, as to a foreign one, and the worker’s other leases hold [choices-5.35]', async () => {
    const worker = await service.worker();
    const task = await service.task();
    const [held] = await worker.claim();
    if (held === undefined) throw new Error('nothing claimed');
    const stale = { ...held, lease_token: 'a word' };
    const event = { type: 'output', n: 1, stream: 'stdout', text: 'x' };
    expect(await worker.report(stale, [event])).toMatchObject({ status: 409, body: { code: 'lease_lost' } });
    expect(await worker.release(stale, { status: 'completed' })).toMatchObject({ status: 409 });
    const other = await service.task();
    const [second] = await worker.claim();
    if (second === undefined) throw new Error('nothing claimed');
    expect((await worker.heartbeat([stale, second])).body).toMatchObject({
      renewed: [{ task_id: other.id }],
      lost: [task.id],
    });
    for (const each of [held, second]) await worker.release(each, { status: 'completed' });
  });
});
