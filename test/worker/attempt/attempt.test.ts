// One attempt up to its end: what it reports, and what it does not, when leases are lost, tasks cancelled, calls refused.
import { describe, expect, it } from 'vitest';
import type { Release, WorkerEvent } from '../../../src/contracts/worker.ts';
import { systemClock, type Clock } from '../../../src/worker/base/clock.ts';
import type { TaskOutcome } from '../../../src/worker/report/task-outcome.ts';
import type { KeptLease } from '../../../src/worker/service/lease-keeper.ts';
import { startAttempt, type Attempt } from '../../../src/worker/attempt/attempt.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import { Slots } from '../../../src/worker/fetch/slots.ts';
import type { AttemptContext as Work } from '../../../src/worker/attempt/task-runner.ts';
import { buildAssignment, buildWorkerTask } from '../../support/builders/worker-task.ts';
import { openRecordedLog } from '../../support/worker/worker-parts.ts';
import type { NewSpoolRecord } from '../../../src/worker/report/spool.ts';
import { manualClock, settle } from '../../support/worker/manual-clock.ts';

const hasty: Clock = { ...systemClock, wait: (_ms, signal) => systemClock.wait(0, signal) };

interface Case {
  run: Attempt;
  lease: () => KeptLease;
  releases: Release[];
  events: WorkerEvent[];
  giveUp: AbortController;
  /** The calls of the spool, in order. */
  spooled: { what: 'put' | 'settle' | 'dead_letter'; entry?: NewSpoolRecord; reason?: string }[];
}

interface Script {
  work: (bench: Work) => Promise<TaskOutcome>;
  release?: (body: Release, attempt: number) => void;
  report?: () => boolean;
  after?: Promise<void>;
  clock?: Clock;
}

function start({ work, release, report, after, clock = hasty }: Script): Case {
  const releases: Release[] = [];
  const events: WorkerEvent[] = [];
  const leases: KeptLease[] = [];
  const giveUp = new AbortController();
  const client = {
    reportEvents: async (_id: string, body: { events: WorkerEvent[] }) => {
      const cancelled = report?.() ?? false;
      events.push(...body.events);
      return { seq: 1, cancel_requested: cancelled };
    },
    release: async (task_id: string, body: Release) => {
      releases.push(body);
      release?.(body, releases.length);
      return { task_id, status: body.status, seq: 1 };
    },
  };
  const keeper = {
    keep: (lease: KeptLease) => {
      leases.push(lease);
      return () => undefined;
    },
  };
  const taskRunner = { run: (_task: unknown, bench: Work) => work(bench) };
  const spooled: Case['spooled'] = [];
  const spool = {
    put: async (entry: NewSpoolRecord) => spooled.push({ what: 'put', entry }) > 0,
    settle: async () => void spooled.push({ what: 'settle' }),
    deadLetter: async (entry: NewSpoolRecord, reason: string) => {
      spooled.push({ what: 'dead_letter', entry, reason });
      return 'dead';
    },
  };
  const options = {
    client,
    keeper,
    taskRunner,
    spool,
    clock,
    random: () => 0.5,
    log: openRecordedLog().log,
    giveUp: giveUp.signal,
  };
  const run = startAttempt({ assignment: buildAssignment(), heldSinceMs: 0, after }, options);
  return {
    run,
    releases,
    events,
    giveUp,
    spooled,
    lease() {
      const [lease] = leases;
      if (lease === undefined) throw new Error('no lease was kept');
      return lease;
    },
  };
}

function refused(status: number, code = 'no'): never {
  throw new ServiceRefusal('POST', { status, code, detail: 'no' });
}

/** Work that goes on until it is ended, then makes a diff. */
async function endless({ signal }: Work): Promise<TaskOutcome> {
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
  return { status: signal.reason === 'cancelled' ? 'cancelled' : 'pending', artifacts: [diff] };
}
const diff = { name: 'diff', mime_type: 'text/x-diff', text: '+1' };
const done: TaskOutcome = { status: 'completed', result: 'fine', artifacts: [diff] };

