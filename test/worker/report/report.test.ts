// Reports of a run: whatever fails on the way, the service ends up with every event once and in order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkerEvent } from '../../../src/contracts/worker.ts';
import type { WorkerClient } from '../../../src/worker/service/client.ts';
import { systemClock, type Clock } from '../../../src/worker/base/clock.ts';
import type { NewWorkerEvent } from '../../../src/worker/base/event.ts';
import { EventReporter, type EventReporterOptions } from '../../../src/worker/report/event-reporter.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import { openRecordedLog } from '../../support/worker/worker-parts.ts';
import { settle } from '../../support/worker/manual-clock.ts';

type Fate = 'taken' | 'answer lost' | 'not sent' | 'busy' | 'too many' | 'token refused';

/** A service that keeps events as ours does: known numbers are dropped. */
function service(fate: () => Fate, refuses: (event: WorkerEvent) => boolean = () => false): FakeService {
  const log: WorkerEvent[] = [];
  const posts: number[] = [];
  let inFlight = 0;
  return {
    log,
    posts,
    async reportEvents(_taskId, { events }) {
      inFlight += 1;
      expect(inFlight).toBe(1);
      posts.push(events.length);
      await settle();
      inFlight -= 1;
      const now = fate();
      if (now === 'not sent') throw new ServiceUnreachable('POST', 'cut');
      if (now === 'busy') throw new ServiceRefusal('POST', { status: 503, code: 'busy', detail: '', retryAfterMs: 5 });
      if (now === 'too many') throw new ServiceRefusal('POST', { status: 429, code: 'limited', detail: '' });
      if (now === 'token refused') throw new ServiceRefusal('POST', { status: 401, code: 'unauthorized', detail: '' });
      if (events.some(refuses)) throw new ServiceRefusal('POST', { status: 400, code: 'invalid_request', detail: '' });
      for (const event of events) if (event.n > (log.at(-1)?.n ?? 0)) log.push(event);
      if (now === 'answer lost') throw new ServiceUnreachable('POST', 'cut');
      return { seq: log.length, cancel_requested: false };
    },
  };
}
interface FakeService extends Pick<WorkerClient, 'reportEvents'> {
  readonly log: WorkerEvent[];
  readonly posts: number[];
}

/** Waits take no time: what is tested is what is done, not when. */
const hasty: Clock = { ...systemClock, wait: (_ms, signal) => systemClock.wait(0, signal) };

interface Notifications {
  lost: number;
  cancelled: number;
}

function reportTo(client: Pick<WorkerClient, 'reportEvents'>, more: Partial<EventReporterOptions> = {}) {
  const notifications: Notifications = { lost: 0, cancelled: 0 };
  const report = new EventReporter({
    taskId: 'task',
    leaseToken: 'lease',
    client,
    clock: hasty,
    random: () => 0.5,
    log: openRecordedLog().log,
    signal: new AbortController().signal,
    onLost: () => (notifications.lost += 1),
    onCancel: () => (notifications.cancelled += 1),
    windowMs: 1,
    ...more,
  });
  return { report, notifications };
}

/** Outputs of one stream that follow each other may arrive as one. */
function text(events: readonly NewWorkerEvent[]): string[] {
  const lines: string[] = [];
  let last = '';
  for (const event of events) {
    const kind = event.type === 'output' ? event.stream : event.type;
    const eventText = event.type === 'output' ? event.text : event.type === 'progress' ? (event.message ?? '') : '';
    if (event.type === 'output' && last === kind) lines.push(`${lines.pop() ?? ''}${eventText}`);
    else lines.push(`${kind}:${eventText}`);
    last = kind;
  }
  return lines;
}

const eventText = fc.string({ minLength: 1, maxLength: 30 });
const anEvent: fc.Arbitrary<NewWorkerEvent> = fc.oneof(
  fc.record({ type: fc.constant('output' as const), stream: fc.constantFrom('stdout', 'stderr'), text: eventText }),
  fc.record({ type: fc.constant('progress' as const), message: eventText }),
);
const fates = fc.constantFrom<Fate[]>('taken', 'answer lost', 'not sent', 'busy', 'too many', 'token refused');

