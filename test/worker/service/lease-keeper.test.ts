// Leases: one heartbeat for all, and an attempt is notified at once when its lease is gone, by the service or by the clock.
import { describe, expect, it } from 'vitest';
import type { Heartbeat, HeartbeatAnswer } from '../../../src/contracts/worker.ts';
import { LeaseKeeper } from '../../../src/worker/service/lease-keeper.ts';
import { ServiceRefusal, ServiceUnreachable } from '../../../src/worker/base/service-error.ts';
import { openRecordedLog, createStandingRegistration } from '../../support/worker/worker-parts.ts';
import { manualClock, settle } from '../../support/worker/manual-clock.ts';

const expiresAt = '2026-01-02T03:05:05.678Z';
const nothing: HeartbeatAnswer = { renewed: [], lost: [], cancel: [], interventions: [], tasks_waiting: false };

function renewAll({ running = [] }: Heartbeat): HeartbeatAnswer {
  return { ...nothing, renewed: running.map(({ task_id }) => ({ task_id, lease_expires_at: expiresAt })) };
}

interface LeaseFixture {
  keeper: LeaseKeeper;
  notifications: string[];
  heartbeats: Heartbeat[];
  keepLease: (taskId: string) => () => void;
  end: () => Promise<void>;
}

function bench(
  answer: (body: Heartbeat, signal?: AbortSignal) => HeartbeatAnswer | Promise<HeartbeatAnswer>,
  clock = manualClock(),
  registration = createStandingRegistration(),
): LeaseFixture {
  const heartbeats: Heartbeat[] = [];
  const notifications: string[] = [];
  const client = {
    heartbeat: async (_id: string, body: Heartbeat, signal?: AbortSignal) => {
      heartbeats.push(body);
      return answer(body, signal);
    },
  };
  const { log } = openRecordedLog();
  const keeper = new LeaseKeeper({
    client,
    registration,
    slotsFree: () => 3,
    onTasksWaiting: () => notifications.push('tasks wait'),
    clock,
    random: () => 0.5,
    log,
  });
  const over = new AbortController();
  const running = keeper.run(over.signal);
  return {
    keeper,
    notifications,
    heartbeats,
    keepLease: (taskId) =>
      keeper.keep({
        taskId,
        leaseToken: `lease of ${taskId}`,
        heldSinceMs: clock.monotonicMs(),
        onLost: (by) => notifications.push(`${taskId} lost by ${by}`),
        onCancel: () => notifications.push(`${taskId} cancelled`),
        onIntervention: ({ action }) => notifications.push(`${taskId} ${action}`),
      }),
    async end() {
      over.abort();
      await running;
    },
  };
}

describe('the lease keeper', () => {
  it('renews all leases with one call per heartbeat interval, and reports its free slots', async () => {
    const clock = manualClock();
    const { heartbeats, keepLease: keep, end, notifications } = bench(renewAll, clock);
    await settle();
    keep('a');
    keep('b');
    await clock.advance(300_000);
    expect(heartbeats).toHaveLength(16);
    expect(heartbeats[1]).toMatchObject({ slots_free: 3, running: [{ task_id: 'a' }, { task_id: 'b' }] });
    expect(notifications).toEqual([]);
    await end();
  });

  it('notifies an attempt of a lost lease or a cancelled task', async () => {
    const clock = manualClock();
    const {
      keepLease: keep,
      end,
      notifications,
    } = bench(({ running = [] }) => {
      const has = (taskId: string): string[] => (running.some(({ task_id }) => task_id === taskId) ? [taskId] : []);
      return { ...nothing, lost: has('a'), cancel: has('b') };
    }, clock);
    await settle();
    keep('a');
    keep('b');
    await clock.advance(20_000);
    expect(notifications.toSorted()).toEqual(['a lost by service', 'b cancelled']);
    await end();
  });

  it('reports waiting tasks [choices-5.73]', async () => {
    const clock = manualClock();
    const { end, notifications } = bench(() => ({ ...nothing, tasks_waiting: true }), clock);
    await settle();
    expect(notifications).toEqual(['tasks wait']);
    await end();
  });

  it('reports a lease as lost when it expired without a renewal', async () => {
    const clock = manualClock();
    const {
      keepLease: keep,
      end,
      notifications,
      heartbeats,
    } = bench(() => Promise.reject(new ServiceUnreachable('POST', 'cut')), clock);
    keep('a');
    await clock.advance(59_000);
    expect(notifications).toEqual([]);
    expect(heartbeats.length).toBeGreaterThan(10);
    await clock.advance(1000);
    expect(notifications).toEqual(['a lost by deadline']);
    await clock.advance(60_000);
    expect(notifications).toHaveLength(1);
    await end();
  });

  it('counts a lease from when the renewal was sent, not from when it was answered', async () => {
    const clock = manualClock();
    let slow = false;
    const {
      keepLease: keep,
      end,
      notifications,
    } = bench(async (body, signal) => {
      if (slow) await clock.wait(30_000, signal);
      return renewAll(body);
    }, clock);
    await settle();
    keep('a');
    slow = true;
    // Sent at 20 s and answered at 50 s: it holds until 80 s, unless the next (sent at 70 s) is answered before.
    await clock.advance(79_000);
    expect(notifications).toEqual([]);
    await clock.advance(2000);
    expect(notifications).toEqual(['a lost by deadline']);
    await end();
  });

  it('ignores an answer for an attempt that its request did not name', async () => {
    const clock = manualClock();
    const gate = Promise.withResolvers<HeartbeatAnswer>();
    const { keepLease: keep, end, notifications } = bench(() => gate.promise, clock);
    await settle();
    keep('a');
    gate.resolve({ ...nothing, lost: ['a'] });
    await settle();
    expect(notifications).toEqual([]);
    await end();
  });

  it('sends no heartbeat for a dropped lease', async () => {
    const clock = manualClock();
    const {
      keepLease: keep,
      end,
      notifications,
    } = bench(() => Promise.reject(new ServiceUnreachable('POST', 'cut')), clock);
    keep('a')();
    await clock.advance(120_000);
    expect(notifications).toEqual([]);
    await end();
  });

  it('invalidates the registration when the service does not know the worker', async () => {
    const clock = manualClock();
    const registration = createStandingRegistration();
    const unknown = new ServiceRefusal('POST', { status: 404, code: 'not_found', detail: '' });
    const { end } = bench(() => Promise.reject(unknown), clock, registration);
    await clock.advance(100);
    expect(registration.invalidations()).toBe(1);
    await end();
  });
});
