// tasks/list, the service's own: v1.0's filters over v0.3's JSON-RPC.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHouse, type House } from '../house.ts';
import { claimed, faults, rpc, sent } from './support.ts';

let house: House;
const made: { id: string; contextId: string; status: { timestamp: string } }[] = [];
beforeAll(async () => {
  house = await openHouse();
  for (let i = 0; i < 7; i += 1) made.push(await sent(house, { contextId: i % 2 === 0 ? 'even' : 'odd' }));
});
afterAll(() => house[Symbol.asyncDispose]());

async function listed(params: Record<string, unknown>) {
  const { body } = await rpc(house, 'tasks/list', params, { as: 'viewer' });
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
    const worker = await house.worker();
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
    const [asking] = (await listed({ status: 'input-required' })).tasks;
    expect(asking.status.message.parts).toEqual([{ kind: 'text', text: 'which?' }]);
  });

  it('brings history and artifacts when they are asked for', async () => {
    const worker = await house.worker();
    const task = await sent(house, { contextId: 'full' });
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

  it('ends a page early where its content is large, and goes on behind it', async () => {
    const bytes = Buffer.alloc(9_000_000).toString('base64');
    for (const text of ['one', 'two', 'three']) {
      await sent(house, { contextId: 'large', parts: [{ text }, { kind: 'file', file: { bytes } }] });
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
    { status: 'pending' },
    { statusTimestampAfter: 'now' },
  ])('refuses %j with -32602', async (params) => {
    expect((await rpc(house, 'tasks/list', params)).body.error.code).toBe(-32602);
  });
});