describe('an attempt', () => {
  it('reports everything before it releases', async () => {
    const order: string[] = [];
    const { run, releases } = start({
      work: async ({ emit }) => {
        await emit({ type: 'progress', message: 'one' });
        return done;
      },
      report: () => (order.push('events'), false),
      release: () => order.push('release'),
    });
    await run.done;
    expect(order).toEqual(['events', 'release']);
    expect(releases).toMatchObject([{ status: 'completed', result: 'fine', artifacts: [diff] }]);
  });

  it('releases again until it is answered', async () => {
    const { run, releases } = start({
      work: async () => done,
      release: (_body, attempt) => {
        if (attempt === 1) throw new ServiceUnreachable('POST', 'cut');
        if (attempt < 4) refused(503);
      },
    });
    await run.done;
    expect(releases).toHaveLength(4);
    expect(new Set(releases.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('tries once more after a heartbeat reported the loss of the lease, then gives up', async () => {
    const { run, releases, lease } = start({
      work: async () => done,
      release: (_body, attempt) => {
        if (attempt === 1) lease().onLost('service');
        if (attempt < 5) refused(500);
      },
    });
    await run.done;
    expect(releases).toHaveLength(2);
  });

  it('ignores that its lease expired by the clock once its work is done', async () => {
    const { run, releases, lease } = start({
      work: async () => done,
      release: (_body, attempt) => {
        lease().onLost('deadline');
        if (attempt < 3) throw new ServiceUnreachable('POST', 'cut');
      },
    });
    await run.done;
    expect(releases).toHaveLength(3);
  });

  it.each(['service', 'deadline'] as const)('is ended and reports nothing when its lease is lost (%s)', async (by) => {
    const { run, releases, events, lease } = start({ work: endless });
    await settle();
    lease().onLost(by);
    await run.done;
    expect([releases, events]).toEqual([[], []]);
  });

  it('delivers its artifacts after a cancel, and reports its end [choices-2.26]', async () => {
    const { run, releases, events } = start({ work: endless });
    await settle();
    run.cancel();
    await run.done;
    expect(events).toMatchObject([{ type: 'artifact', name: 'diff', n: 1 }]);
    expect(releases).toMatchObject([{ status: 'cancelled' }]);
  });

  it('delivers its artifacts when only the refused release reveals the cancel', async () => {
    const { run, events } = start({
      work: async () => done,
      release: ({ status }) => status === 'completed' && refused(409),
    });
    await run.done;
    expect(events).toMatchObject([{ type: 'artifact', name: 'diff' }]);
  });

  it('is cancelled when the answer to its events says so', async () => {
    const { run, releases } = start({
      work: async (bench) => {
        await bench.emit({ type: 'progress', message: 'one' });
        return endless(bench);
      },
      report: () => true,
    });
    await run.done;
    expect(releases).toMatchObject([{ status: 'cancelled' }]);
  });

  it('releases its task as pending when the worker stops', async () => {
    const { run, releases } = start({ work: endless });
    await settle();
    run.stop();
    await run.done;
    expect(releases).toMatchObject([{ status: 'pending' }]);
  });

  it('sends large artifacts as events', async () => {
    const large = { name: 'large', text: 'x'.repeat(600_000) };
    const { run, releases, events } = start({ work: async () => ({ ...done, artifacts: [large] }) });
    await run.done;
    expect(events).toMatchObject([{ type: 'artifact', name: 'large' }]);
    expect(releases).toMatchObject([{ status: 'completed', artifacts: [] }]);
  });

  it.each([
    [400, 'invalid_request'],
    [409, 'artifacts_full'],
  ])('fails with a reason where the service cannot take its result: %i %s', async (status, code) => {
    const { run, releases } = start({
      work: async () => done,
      release: (body) => body.status === 'completed' && refused(status, code),
    });
    await run.done;
    expect(releases.at(-1)).toMatchObject({ status: 'failed', error: { code: 'result_refused' } });
  });

  it('fails with a reason where the worker itself breaks', async () => {
    const { run, releases } = start({ work: () => Promise.reject(new Error('the disk is full')) });
    await run.done;
    expect(releases).toMatchObject([
      { status: 'failed', error: { code: 'worker_error', message: 'the disk is full' } },
    ]);
  });

  it('waits for no answer once the worker gives up', async () => {
    const { run, giveUp } = start({ work: async () => done, release: () => refused(503), clock: systemClock });
    await run.worked;
    giveUp.abort();
    await run.done;
    expect(run.working()).toBe(false);
  });
});

describe('an undelivered result', () => {
  it('is not written to the spool when the service answers at once', async () => {
    const { run, spooled } = start({ work: async () => done, clock: manualClock() });
    await run.done;
    expect(spooled).toEqual([]);
  });

  it('is written to the spool after a second, and removed when the service has taken it', async () => {
    let away = true;
    const clock = manualClock();
    const { run, spooled } = start({
      work: async () => done,
      release: () => away && refused(503),
      clock,
    });
    await clock.advance(1000);
    expect(spooled).toMatchObject([
      { what: 'put', entry: { title: 'a task', events: [], release: { status: 'completed', artifacts: [diff] } } },
    ]);
    away = false;
    await clock.advance(60_000);
    await run.done;
    expect(spooled.map(({ what }) => what)).toEqual(['put', 'settle']);
  });

  it('stays in the spool when the worker ends before it is taken', async () => {
    const clock = manualClock();
    const { run, giveUp, spooled } = start({ work: async () => done, release: () => refused(503), clock });
    await clock.advance(100);
    giveUp.abort();
    await run.done;
    expect(spooled).toMatchObject([{ what: 'put', entry: { release: { status: 'completed' } } }]);
  });

  it('is dead-lettered with the reason when the lease is gone, and the token is not logged', async () => {
    const { run, spooled } = start({
      work: async () => done,
      release: () => refused(409, 'lease_lost'),
      report: () => refused(409, 'lease_lost'),
    });
    await run.done;
    const buried = spooled.find(({ what }) => what === 'dead_letter');
    expect(buried).toMatchObject({
      entry: { release: { status: 'completed', result: 'fine', artifacts: [diff] } },
      reason: expect.stringContaining('lease_lost'),
    });
  });

  it('holds large artifacts although they travel as events', async () => {
    const large = { name: 'large', text: 'x'.repeat(600_000) };
    const { run, giveUp, spooled } = start({
      work: async () => ({ ...done, artifacts: [large, diff] }),
      report: () => refused(503),
      clock: systemClock,
    });
    await run.worked;
    await settle();
    giveUp.abort();
    await run.done;
    expect(spooled.at(-1)).toMatchObject({
      what: 'put',
      entry: {
        events: [
          { n: 1, name: 'large' },
          { n: 2, name: 'diff' },
        ],
        release: { status: 'completed' },
      },
    });
  });

  it('holds the undelivered events of a running attempt', async () => {
    const clock = manualClock();
    let away = true;
    const { run, spooled } = start({
      work: async (bench) => {
        await bench.emit({ type: 'progress', message: 'half' });
        return endless(bench);
      },
      report: () => (away ? refused(503) : false),
      clock,
    });
    await clock.advance(100);
    expect(spooled).toMatchObject([{ what: 'put', entry: { events: [{ n: 1, message: 'half' }], release: null } }]);
    away = false;
    await clock.advance(10_000);
    expect(spooled.map(({ what }) => what)).toEqual(['put', 'settle']);
    run.cancel();
    await run.done;
  });

  it('waits for a token that is accepted again', async () => {
    const { run, releases, spooled } = start({
      work: async () => done,
      release: (_body, attempt) => attempt < 4 && refused(401),
    });
    await run.done;
    expect(releases).toHaveLength(4);
    expect(spooled.map(({ what }) => what)).not.toContain('dead_letter');
  });
});

describe('the slots', () => {
  it('start a task that is assigned again only when its earlier attempt has ended', async () => {
    const task = buildWorkerTask();
    const began: string[] = [];
    const ends: (() => void)[] = [];
    const slots = new Slots({
      size: 1,
      onFree: () => undefined,
      start({ assignment, after }) {
        const worked = Promise.withResolvers<void>();
        let over = false;
        const end = (): void => {
          over = true;
          worked.resolve();
        };
        const beginning = (after ?? Promise.resolve()).then(() => began.push(assignment.lease_token));
        return {
          taskId: task.id,
          leaseToken: assignment.lease_token,
          working: () => !over,
          deliverIntervention: () => undefined,
          cancel: end,
          loseLease: () => ends.push(end),
          stop: end,
          worked: worked.promise,
          done: Promise.all([beginning, worked.promise]).then(() => undefined),
        };
      },
    });
    const [first, second] = [buildAssignment(task), buildAssignment(task)];
    expect(slots.take(first, 0)).toBe(true);
    expect(slots.take(buildAssignment(), 0)).toBe(false);
    expect(slots.take(second, 0)).toBe(true);
    await settle();
    expect(began).toEqual([first.lease_token]);
    ends[0]?.();
    await settle();
    expect(began).toEqual([first.lease_token, second.lease_token]);
    slots.stop();
    await slots.idle();
    expect(slots.take(buildAssignment(), 0)).toBe(false);
    expect(slots.free()).toBe(0);
  });
});
