// Push where it is hard: the caller is at another replica, the reader does not read.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { openService, type TestService, type ManualWorker } from '../../support/service.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { openStream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';

let here: TestService;
let there: TestService;
beforeAll(async () => {
  here = await openService();
  there = await openService({ db: here.db });
});
afterAll(async () => {
  await assertInvariants(here.db);
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

let names = 0;
async function registerOwnWorker(
  slots = 1,
): Promise<{ worker: ManualWorker; codebase: string; path: (n: number) => string }> {
  const codebases = [{ name: 'code', path: '/code' }];
  const worker = await here.worker({ name: `far ${(names += 1)}`, slots, codebases });
  const codebase = worker.registered.codebases[0]?.codebase_id ?? '';
  return { worker, codebase, path: (n) => `/v1/worker/tasks/stream?worker_id=${worker.id}&slots=${n}` };
}

describe('a worker connected to one replica', () => {
  it('is given what another replica accepts, notified of what it cancels, and given the next when it frees a slot there', async () => {
    const { worker, codebase, path } = await registerOwnWorker();
    await using stream = await openStream(there, path(1), { as: 'agent' });
    await stream.take('connected');
    for (let round = 0; round < 10; round++) {
      const task = await here.task({ codebase_id: codebase });
      const next = await here.task({ codebase_id: codebase });
      const first = await stream.take('task_assigned');
      expect(first.data.task.id).toBe(task.id);
      // Released here, while its channel is over there.
      expect((await worker.release(first.data, { status: 'completed' })).status).toBe(200);
      const second = await stream.take('task_assigned');
      expect(second.data.task.id).toBe(next.id);
      await here.call('POST', `/v1/agent/tasks/${next.id}/cancel`);
      expect((await stream.take('cancel')).data).toEqual({ task_id: next.id });
      await worker.heartbeat([], 1);
    }
  });

  it('has no other channel: an older one at another replica ends, though its connection stands', async () => {
    const { codebase, path } = await registerOwnWorker();
    await using older = await openStream(there, path(1), { as: 'agent' });
    await older.take('connected');
    await using newer = await openStream(here, path(1), { as: 'agent' });
    await newer.take('connected');
    await older.ended;
    const task = await there.task({ codebase_id: codebase });
    expect((await newer.take('task_assigned')).data.task.id).toBe(task.id);
  });

  it('is followed at another replica while it works', async () => {
    const { worker, codebase, path } = await registerOwnWorker();
    await using stream = await openStream(there, path(1), { as: 'agent' });
    const task = await here.task({ codebase_id: codebase });
    await using follower = await openStream(there, `/v1/agent/tasks/${task.id}/events`);
    const { data } = await stream.take('task_assigned');
    for (let n = 1; n <= 5; n++) {
      await worker.report(data, [{ type: 'output', n, stream: 'agent', text: `line ${n}` }]);
      expect((await follower.take('output')).data.data.text).toBe(`line ${n}`);
    }
    await worker.release(data, { status: 'completed' });
    await follower.ended;
    expect(follower.frames).toHaveLength(8);
  });
});

/** A stream that is opened and then not read, until `read` is called. */
async function openUnread(
  service: TestService,
  path: string,
): Promise<{ socket: Socket; read: (frame: (event: string, data: string) => void) => void }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.0\r\nhost: x\r\nauthorization: Bearer ${service.token('agent')}\r\naccept: text/event-stream\r\n\r\n`,
  );
  socket.pause();
  return {
    socket,
    read(frame) {
      const parser = createParser({ onEvent: ({ event, data }) => frame(event ?? '', data) });
      const decoder = new TextDecoder();
      socket.on('data', (chunk) => parser.feed(decoder.decode(chunk, { stream: true })));
      socket.resume();
    },
  };
}

describe('a worker that does not read its channel', () => {
  it('holds up nobody else, and gets every assignment in order once it reads again', async () => {
    const slots = 48;
    const { worker: slow, codebase, path } = await registerOwnWorker(slots);
    const unread = await openUnread(here, path(slots));
    const prompt = 'x'.repeat(190_000);
    const tasks = await Promise.all(Array.from({ length: slots }, () => here.task({ codebase_id: codebase, prompt })));
    const running = async (): Promise<number> =>
      (await here.call('GET', `/v1/agent/workers/${slow.id}`)).body.worker.running;
    await until('all are assigned to it', async () => (await running()) === slots);

    const other = await registerOwnWorker();
    await using stream = await openStream(here, other.path(1), { as: 'agent' });
    for (let i = 0; i < 5; i++) {
      const task = await here.task({ codebase_id: other.codebase });
      const { data } = await stream.take('task_assigned');
      expect(data.task.id).toBe(task.id);
      await other.worker.release(data, { status: 'completed' });
    }

    const assigned: AssignmentWire[] = [];
    unread.read((event, data) => {
      if (event === 'task_assigned') assigned.push(JSON.parse(data));
    });
    await until('everything is read', () => assigned.length === slots);
    expect(new Set(assigned.map((assignment) => assignment.task.id))).toEqual(new Set(tasks.map((task) => task.id)));
    expect(assigned.every((assignment) => assignment.task.prompt.length === prompt.length)).toBe(true);
    for (const assignment of assigned) await slow.release(assignment, { status: 'completed' });
    unread.socket.destroy();
  });
});
