// The reaper drains what is due in a few rounds, in bounded portions.
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/domain/model/access/caller.ts';
import type { CrossTenantQueries } from '../../../src/domain/ports/store/cross-tenant-queries.ts';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import { reap } from '../../../src/domain/tasks/reap.ts';
import { createQueueDriver } from '../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../support/queue/queue-fixture.ts';
import { noLoopAudit } from '../../support/request-pipeline.ts';
import { callerOf } from '../../support/verbs.ts';

const batchSize = 200;
const maxRound = 25 * batchSize;

const full = process.env['SCALE'] === 'full';
const total = full ? 10_000 : 1_000;

describe('lost leases', () => {
  const fixture = useQueueFixture();

  /** Submits and claims as many tasks of one tenant, by one worker, then lets every lease expire. */
  async function loseLeases(tenantId: string, count: number): Promise<void> {
    const { db, verbs } = fixture();
    const callers: { submitter: Caller; workerCaller: Caller } = {
      submitter: callerOf('editor', tenantId),
      workerCaller: callerOf('agent', tenantId),
    };
    const driver = createQueueDriver(verbs, db, callers);
    const { workerId, codebaseId } = await driver.worker(undefined, { slots: count });
    for (let done = 0; done < count; done += 500) {
      await Promise.all(Array.from({ length: 500 }, () => driver.submit(codebaseId)));
    }
    for (let held = 0; held < count;) held += (await driver.claim(workerId, 500)).length;
    await db.query(`update tasks set lease_expires_at = now() - interval '1 s' where tenant_id = $1`, [tenantId]);
  }

  it(`of ${total} tasks in two tenants are requeued in a few rounds`, { timeout: 300_000 }, async () => {
    const { db, verbs } = fixture();
    await Promise.all([loseLeases('default', total / 2), loseLeases('other', total / 2)]);
    const rounds = [await reap(verbs), await reap(verbs), await reap(verbs)];
    expect(rounds).toEqual(full ? [maxRound, maxRound, 0] : [total, 0, 0]);
    const states = await db.query('select status, count(*)::int as tasks from tasks group by 1');
    expect(states).toEqual([{ status: 'pending', tasks: total }]);
  });
});

interface Due {
  tenantId: string;
  taskId: string;
  epoch: number;
}

/** A reaper over stubs. @param move moves one task: undefined when something else moved it before */
function stubReaper(
  find: (limit: number) => Due[],
  move: (tenantId: string) => Promise<{ status: string } | undefined>,
) {
  const batches: number[] = [];
  const crossTenant = {
    expiredLeases: (limit: number) => {
      const due = find(limit);
      batches.push(due.length);
      return Promise.resolve(due);
    },
    passedDeadlines: () => Promise.resolve([]),
  } as unknown as CrossTenantQueries;
  const store = { within: ({ tenantId }: { tenantId: string }) => move(tenantId) } as unknown as Store;
  const wake = { announce: () => {}, listen: () => () => {} };
  return { batches, run: (signal?: AbortSignal) => reap({ crossTenant, store, wake, audit: noLoopAudit }, signal) };
}

function dueOf(tenantId: string, count: number): Due[] {
  return Array.from({ length: count }, (_, i) => ({ tenantId, taskId: `${tenantId}-${i}`, epoch: 1 }));
}

const moved = () => Promise.resolve({ status: 'failed' });

describe('a round', () => {
  it('ends with the first batch that is short', async () => {
    const left = [batchSize, batchSize, 7];
    const { batches, run } = stubReaper(() => dueOf('a', left.shift() ?? 0), moved);
    expect(await run()).toBe(2 * batchSize + 7);
    expect(batches).toEqual([batchSize, batchSize, 7]);
  });

  it('moves 5,000 tasks: two rounds are enough for 10,000 lost leases', async () => {
    const left = dueOf('a', 10_000);
    const { run } = stubReaper(
      (limit) => left.slice(0, limit),
      () => {
        left.shift();
        return moved();
      },
    );
    expect([await run(), await run(), await run()]).toEqual([maxRound, maxRound, 0]);
    expect(left).toEqual([]);
  });

  it('is bounded, however many leases expire meanwhile', async () => {
    const { run } = stubReaper((limit) => dueOf('a', limit), moved);
    expect(await run()).toBe(maxRound);
  });

  it('ends after a batch of which nothing moved, which would be found again', async () => {
    const { batches, run } = stubReaper(
      (limit) => dueOf('a', limit),
      () => Promise.resolve(undefined),
    );
    expect(await run()).toBe(0);
    expect(batches).toEqual([batchSize]);
  });

  it('stops between two tasks when the service stops', async () => {
    const stopping = new AbortController();
    let moves = 0;
    const { run } = stubReaper(
      (limit) => dueOf('a', limit),
      () => {
        moves += 1;
        if (moves === 3) stopping.abort();
        return moved();
      },
    );
    expect(await run(stopping.signal)).toBe(3);
  });

  it('works on four tenants at once, and on one task of each', async () => {
    const running: string[] = [];
    let most = 0;
    const { run } = stubReaper(
      () => ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((tenantId) => dueOf(tenantId, 5)),
      async (tenantId) => {
        expect(running).not.toContain(tenantId);
        running.push(tenantId);
        most = Math.max(most, running.length);
        await new Promise((resolve) => setImmediate(resolve));
        running.splice(running.indexOf(tenantId), 1);
        return { status: 'failed' };
      },
    );
    expect(await run()).toBe(30);
    expect(most).toBe(4);
  });

  it('goes on with the other tenants after an error in one, and throws it at the end', async () => {
    const movedBy = new Map<string, number>();
    const { run } = stubReaper(
      () => ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((tenantId) => dueOf(tenantId, 5)),
      (tenantId) => {
        if (tenantId === 'b') return Promise.reject(new Error('b is broken'));
        movedBy.set(tenantId, (movedBy.get(tenantId) ?? 0) + 1);
        return moved();
      },
    );
    await expect(run()).rejects.toThrow('b is broken');
    expect(Object.fromEntries(movedBy)).toEqual({ a: 5, c: 5, d: 5, e: 5, f: 5 });
  });
});
