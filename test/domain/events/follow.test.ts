// Following a task: a stream that is cut and resumed anywhere yields the durable log, each event once and in order.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { openService, type TestService, type ManualWorker } from '../../support/service.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { openStream, type Frame, type Stream } from '../../support/client/sse.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let worker: ManualWorker;
beforeAll(async () => {
  service = await openService();
  worker = await service.worker({ slots: 64 });
});
afterAll(async () => {
  await assertInvariants(service.db);
  await service[Symbol.asyncDispose]();
});

interface LogEntry {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
}

const eventsOf = (taskId: string): string => `/v1/agent/tasks/${taskId}/events`;

async function heldTask(): Promise<AssignmentWire> {
  const task = await service.task();
  const [held] = await worker.claim(1, task.id);
  if (held === undefined) throw new Error('not claimed');
  return held;
}

/** Reports this many lines, some of them with multi-byte characters. */
async function write(held: AssignmentWire, lines: number, from = 1): Promise<void> {
  for (let n = from; n < from + lines; n += 7) {
    const few = Math.min(7, from + lines - n);
    const events = Array.from({ length: few }, (_, i) => ({
      type: 'output',
      n: n + i,
      stream: 'agent',
      text: `line ${n + i} – ¥€😀 `.repeat(1 + ((n + i) % 5)),
    }));
    await worker.report(held, events);
  }
}

async function durableLog(taskId: string): Promise<LogEntry[]> {
  const events: LogEntry[] = [];
  for (;;) {
    const { body } = await service.call('GET', `${eventsOf(taskId)}?after=${events.at(-1)?.seq ?? 0}&limit=50`);
    events.push(...body.events);
    if (body.events.length === 0) return events;
  }
}

/** Follows to the end through connections of limited bytes, each resumed where the last one ended. */
async function followInPieces(taskId: string, pieces: readonly number[]): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let i = 0; ; i++) {
    const lastEventId = frames.at(-1)?.id;
    const cutAfterBytes = pieces[i];
    // The service may be down for a moment: a follower retries.
    await using stream = await until('the stream opens', () =>
      openStream(service, eventsOf(taskId), { lastEventId, cutAfterBytes }).catch(() => undefined),
    );
    await stream.ended;
    frames.push(...stream.frames);
    if (frames.at(-1)?.data.data.final === true) return frames;
  }
}

const data = (frames: readonly Frame[]): unknown[] => frames.map((frame) => frame.data);