describe('the event reporter', () => {
  it('renumbers and leaves a note when the service has lost events that it had taken [choices-5.71]', async () => {
    const side = service(() => 'taken');
    // Its database was restored: the two newest events of four are gone.
    const restored: Pick<WorkerClient, 'reportEvents'> = {
      reportEvents: (id, body, signal) => {
        const expected = (side.log.at(-1)?.n ?? 0) + 1;
        const gap = new ServiceRefusal('POST', { status: 409, code: 'event_gap', detail: '', expected });
        return (body.events[0]?.n ?? 0) > expected ? Promise.reject(gap) : side.reportEvents(id, body, signal);
      },
    };
    const { report, notifications } = reportTo(restored);
    await using _report = report;
    for (const n of [1, 2, 3, 4]) {
      await report.emit({ type: 'progress', message: `step ${n}` });
      await report.flush();
    }
    side.log.splice(2);
    for (const n of [5, 6]) await report.emit({ type: 'progress', message: `step ${n}` });
    await report.flush();
    expect(notifications).toEqual({ lost: 0, cancelled: 0 });
    expect(side.log.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    expect(text(side.log).slice(2)).toEqual([
      'stderr:[the service lost 2 events of this log that it had taken]\n',
      'progress:step 5',
      'progress:step 6',
    ]);
  });

  it('delivers every event once, in order and without a gap in the numbers, whatever fails [choices-5.33]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anEvent, { maxLength: 60 }),
        fc.array(fates, { maxLength: 30 }),
        async (events, script) => {
          const client = service(() => script.shift() ?? 'taken');
          const { report } = reportTo(client, { batchBytes: 300, bufferBytes: 600 });
          for (const event of events) await report.emit(event);
          await report.flush();
          await report[Symbol.asyncDispose]();
          expect(client.log.map(({ n }) => n)).toEqual(client.log.map((_, i) => i + 1));
          expect(text(client.log)).toEqual(text(events));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('delivers every event once and in order when another process of the worker continues it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anEvent, { minLength: 1, maxLength: 60 }),
        fc.array(fates, { maxLength: 30 }),
        fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }),
        async (events, script, attempts) => {
          const client = service(() => script.shift() ?? 'taken');
          const { report } = reportTo(client, { batchBytes: 300, bufferBytes: 1_000_000 });
          let owed: WorkerEvent[] = [];
          for (const [i, event] of events.entries()) {
            await report.emit(event);
            // Written down now and then, never the same way twice; the last word is the one that is found.
            if (attempts[i] === 0) owed = report.pending();
            if (attempts[i] === 1) await settle();
          }
          owed = report.pending();
          await settle();
          await report[Symbol.asyncDispose]();
          const { report: later } = reportTo(client, { batchBytes: 300, pending: owed });
          await later.flush();
          await later[Symbol.asyncDispose]();
          expect(client.log.map(({ n }) => n)).toEqual(client.log.map((_, i) => i + 1));
          expect(text(client.log)).toEqual(text(events));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('slows down a writer that is faster than the service', async () => {
    const gate = Promise.withResolvers<void>();
    const client = service(() => 'taken');
    const slow: Pick<WorkerClient, 'reportEvents'> = {
      reportEvents: (id, body) => gate.promise.then(() => client.reportEvents(id, body)),
    };
    const { report } = reportTo(slow, { bufferBytes: 1000 });
    let written = 0;
    const writing = (async () => {
      for (; written < 20; written += 1) await report.emit({ type: 'output', stream: 'stdout', text: 'x'.repeat(200) });
    })();
    await settle();
    expect(written).toBeLessThan(6);
    gate.resolve();
    await writing;
    await report.flush();
    expect(text(client.log)).toEqual([`stdout:${'x'.repeat(4000)}`]);
    await report[Symbol.asyncDispose]();
  });

  it('batches a flood of events into few requests', async () => {
    const client = service(() => 'taken');
    const { report } = reportTo(client, { windowMs: 50, clock: systemClock });
    for (let i = 0; i < 1000; i += 1) await report.emit({ type: 'output', stream: 'stdout', text: `${i}\n` });
    await report.flush();
    expect(client.posts.length).toBeLessThan(10);
    await report[Symbol.asyncDispose]();
  });

  it('replaces an event that the service rejects with a note, and delivers all others', async () => {
    const client = service(
      () => 'taken',
      ({ type }) => type === 'artifact',
    );
    const { report } = reportTo(client);
    const events: NewWorkerEvent[] = [
      { type: 'progress', message: 'one' },
      { type: 'artifact', name: 'too large', text: '…' },
      { type: 'progress', message: 'three' },
    ];
    await Promise.all(events.map((event) => report.emit(event)));
    await report.flush();
    expect(client.log.map(({ n, type }) => `${n} ${type}`)).toEqual(['1 progress', '2 output', '3 progress']);
    await report[Symbol.asyncDispose]();
  });

  it('continues when the service takes no more artifacts of the task: its lease holds', async () => {
    const taken: WorkerEvent[] = [];
    const { report, notifications } = reportTo({
      async reportEvents(_taskId, { events }) {
        const full = new ServiceRefusal('POST', { status: 409, code: 'artifacts_full', detail: '' });
        if (events.some(({ type }) => type === 'artifact')) throw full;
        taken.push(...events);
        return { seq: taken.length, cancel_requested: false };
      },
    });
    await report.emit({ type: 'artifact', name: 'a', mime_type: 'text/plain', text: 'x' });
    await report.flush();
    await report.emit({ type: 'output', stream: 'stdout', text: 'still here' });
    await report.flush();
    expect(taken.at(-1)).toMatchObject({ type: 'output', text: 'still here' });
    expect(notifications.lost).toBe(0);
    await report[Symbol.asyncDispose]();
  });

  it.each([409, 404])('is closed when the service answers %i, and releases its waiting callers', async (status) => {
    const client = {
      reportEvents: () => Promise.reject(new ServiceRefusal('POST', { status, code: 'lease_lost', detail: '' })),
    };
    const { report, notifications } = reportTo(client, { bufferBytes: 10 });
    await report.emit({ type: 'output', stream: 'stdout', text: 'more than there is room for' });
    await report.flush();
    await report.emit({ type: 'output', stream: 'stdout', text: 'late' });
    expect(notifications).toEqual({ lost: 1, cancelled: 0 });
    await report[Symbol.asyncDispose]();
  });

  it('reports a cancel of the task, and continues', async () => {
    const client = { reportEvents: () => Promise.resolve({ seq: 1, cancel_requested: true }) };
    const { report, notifications } = reportTo(client);
    await report.emit({ type: 'progress', message: 'one' });
    await report.flush();
    await report.emit({ type: 'progress', message: 'two' });
    await report.flush();
    expect(notifications).toEqual({ lost: 0, cancelled: 2 });
    await report[Symbol.asyncDispose]();
  });

  it('drops everything when its signal aborts', async () => {
    const end = new AbortController();
    const never = { reportEvents: () => new Promise<never>(() => undefined) };
    const client: Pick<WorkerClient, 'reportEvents'> = {
      reportEvents: (_id, _body, signal) =>
        Promise.race([
          never.reportEvents(),
          new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('given up')))),
        ]),
    };
    const { report } = reportTo(client, { signal: end.signal });
    await report.emit({ type: 'progress', message: 'one' });
    const flushed = report.flush();
    end.abort();
    await flushed;
    await report[Symbol.asyncDispose]();
    expect(end.signal.aborted).toBe(true);
  });
});
