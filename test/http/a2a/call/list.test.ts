// tasks/list, the service's own: v1.0's filters over v0.3's JSON-RPC.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../../support/service.ts';
import { claimed, faults, message, rpc, sent } from '../../../support/a2a/client.ts';

let service: TestService;
const made: { id: string; contextId: string; status: { timestamp: string } }[] = [];
beforeAll(async () => {
  service = await openService();
  for (let i = 0; i < 7; i += 1) made.push(await sent(service, { contextId: i % 2 === 0 ? 'even' : 'odd' }));
});
afterAll(() => service[Symbol.asyncDispose]());

async function listed(params: Record<string, unknown>) {
  const { body } = await rpc(service, 'tasks/list', params, { as: 'viewer' });
  if (body.error !== undefined) throw new Error(JSON.stringify(body.error));
  return body.result;
}

function idsOf(page: { tasks: { id: string }[] }): string[] {
  return page.tasks.map(({ id }) => id);
}

const newestFirst = () => made.map(({ id }) => id).toReversed();

describe('tasks/list', () => {
  it('answers tasks, newest first, with page size and total [core-4.2.9, choices-6.12]', async () => {
    const page = await listed({});
    expect(idsOf(page)).toEqual(newestFirst());
    expect(page).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 7 });
    for (const task of page.tasks) expect(faults('Task', task)).toEqual([]);
    expect(page.tasks[0].history).toBeUndefined();
  });

  it('goes on from page to page, each task once', async () => {
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await listed({ pageSize: 3, pageToken });
      ids.push(...idsOf(page));
      expect(page.totalSize).toBe(7);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(ids).toEqual(newestFirst());
  });

  it('filters by context, state and time', async () => {
    const worker = await service.worker();
    const first = made[0];
    if (first === undefined) throw new Error('nothing made');
    const held = await claimed(worker, first.id);
    expect(idsOf(await listed({ contextId: 'even', status: 'submitted' }))).toEqual(
      made
        .filter(({ contextId, id }) => contextId === 'even' && id !== first.id)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(idsOf(await listed({ status: 'working' }))).toEqual([first.id]);
    expect(await listed({ status: 'auth-required' })).toMatchObject({ tasks: [], totalSize: 0 });
    const [running] = (await listed({ status: 'working' })).tasks;
    expect(idsOf(await listed({ statusTimestampAfter: running.status.timestamp }))).toEqual([first.id]);
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    const [waitingTask] = (await listed({ status: 'input-required' })).tasks;
    expect(waitingTask.status.message.parts).toEqual([{ kind: 'text', text: 'which?' }]);
  });

  it('brings history and artifacts when they are asked for', async () => {
    const worker = await service.worker();
    const task = await sent(service, { contextId: 'full' });
    const artifacts = [{ artifact_id: 'a', name: 'a', text: 'made' }];
    await worker.release(await claimed(worker, task.id), { status: 'completed', artifacts });
    const bare = (await listed({ contextId: 'full' })).tasks[0];
    expect([bare.history, bare.artifacts]).toEqual([undefined, undefined]);
    const full = (await listed({ contextId: 'full', historyLength: 5, includeArtifacts: true })).tasks[0];
    expect(full).toMatchObject({
      history: [{ role: 'user' }],
      artifacts: [{ artifactId: 'a', parts: [{ text: 'made' }] }],
    });
  });

  it('answers what changed last before what was made last, over every page [choices-6.12]', async () => {
    const worker = await service.worker();
    const contextId = 'moving';
    const [ended, waitingTask, running, waiting] = await Promise.all(
      [1, 2, 3, 4].map(() => sent(service, { contextId })),
    );
    // The last one that is touched was not made last, whatever the order was above.
    const later = await sent(service, { contextId });
    await worker.release(await claimed(worker, running.id), { status: 'pending' });
    await worker.release(await claimed(worker, waitingTask.id), { status: 'needs_input', message: { text: 'which?' } });
    await rpc(service, 'message/send', { message: message('more', { taskId: waiting.id }) });
    await rpc(service, 'tasks/cancel', { id: ended.id });
    const order = [ended, waiting, waitingTask, running, later].map(({ id }) => id);
    for (const [method, key] of [
      ['tasks/list', 'submitted'],
      ['ListTasks', 'TASK_STATE_SUBMITTED'],
    ] as const) {
      const read = async (params: object) => (await rpc(service, method, { contextId, ...params })).body.result;
      const page = await read({});
      expect(idsOf(page)).toEqual(order);
      const times: string[] = page.tasks.map((task: { status: { timestamp: string } }) => task.status.timestamp);
      expect(times).toEqual(times.toSorted().toReversed());
      const ids: string[] = [];
      let pageToken = '';
      do {
        const some = await read({ pageSize: 2, pageToken });
        ids.push(...idsOf(some));
        ({ nextPageToken: pageToken } = some);
      } while (pageToken !== '');
      expect(ids).toEqual(order);
      expect(idsOf(await read({ status: key }))).toEqual([waiting, running, later].map(({ id }) => id));
    }
  });

  it('takes an empty filter for none, as v1.0 does', async () => {
    const { totalSize } = await listed({});
    expect((await listed({ contextId: '', pageToken: '' })).totalSize).toBe(totalSize);
  });

  it('finds a task from the very time of its status on, when it was cancelled too', async () => {
    const { id } = await sent(service, { contextId: 'since' });
    const { status } = (await rpc(service, 'tasks/cancel', { id })).body.result;
    const since = { contextId: 'since', statusTimestampAfter: status.timestamp };
    expect(idsOf(await listed(since))).toEqual([id]);
  });

  it('ends a page early where its content is large, and goes on behind it', async () => {
    const bytes = Buffer.alloc(9_000_000).toString('base64');
    for (const text of ['one', 'two', 'three']) {
      await sent(service, { contextId: 'large', parts: [{ text }, { kind: 'file', file: { bytes } }] });
    }
    const first = await listed({ contextId: 'large', historyLength: 1 });
    expect([first.tasks.length, first.totalSize]).toEqual([2, 3]);
    const second = await listed({ contextId: 'large', historyLength: 1, pageToken: first.nextPageToken });
    expect([second.tasks.length, second.nextPageToken]).toEqual([1, '']);
  });

  it.each([
    { pageSize: 0 },
    { pageSize: 101 },
    { pageToken: 'x' },
    { pageToken: Buffer.from('01a20428-c4cf-7002-8a1a-c5bb093103a8').toString('base64url') },
    { status: 'pending' },
    { statusTimestampAfter: 'now' },
  ])('refuses %j with -32602', async (params) => {
    expect((await rpc(service, 'tasks/list', params)).body.error.code).toBe(-32602);
  });
});
