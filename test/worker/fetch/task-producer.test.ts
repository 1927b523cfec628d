// The task producer against a small real HTTP server: broken streams, lost hints, full slots.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { createWorkerClient } from '../../../src/worker/service/client.ts';
import { systemClock } from '../../../src/worker/base/clock.ts';
import { TaskProducer, type TaskProducerOptions } from '../../../src/worker/fetch/task-producer.ts';
import { Slots } from '../../../src/worker/fetch/slots.ts';
import { until } from '../../support/until.ts';
import { buildAssignment, buildWorkerTask } from '../../support/builders/worker-task.ts';
import { openRecordedLog, createStandingRegistration } from '../../support/worker/worker-parts.ts';

/** A stand-in service: received claims and releases, waiting tasks, open streams. */
interface Service extends AsyncDisposable {
  readonly url: string;
  readonly streams: { response: ServerResponse; slots: string | null; lastEventId: string | undefined }[];
  readonly claims: number[];
  /** For each claim, whether it asks for assignments that may have been lost. */
  readonly unseen: unknown[];
  readonly released: { task: string; body: { status: string } }[];
  readonly waiting: AssignmentWire[];
  /** Sends to the newest stream. */
  send(event: string, data: unknown, id?: string): void;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

async function service(instead: Answer = () => false): Promise<Service> {
  const behaviour: Pick<Service, 'streams' | 'claims' | 'unseen' | 'released' | 'waiting'> = {
    streams: [],
    claims: [],
    unseen: [],
    released: [],
    waiting: [],
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (instead(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const body = await text(request);
    if (pathname.endsWith('/stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const lastEventId = request.headers['last-event-id'];
      behaviour.streams.push({ response, slots: searchParams.get('slots'), lastEventId: lastEventId?.toString() });
    } else if (pathname.endsWith('/claim')) {
      const { limit, unseen } = JSON.parse(body);
      behaviour.claims.push(limit);
      behaviour.unseen.push(unseen);
      response.end(JSON.stringify({ tasks: behaviour.waiting.splice(0, limit) }));
    } else {
      const task = pathname.split('/')[4] ?? '';
      behaviour.released.push({ task, body: JSON.parse(body) });
      response.end(JSON.stringify({ task_id: task, status: 'pending', seq: 1 }));
    }
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    ...behaviour,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    send(event, data, id) {
      const frame = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      behaviour.streams.at(-1)?.response.write(frame);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const connected = { worker_id: buildWorkerTask().id, heartbeat_seconds: 20, lease_seconds: 60 };

interface TestProducer extends AsyncDisposable {
  readonly producer: TaskProducer;
  /** Tasks that run, each with what ends it. */
  readonly running: Map<string, () => void>;
  readonly cancelled: string[];
  readonly log: () => string;
  /** Aborts the signal of `run`. */
  stop(): void;
}

function openProducer({ url }: Service, size = 1, more: Partial<TaskProducerOptions> = {}): TestProducer {
  const running = new Map<string, () => void>();
  const cancelled: string[] = [];
  const kept = openRecordedLog();
  const slots = new Slots({
    size,
    start({ assignment: { task, lease_token: leaseToken } }) {
      const done = Promise.withResolvers<void>();
      running.set(task.id, () => {
        running.delete(task.id);
        done.resolve();
      });
      return {
        taskId: task.id,
        leaseToken,
        working: () => running.has(task.id),
        deliverIntervention() {},
        cancel: () => cancelled.push(task.id),
        loseLease() {},
        stop() {},
        worked: done.promise,
        done: done.promise,
      };
    },
    onFree: () => producer.onSlotFree(),
  });
  const producer = new TaskProducer({
    client: createWorkerClient({ serverUrl: url, token: 't', fetch, userAgent: 'test' }),
    registration: createStandingRegistration(),
    slots,
    size,
    pollIntervalMs: 3_600_000,
    clock: systemClock,
    random: () => 0,
    log: kept.log,
    ...more,
  });
  const over = new AbortController();
  const all = producer.run(over.signal);
  return {
    producer,
    running,
    cancelled,
    log: () => kept.text(),
    stop: () => over.abort(),
    async [Symbol.asyncDispose]() {
      over.abort();
      await all;
    },
  };
}

async function up(side: Service, log: () => string, times = 1): Promise<void> {
  await until('a stream', () => side.streams.length >= times);
  side.send('connected', connected, `c${times}`);
  await until('it stands', () => log().split('push channel open').length > times);
}

describe('the task producer', () => {
  it('declares its free slots, runs assigned tasks and cancels them on request', async () => {
    await using side = await service();
    await using worker = openProducer(side, 2);
    await up(side, worker.log);
    expect(side.streams[0]?.slots).toBe('2');
    const assignment = buildAssignment();
    side.send('task_assigned', assignment);
    await until('it runs', () => worker.running.has(assignment.task.id));
    side.send('cancel', { task_id: assignment.task.id });
    await until('cancelled', () => worker.cancelled.length > 0);
    expect(side.claims).toEqual([]);
  });

  it('ignores a repeated assignment, even after its attempt has ended', async () => {
    await using side = await service();
    await using worker = openProducer(side);
    await up(side, worker.log);
    const assignment = buildAssignment();
    side.send('task_assigned', assignment);
    side.send('task_assigned', assignment);
    await until('it runs', () => worker.running.has(assignment.task.id));
    worker.running.get(assignment.task.id)?.();
    side.send('task_assigned', assignment);
    const next = buildAssignment();
    side.send('task_assigned', next);
    await until('the next runs', () => worker.running.has(next.task.id));
    expect([...worker.running.keys()]).toEqual([next.task.id]);
    expect(side.released).toEqual([]);
  });

  it('releases an assignment at once when no slot is free', async () => {
    await using side = await service();
    await using worker = openProducer(side);
    await up(side, worker.log);
    const [one, two] = [buildAssignment(), buildAssignment()];
    side.send('task_assigned', one);
    side.send('task_assigned', two);
    await until('given back', () => side.released.length > 0);
    expect(side.released).toMatchObject([{ task: two.task.id, body: { status: 'pending' } }]);
    expect([...worker.running.keys()]).toEqual([one.task.id]);
  });

  it('reconnects from the last event when a stream breaks, and polls meanwhile', async () => {
    await using side = await service();
    await using worker = openProducer(side);
    await up(side, worker.log);
    side.streams[0]?.response.destroy();
    await until('a second stream', () => side.streams.length === 2);
    expect(side.claims).toEqual([1]);
    await up(side, worker.log, 2);
    expect(side.streams[1]).toMatchObject({ lastEventId: 'c1', slots: '1' });
  });

  it('closes a stream that is silent for too long, although its socket is open', async () => {
    await using side = await service();
    await using worker = openProducer(side, 1, { silenceMs: 100 });
    // Repeated until it arrives, which on a busy machine may take longer than that; and then no more.
    await until('it stands', () => {
      side.send('connected', connected);
      return worker.log().includes('push channel open');
    });
    const streams = side.streams.length;
    await until('another stream', () => side.streams.length > streams);
    expect(worker.log()).toContain('silent for 100 ms');
  });

  it('claims waiting tasks that the service reports, even with an open channel and free slots [choices-5.73]', async () => {
    await using side = await service();
    await using worker = openProducer(side);
    await up(side, worker.log);
    side.waiting.push(buildAssignment());
    worker.producer.onTasksWaiting();
    await until('it runs', () => worker.running.size === 1);
    expect(side.claims).toEqual([1]);
  });

  it('uses the features of the service: a heartbeat interval, and claims of unseen assignments [choices-5.73]', async () => {
    await using side = await service((request, response) => {
      if (request.url?.includes('/stream') !== true) return false;
      streams.push(new URL(request.url, 'http://service').searchParams.get('heartbeat_seconds'));
      response.writeHead(502).end();
      return true;
    });
    const streams: (string | null)[] = [];
    const registration = createStandingRegistration();
    const features = new Set(['stream_heartbeat', 'claim_unseen']);
    const fresh = async (): Promise<ReturnType<typeof registration.current>> => ({
      ...registration.current(),
      features,
    });
    await using _worker = openProducer(side, 1, { pollIntervalMs: 4000, registration: { ...registration, fresh } });
    await until('a claim', () => side.claims.length > 0);
    expect(streams[0]).toBe('2');
    expect(side.unseen).toEqual([true]);
    await using plain = await service();
    await using worker = openProducer(plain);
    await up(plain, worker.log);
    plain.streams[0]?.response.destroy();
    await until('a claim', () => plain.claims.length > 0);
    expect(plain.unseen).toEqual([undefined]);
  });

  it('claims when the service reports lost events, or sends an unreadable assignment', async () => {
    await using side = await service();
    await using worker = openProducer(side);
    await up(side, worker.log);
    side.waiting.push(buildAssignment());
    side.send('resync', { reason: 'slow' });
    await until('it runs', () => worker.running.size === 1);
    for (const end of worker.running.values()) end();
    side.waiting.push(buildAssignment());
    side.send('task_assigned', { odd: true });
    await until('the next runs', () => worker.running.size === 1);
    expect(side.claims.every((limit) => limit === 1)).toBe(true);
  });

  it('reads frames cut at any byte', async () => {
    await using side = await service();
    await using worker = openProducer(side, 3);
    await up(side, worker.log);
    const assignments = [
      buildAssignment(buildWorkerTask({ title: 'ümläut ✓ '.repeat(50) })),
      buildAssignment(),
      buildAssignment(),
    ];
    const frames = assignments.map((data) => `event: task_assigned\r\ndata: ${JSON.stringify(data)}\r\n\r\n`).join('');
    for (const byte of Buffer.from(`: a comment\n\nevent: news\ndata: {}\n\n${frames}`)) {
      side.streams[0]?.response.write(Buffer.from([byte]));
    }
    await until('all run', () => worker.running.size === 3);
    expect([...worker.running.keys()]).toEqual(assignments.map(({ task }) => task.id));
  });

  it('polls every interval while the channel does not open, for no more than the free slots', async () => {
    await using side = await service((request, response) => {
      if (request.url?.includes('/stream') !== true) return false;
      response.writeHead(502).end();
      return true;
    });
    side.waiting.push(buildAssignment(), buildAssignment(), buildAssignment());
    await using worker = openProducer(side, 2, { pollIntervalMs: 20 });
    await until('two run', () => worker.running.size === 2);
    expect(side.waiting).toHaveLength(1);
    for (const end of worker.running.values()) end();
    await until('the third runs', () => worker.running.size === 1 && side.waiting.length === 0);
    await until('it asks on', () => side.claims.length > 5);
    expect(Math.max(...side.claims)).toBe(2);
  });

  it('claims for slots that were busy when the channel was opened, and declares them when nothing is waiting', async () => {
    await using side = await service();
    await using worker = openProducer(side, 2);
    await up(side, worker.log);
    const [old, queued] = [buildAssignment(), buildAssignment()];
    side.send('task_assigned', old);
    await until('it runs', () => worker.running.has(old.task.id));
    side.streams[0]?.response.destroy();
    await up(side, worker.log, 2);
    expect(side.streams[1]?.slots).toBe('1');
    side.waiting.push(queued);
    worker.running.get(old.task.id)?.();
    await until('the queued one runs', () => worker.running.has(queued.task.id));
    worker.running.get(queued.task.id)?.();
    await until('a third stream', () => side.streams.length === 3);
    expect(side.streams[2]?.slots).toBe('2');
    expect(side.released).toEqual([]);
  });

  it('goes through its modes: connecting, fetching, full, draining, stopped', async () => {
    const held = Promise.withResolvers<void>();
    await using side = await service((request, response) => {
      if (request.url?.endsWith('/release') !== true) return false;
      void held.promise.then(() => response.end(JSON.stringify({ task_id: 'x', status: 'pending', seq: 1 })));
      return true;
    });
    // The clock stands still, so that the patience with an opening channel cannot end.
    const clock = { ...systemClock, monotonicMs: () => 0 };
    await using worker = openProducer(side, 1, { clock });
    const { producer } = worker;
    expect(producer.mode).toBe('connecting');
    worker.producer.onSlotFree();
    await until('a stream', () => side.streams.length === 1);
    expect(side.claims).toEqual([]);
    await up(side, worker.log);
    expect(side.claims).toEqual([]);
    expect(producer.mode).toBe('fetching');
    side.send('task_assigned', buildAssignment());
    await until('it runs', () => worker.running.size === 1);
    expect(producer.mode).toBe('full');
    for (const end of worker.running.values()) end();
    await until('fetching again', () => producer.mode === 'fetching');
    side.send('task_assigned', buildAssignment());
    side.send('task_assigned', buildAssignment());
    await until('the second is being released', () => worker.log().includes('no free slot'));
    worker.stop();
    expect(producer.mode).toBe('draining');
    held.resolve();
    await until('stopped', () => producer.mode === 'stopped');
  });
});
