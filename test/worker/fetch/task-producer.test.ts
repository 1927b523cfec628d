// How tasks come in, against a small real HTTP server: streams that break, hints that are lost, slots that are full.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { AssignmentWire } from '../../../src/contracts/worker.ts';
import { createWorkerClient } from '../../../src/worker/service/client.ts';
import { systemClock } from '../../../src/worker/base/clock.ts';
import { createTaskProducer } from '../../../src/worker/fetch/task-producer.ts';
import type { TaskProducer, TaskProducerOptions } from '../../../src/worker/fetch/task-producer.ts';
import { createSlots } from '../../../src/worker/fetch/slots.ts';
import { until } from '../../support/until.ts';
import {
  buildAssignment,
  buildWorkerTask,
  openRecordedLog,
  createStandingRegistration,
} from '../../support/worker/worker-parts.ts';

/** The service's side of the intake: what was asked, what waits, and the open streams. */
interface Service extends AsyncDisposable {
  readonly url: string;
  readonly streams: { response: ServerResponse; slots: string | null; lastEventId: string | undefined }[];
  readonly claims: number[];
  /** Of each claim, whether it asks for what may have been lost. */
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

interface Bench extends AsyncDisposable {
  readonly intake: TaskProducer;
  /** Tasks that run, each with what ends it. */
  readonly running: Map<string, () => void>;
  readonly cancelled: string[];
  readonly log: () => string;
}

function bench({ url }: Service, size = 1, more: Partial<TaskProducerOptions> = {}): Bench {
  const running = new Map<string, () => void>();
  const cancelled: string[] = [];
  const kept = openRecordedLog();
  const slots = createSlots({
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
    onFree: () => intake.onSlotFree(),
  });
  const intake: TaskProducer = createTaskProducer({
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
  const all = intake.run(over.signal);
  return {
    intake,
    running,
    cancelled,
    log: () => kept.text(),
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

describe('the intake', () => {
  it('declares its free slots and runs what is assigned, cancels what is cancelled', async () => {
    await using side = await service();
    await using worker = bench(side, 2);
    await up(side, worker.log);
    expect(side.streams[0]?.slots).toBe('2');
    const assignment = buildAssignment();
    side.send('task_assigned', assignment);
    await until('it runs', () => worker.running.has(assignment.task.id));
    side.send('cancel', { task_id: assignment.task.id });
    await until('cancelled', () => worker.cancelled.length > 0);
    expect(side.claims).toEqual([]);
  });

  it('takes an assignment that is repeated as read, also when its run is over', async () => {
    await using side = await service();
    await using worker = bench(side);
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

  it('gives back at once what it has no slot for', async () => {
    await using side = await service();
    await using worker = bench(side);
    await up(side, worker.log);
    const [one, two] = [buildAssignment(), buildAssignment()];
    side.send('task_assigned', one);
    side.send('task_assigned', two);
    await until('given back', () => side.released.length > 0);
    expect(side.released).toMatchObject([{ task: two.task.id, body: { status: 'pending' } }]);
    expect([...worker.running.keys()]).toEqual([one.task.id]);
  });

  it('reconnects from where it was when a stream breaks, and polls meanwhile', async () => {
    await using side = await service();
    await using worker = bench(side);
    await up(side, worker.log);
    side.streams[0]?.response.destroy();
    await until('a second stream', () => side.streams.length === 2);
    expect(side.claims).toEqual([1]);
    await up(side, worker.log, 2);
    expect(side.streams[1]).toMatchObject({ lastEventId: 'c1', slots: '1' });
  });

  it('takes a stream for dead that is silent for too long, though its socket is open', async () => {
    await using side = await service();
    await using worker = bench(side, 1, { silenceMs: 100 });
    // Said until it is heard, which on a busy machine may take longer than that; and then nothing more.
    await until('it stands', () => {
      side.send('connected', connected);
      return worker.log().includes('push channel open');
    });
    const streams = side.streams.length;
    await until('another stream', () => side.streams.length > streams);
    expect(worker.log()).toContain('silent for 100 ms');
  });

  it('asks for tasks that wait although its channel stands and its slots are free [choices-5.73]', async () => {
    await using side = await service();
    await using worker = bench(side);
    await up(side, worker.log);
    side.waiting.push(buildAssignment());
    worker.intake.onTasksWaiting();
    await until('it runs', () => worker.running.size === 1);
    expect(side.claims).toEqual([1]);
  });

  it('asks a service that has the features for a pace of its channel, and for what may have been lost in it [choices-5.73]', async () => {
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
    await using _worker = bench(side, 1, { pollIntervalMs: 4000, registration: { ...registration, fresh } });
    await until('a claim', () => side.claims.length > 0);
    expect(streams[0]).toBe('2');
    expect(side.unseen).toEqual([true]);
    await using plain = await service();
    await using worker = bench(plain);
    await up(plain, worker.log);
    plain.streams[0]?.response.destroy();
    await until('a claim', () => plain.claims.length > 0);
    expect(plain.unseen).toEqual([undefined]);
  });

  it('asks for tasks when the service says that hints were lost, or sends what cannot be read', async () => {
    await using side = await service();
    await using worker = bench(side);
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

  it('reads frames however they are cut', async () => {
    await using side = await service();
    await using worker = bench(side, 3);
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

  it('polls every interval while the channel does not open, for no more than its free slots', async () => {
    await using side = await service((request, response) => {
      if (request.url?.includes('/stream') !== true) return false;
      response.writeHead(502).end();
      return true;
    });
    side.waiting.push(buildAssignment(), buildAssignment(), buildAssignment());
    await using worker = bench(side, 2, { pollIntervalMs: 20 });
    await until('two run', () => worker.running.size === 2);
    expect(side.waiting).toHaveLength(1);
    for (const end of worker.running.values()) end();
    await until('the third runs', () => worker.running.size === 1 && side.waiting.length === 0);
    await until('it asks on', () => side.claims.length > 5);
    expect(Math.max(...side.claims)).toBe(2);
  });

  it('fills the slots that were busy when the channel was opened, and declares them when nothing waits', async () => {
    await using side = await service();
    await using worker = bench(side, 2);
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
});