describe('a follower', () => {
  it('gets each event with its seq as id and its type as event, and the end of the stream after the last [choices-3.45, choices-3.46, choices-3.72]', async () => {
    const held = await heldTask();
    await using stream = await openStream(service, eventsOf(held.task.id));
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await write(held, 3);
    await worker.release(held, { status: 'completed', result: 'done' });
    await stream.ended;
    const log = await durableLog(held.task.id);
    expect(data(stream.frames)).toEqual(log);
    expect(stream.frames.map((frame) => [frame.id, frame.event])).toEqual(
      log.map((event) => [String(event.seq), event.type]),
    );
    expect(log.at(-1)).toMatchObject({ type: 'status', data: { status: 'completed', final: true, result: 'done' } });
  });

  it('cut off at any byte and resumed by Last-Event-ID gets the whole log, nothing twice [choices-3.72]', async () => {
    const held = await heldTask();
    await write(held, 60);
    await worker.release(held, { status: 'completed' });
    const log = await durableLog(held.task.id);
    const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9_000 })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (cuts) => {
        expect(data(await followInPieces(held.task.id, cuts))).toEqual(log);
      }),
      { numRuns: process.env['SCALE'] === 'full' ? 300 : 15 },
    );
  }, 300_000);

  it('cut off while the log grows, and while the service restarts, gets the whole log [choices-3.72]', async () => {
    const held = await heldTask();
    const following = followInPieces(held.task.id, [200, 1_500, 1, 700, 2_500, 90]);
    await write(held, 40);
    const open = await openStream(service, eventsOf(held.task.id));
    await service.restart();
    await open.ended;
    const [resumed] = await Promise.all([
      openStream(service, eventsOf(held.task.id), { lastEventId: open.frames.at(-1)?.id }),
      write(held, 40, 41),
    ]);
    await worker.release(held, { status: 'completed' });
    await resumed.ended;
    const log = await durableLog(held.task.id);
    expect(log).toHaveLength(83);
    expect(data([...open.frames, ...resumed.frames])).toEqual(log);
    expect(data(await following)).toEqual(log);
  });

  it.each(['999999', 'garbage', '-1', '1e3', `${2 ** 60}`])(
    'with the Last-Event-ID %s, which cannot be served, gets resync and everything from the start [choices-3.47]',
    async (lastEventId) => {
      const held = await heldTask();
      await write(held, 2);
      await worker.release(held, { status: 'completed' });
      await using stream = await openStream(service, eventsOf(held.task.id), { lastEventId });
      await stream.ended;
      expect(stream.frames[0]).toMatchObject({ event: 'resync', id: undefined });
      expect(data(stream.frames.slice(1))).toEqual(await durableLog(held.task.id));
    },
  );

  it('among many others gets everything, and is not affected when others leave', async () => {
    const held = await heldTask();
    const streams = await Promise.all(Array.from({ length: 40 }, () => openStream(service, eventsOf(held.task.id))));
    await write(held, 10);
    await Promise.all(streams.filter((_, i) => i % 4 === 0).map((stream) => stream.close()));
    await write(held, 10, 11);
    await worker.release(held, { status: 'completed' });
    const stayed = streams.filter((_, i) => i % 4 !== 0);
    await Promise.all(stayed.map((stream) => stream.ended));
    const log = await durableLog(held.task.id);
    for (const stream of stayed) expect(data(stream.frames)).toEqual(log);
  });

  it('of a waiting task gets every event until its end, question and answer too [choices-2.24]', async () => {
    const task = await service.task();
    await using stream: Stream = await openStream(service, eventsOf(task.id));
    const [held] = await worker.claim(1, task.id);
    if (held === undefined) throw new Error('not claimed');
    await worker.release(held, { status: 'needs_input', message: { text: 'which?' } });
    await service.call('POST', `/v1/agent/tasks/${task.id}/input`, { body: { message: 'this' } });
    await service.call('POST', `/v1/agent/tasks/${task.id}/cancel`);
    await stream.ended;
    const statuses = stream.frames.map(({ event, data: { data: of } }) => (event === 'status' ? of.status : of.role));
    expect(statuses).toEqual(['pending', 'running', 'needs_input', 'user', 'pending', 'cancelled']);
    expect(stream.frames[2]?.data.data).toMatchObject({ question: 'which?', final: false });
  });

  it('of another tenant’s task, or of a missing one, is refused before any stream begins', async () => {
    const task = await service.task();
    const nobody = '01890000-0000-7000-8000-000000000000';
    for (const [id, as] of [[task.id, 'other'] as const, [nobody, 'admin'] as const]) {
      const answer = await service.call('GET', eventsOf(id), { as, headers: { accept: 'text/event-stream' } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
    }
  });
});

describe('a page of the log', () => {
  it('has the events after a seq, and the start of the next page [choices-3.44, choices-3.71]', async () => {
    const held = await heldTask();
    await write(held, 8);
    const page = async (query: string): Promise<{ events: LogEntry[]; next: number }> =>
      (await service.call('GET', `${eventsOf(held.task.id)}${query}`)).body;
    const first = await page('?limit=4');
    expect(Object.keys(first)).toEqual(['events', 'next']);
    expect([first.events.map((event) => event.seq), first.next]).toEqual([[1, 2, 3, 4], 4]);
    expect((await page('?after=4')).events.map((event) => event.seq)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(await page('?after=10')).toEqual({ events: [], next: 10 });
    expect(Object.keys(first.events[0] ?? {})).toEqual(['seq', 'type', 'at', 'data']);
    await worker.release(held, { status: 'completed' });
  });
});
