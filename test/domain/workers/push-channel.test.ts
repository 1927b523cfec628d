// The push channel of workers, over the wire: what is sent to whom, in which order, and what a reconnect brings again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AssignmentWire, streamFrames } from '../../../src/contracts/worker.ts';
import { openService, type TestService, type ManualWorker } from '../../support/service.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { openStream, type Stream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

let names = 0;
/** A worker with a codebase of its own. */
async function registerOwnWorker(
  profile: Record<string, unknown> = {},
): Promise<{ worker: ManualWorker; codebase: string }> {
  const codebases = [{ name: 'code', path: '/code' }];
  const worker = await service.worker({ name: `push ${(names += 1)}`, codebases, ...profile });
  return { worker, codebase: worker.registered.codebases[0]?.codebase_id ?? '' };
}

function connect(worker: ManualWorker, slots?: number, lastEventId?: string): Promise<Stream> {
  const query = slots === undefined ? '' : `&slots=${slots}`;
  return openStream(service, `/v1/worker/tasks/stream?worker_id=${worker.id}${query}`, { as: 'agent', lastEventId });
}

const assignedTo = (stream: Stream): AssignmentWire[] =>
  stream.frames.filter((frame) => frame.event === 'task_assigned').map((frame) => frame.data);

describe('a push channel', () => {
  it('is an event stream that begins with connected and keeps the published form [choices-5.7, choices-5.9]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    await using stream = await connect(worker, 1);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const hello = await stream.next();
    expect(hello).toMatchObject({ event: 'connected', data: { worker_id: worker.id, lease_seconds: 60 } });
    streamFrames.connected.parse(hello?.data);
    const task = await service.task({ codebase_id: codebase });
    const { data } = await stream.take('task_assigned');
    streamFrames.task_assigned.parse(data);
    expect(data.task).toMatchObject({ id: task.id, status: 'running', attempt: 1, worker_id: worker.id });
    expect((await worker.release(data, { status: 'completed' })).status).toBe(200);
  });

  it('assigns what waited already, and never more than the declared slots [choices-5.9]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const tasks = await Promise.all(Array.from({ length: 7 }, () => service.task({ codebase_id: codebase })));
    await using stream = await connect(worker, 2);
    let done = 0;
    while (done < tasks.length) {
      const { data } = await stream.take('task_assigned');
      expect(assignedTo(stream).length - done).toBeLessThanOrEqual(2);
      done += 1;
      await worker.release(data, { status: 'completed' });
    }
    const order = assignedTo(stream).map((assignment) => assignment.task.id);
    expect(new Set(order)).toEqual(new Set(tasks.map((task) => task.id)));
  });

  it('sends task_available, and no assignment, to a worker that declared no slots [choices-5.8, choices-5.14]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    await using stream = await connect(worker);
    await stream.take('connected');
    const task = await service.task({ codebase_id: codebase, priority: 7 });
    const hint = await stream.take('task_available');
    expect(streamFrames.task_available.parse(hint.data)).toEqual({ task_id: task.id, priority: 7 });
    const [held] = await worker.claim(1, task.id);
    expect(held?.task.id).toBe(task.id);
    if (held !== undefined) await worker.release(held, { status: 'pending' });
    // It goes back to pending: every worker that may take it gets it again.
    expect((await stream.take('task_available')).data.task_id).toBe(task.id);
    expect(assignedTo(stream)).toEqual([]);
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
  });

  it('assigns as many tasks as a heartbeat says there are slots for, where the stream names none [choices-5.9]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const tasks = [await service.task({ codebase_id: codebase }), await service.task({ codebase_id: codebase })];
    await using stream = await connect(worker);
    // Tasks that waited before it came are not announced one by one.
    expect((await stream.take('resync')).data.reason).toContain('claim once');
    await worker.heartbeat([], 1);
    const { data: first } = await stream.take('task_assigned');
    await worker.heartbeat([first], 0);
    await worker.release(first, { status: 'completed' });
    await worker.heartbeat([], 1);
    const { data: second } = await stream.take('task_assigned');
    expect([first.task.id, second.task.id]).toEqual(tasks.map(({ id }) => id));
    // Sent before that one was named: the slot that it reports is the one that is filled already.
    await worker.heartbeat([], 1);
    const next = await service.task({ codebase_id: codebase });
    await worker.heartbeat([second], 0);
    expect((await service.call('GET', `/v1/agent/tasks/${next.id}`)).body.task.status).toBe('pending');
    await worker.release(second, { status: 'completed' });
    await worker.heartbeat([], 1);
    expect((await stream.take('task_assigned')).data.task.id).toBe(next.id);
    await service.call('POST', `/v1/agent/tasks/${next.id}/cancel`);
  });

  it('sends an assignment that was lost with an older stream again, once a heartbeat reports slots', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const task = await service.task({ codebase_id: codebase });
    {
      await using lost = await connect(worker);
      await worker.heartbeat([], 1);
      expect((await lost.take('task_assigned')).data.task.id).toBe(task.id);
    }
    await using stream = await connect(worker);
    await worker.heartbeat([], 1);
    const { data } = await stream.take('task_assigned');
    expect(data.task.id).toBe(task.id);
    await worker.release(data, { status: 'completed' });
  });

  it('announces tasks that another worker left behind to a worker without slots', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const leaver = await service.worker({
      name: `push ${(names += 1)}`,
      codebases: [{ codebase_id: codebase, name: 'code', path: '/elsewhere' }],
    });
    const task = await service.task({ codebase_id: codebase });
    await leaver.claim();
    await using stream = await connect(worker);
    await stream.take('connected');
    await service.call('POST', `/v1/agent/workers/${leaver.id}/unregister`, { as: 'agent', body: {} });
    expect((await stream.take('task_available')).data.task_id).toBe(task.id);
  });

  it('sends cancel for a task that the worker runs [choices-5.10, choices-2.25]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    await using stream = await connect(worker, 1);
    const task = await service.task({ codebase_id: codebase });
    await stream.take('task_assigned');
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    expect(streamFrames.cancel.parse((await stream.take('cancel')).data)).toEqual({ task_id: task.id });
  });

  it('is given the next task when a heartbeat says that the cancelled one is gone', async () => {
    const { worker, codebase } = await registerOwnWorker();
    await using stream = await connect(worker, 1);
    const task = await service.task({ codebase_id: codebase });
    await stream.take('task_assigned');
    const next = await service.task({ codebase_id: codebase });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    await stream.take('cancel');
    await worker.heartbeat([], 1);
    expect((await stream.take('task_assigned')).data.task.id).toBe(next.id);
  });

  it('sends an assignment again to a worker that comes back and never named it, and says resync [choices-5.12]', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const first = await connect(worker, 2);
    const [unseen, seen] = [
      await service.task({ codebase_id: codebase }),
      await service.task({ codebase_id: codebase }),
    ];
    const held = [(await first.take('task_assigned')).data, (await first.take('task_assigned')).data];
    const known = held.find((assignment) => assignment.task.id === seen.id);
    await worker.heartbeat([known]);
    await first.close();
    await using second = await connect(worker, 2, '3');
    expect(streamFrames.resync.safeParse((await second.take('resync')).data).success).toBe(true);
    await until('the assignment came again', () => assignedTo(second).length > 0);
    await worker.heartbeat([known], 1);
    expect(assignedTo(second).map((assignment) => [assignment.task.id, assignment.lease_token])).toEqual([
      [unseen.id, held.find((assignment) => assignment.task.id === unseen.id)?.lease_token],
    ]);
    for (const assignment of held) await worker.release(assignment, { status: 'completed' });
  });

  it('is the only one of its worker: a new one ends the older, and no task is lost between them', async () => {
    const { worker, codebase } = await registerOwnWorker();
    const streams: Stream[] = [];
    const ids = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      const [task, stream] = await Promise.all([service.task({ codebase_id: codebase }), connect(worker, 16)]);
      ids.add(task.id);
      streams.push(stream);
    }
    await using last = await connect(worker, 16);
    await Promise.all(streams.map((stream) => stream.ended));
    await until('the newest stream has every task', () => assignedTo(last).length === ids.size);
    expect(new Set(assignedTo(last).map((assignment) => assignment.task.id))).toEqual(ids);
  });

  it('is refused to another credential, for an unknown worker and for one that left', async () => {
    const { worker } = await registerOwnWorker();
    const stream = (as: 'editor' | 'viewer' | 'other' | 'agent', id: string): Promise<{ status: number }> =>
      service.call('GET', `/v1/worker/tasks/stream?worker_id=${id}&slots=1`, { as });
    expect((await stream('editor', worker.id)).status).toBe(403);
    expect((await stream('other', worker.id)).status).toBe(404);
    expect((await stream('agent', '01890000-0000-7000-8000-000000000000')).status).toBe(404);
    await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'agent', body: {} });
    expect((await stream('agent', worker.id)).status).toBe(404);
  });

  it('ends when its worker unregisters', async () => {
    const { worker } = await registerOwnWorker();
    const stream = await connect(worker, 1);
    await service.call('POST', `/v1/agent/workers/${worker.id}/unregister`, { as: 'agent', body: {} });
    await stream.ended;
    expect(stream.frames.map((frame) => frame.event)).toEqual(['connected']);
  });
});
