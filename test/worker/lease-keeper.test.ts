// Leases: one heartbeat for all, and a run hears at once when its lease is gone, by the service or by the clock.
import { describe, expect, it } from 'vitest';
import type { Heartbeat, HeartbeatAnswer } from '../../src/contracts/worker.ts';
import { createLeaseKeeper } from '../../src/worker/service/lease-keeper.ts';
import type { LeaseKeeper } from '../../src/worker/service/lease-keeper.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../src/worker/base/service-error.ts';
import { keptLog, standing } from './support/given.ts';
import { manualClock, settle } from './support/manual-clock.ts';

const soon = '2026-01-02T03:05:05.678Z';
const nothing: HeartbeatAnswer = { renewed: [], lost: [], cancel: [], interventions: [], tasks_waiting: false };

function renewAll({ running = [] }: Heartbeat): HeartbeatAnswer {
  return { ...nothing, renewed: running.map(({ task_id }) => ({ task_id, lease_expires_at: soon })) };
}

interface Bench {
  keeper: LeaseKeeper;
  told: string[];
  beats: Heartbeat[];
  keep: (taskId: string) => () => void;
  end: () => Promise<void>;
}

function bench(
  answer: (body: Heartbeat, signal?: AbortSignal) => HeartbeatAnswer | Promise<HeartbeatAnswer>,
  clock = manualClock(),
  registration = standing(),
): Bench {
  const beats: Heartbeat[] = [];
  const told: string[] = [];
  const client = {
    heartbeat: async (_id: string, body: Heartbeat, signal?: AbortSignal) => {
      beats.push(body);
      return answer(body, signal);
    },
  };
  const { log } = keptLog();
  const keeper = createLeaseKeeper({
    client,
    registration,
    slotsFree: () => 3,
    onTasksWaiting: () => told.push('tasks wait'),
    clock,
    random: () => 0.5,
    log,
  });
  const over = new AbortController();
  const running = keeper.run(over.signal);
  return {
    keeper,
    told,
    beats,
    keep: (taskId) =>
      keeper.keep({
        taskId,
        leaseToken: `lease of ${taskId}`,
        heldSinceMs: clock.monotonicMs(),
        onLost: (by) => told.push(`${taskId} lost by ${by}`),
        onCancel: () => told.push(`${taskId} cancelled`),
        onIntervention: ({ action }) => told.push(`${taskId} told to ${action}`),
      }),
    async end() {
      over.abort();
      await running;
    },
  };
}

describe('the lease keeper', () => {
  it('renews all leases by one call every heartbeat interval, and tells its free slots', async () => {
    const clock = manualClock();
    const { beats, keep, end, told } = bench(renewAll, clock);
    await settle();
    keep('a');
    keep('b');
    await clock.advance(300_000);
    expect(beats).toHaveLength(16);
    expect(beats[1]).toMatchObject({ slots_free: 3, running: [{ task_id: 'a' }, { task_id: 'b' }] });
    expect(told).toEqual([]);
    await end();
  });

  it('tells a run that its lease is lost, or its task cancelled', async () => {
    const clock = manualClock();
    const { keep, end, told } = bench(({ running = [] }) => {
      const has = (taskId: string): string[] => (running.some(({ task_id }) => task_id === taskId) ? [taskId] : []);
      return { ...nothing, lost: has('a'), cancel: has('b') };
    }, clock);
    await settle();
    keep('a');
    keep('b');
    await clock.advance(20_000);
    expect(told.toSorted()).toEqual(['a lost by service', 'b cancelled']);
    await end();
  });

  it('passes on that tasks wait for this worker [choices-5.73]', async () => {
    const clock = manualClock();
    const { end, told } = bench(() => ({ ...nothing, tasks_waiting: true }), clock);
    await settle();
    expect(told).toEqual(['tasks wait']);
    await end();
  });

  it('gives a lease up when it ran out without a renewal', async () => {
    const clock = manualClock();
    const { keep, end, told, beats } = bench(() => Promise.reject(new ServiceUnreachable('POST', 'cut')), clock);
    keep('a');
    await clock.advance(59_000);
    expect(told).toEqual([]);
    expect(beats.length).toBeGreaterThan(10);
    await clock.advance(1000);
    expect(told).toEqual(['a lost by deadline']);
    await clock.advance(60_000);
    expect(told).toHaveLength(1);
    await end();
  });

  it('counts a lease from when the renewal was sent, not from when it was answered', async () => {
    const clock = manualClock();
    let slow = false;
    const { keep, end, told } = bench(async (body, signal) => {
      if (slow) await clock.wait(30_000, signal);
      return renewAll(body);
    }, clock);
    await settle();
    keep('a');
    slow = true;
    // Sent at 20 s and answered at 50 s: it holds until 80 s, unless the next (sent at 70 s) is answered before.
    await clock.advance(79_000);
    expect(told).toEqual([]);
    await clock.advance(2000);
    expect(told).toEqual(['a lost by deadline']);
    await end();
  });

  it('does not judge a run by an answer to a question that did not name it', async () => {
    const clock = manualClock();
    const gate = Promise.withResolvers<HeartbeatAnswer>();
    const { keep, end, told } = bench(() => gate.promise, clock);
    await settle();
    keep('a');
    gate.resolve({ ...nothing, lost: ['a'] });
    await settle();
    expect(told).toEqual([]);
    await end();
  });

  it('says nothing of a lease that was dropped', async () => {
    const clock = manualClock();
    const { keep, end, told } = bench(() => Promise.reject(new ServiceUnreachable('POST', 'cut')), clock);
    keep('a')();
    await clock.advance(120_000);
    expect(told).toEqual([]);
    await end();
  });

  it('doubts its registration when the service does not know the worker', async () => {
    const clock = manualClock();
    const registration = standing();
    const unknown = new ServiceRefusal('POST', { status: 404, code: 'not_found', detail: '' });
    const { end } = bench(() => Promise.reject(unknown), clock, registration);
    await clock.advance(100);
    expect(registration.doubts()).toBe(1);
    await end();
  });
});
