// The effect of a broker's hint at a replica: it brings the task to one worker, and a flood of hints costs nothing.
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/ports/store/store.ts';
import type { WakeBus } from '../../../src/domain/ports/wake.ts';
import { Dispatcher } from '../../../src/domain/workers/dispatcher.ts';
import { openPushChannel } from '../../../src/domain/workers/push.ts';
import { RouteProbes } from '../../../src/domain/workers/route-probes.ts';
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts';
import { assertInvariants } from '../../support/database/invariants.ts';
import { openVerbs, type Verbs } from '../../support/verbs.ts';
import { until } from '../../support/until.ts';
import { agent, createQueueDriver } from '../../support/queue/queue-driver.ts';

let db: TestDatabase;
let here: Verbs;
let there: Verbs;
beforeAll(async () => {
  db = await cloneDatabase();
  [here, there] = await Promise.all([openVerbs(db), openVerbs(db)]);
});
afterAll(async () => {
  await assertInvariants(db);
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

/** A bus without listeners. */
const silent: WakeBus = { announce: () => undefined, listen: () => () => undefined };

describe('a hint that names a codebase', () => {
  it('makes one worker claim a task that another replica stored', async () => {
    const driver = createQueueDriver(here, db);
    const { codebaseId } = await driver.worker();
    const able = await driver.worker(codebaseId, { capabilities: ['special'] });
    const far = createQueueDriver({ ...there, wake: silent }, db);
    await openPushChannel(here, agent, able.workerId, 1, 15_000);
    const task = await far.submit(codebaseId, { requiredCapabilities: ['special'] });
    here.wake.announce({ kind: 'route', tenantId: 'default', codebaseId });
    const running = await until('it runs', async () => {
      const now = await driver.currentTask(task.id);
      return now.status === 'running' ? now : undefined;
    });
    expect(running.workerId).toBe(able.workerId);
  });

  it('costs no query for a tenant or codebase without idle workers here', async () => {
    let queries = 0;
    const store: Store = {
      ...here.store,
      within: () => {
        queries += 1;
        return Promise.reject(new Error('asked'));
      },
    };
    const { queue, crossTenant, wake, metrics } = here;
    const clock = { elapsedMs: () => 0, silentAfterMs: 60_000 };
    using dispatcher = new Dispatcher({ store, queue, crossTenant, wake, metrics, log: () => undefined, ...clock });
    for (let i = 0; i < 1000; i++) wake.announce({ kind: 'route', tenantId: `t${i}`, codebaseId: 'global' });
    await setImmediate();
    dispatcher.sendHeartbeats();
    expect(queries).toBe(0);
  });
});

describe('probes', () => {
  it('run one at a time, and less and less often while they find nothing, however many hints arrive', async () => {
    let [now, looking, most] = [0, 0, 0];
    const at: number[] = [];
    using probes = new RouteProbes({
      now: () => now,
      probe: async () => {
        at.push(now);
        looking += 1;
        most = Math.max(most, looking);
        await setImmediate();
        looking -= 1;
        return false;
      },
    });
    // A second by the clock, a thousand hints in each of its milliseconds.
    for (now = 0; now < 1000; now++) {
      for (let i = 0; i < 1000; i++) probes.request('default', 'global');
      await setImmediate();
    }
    expect(most).toBe(1);
    expect(at[0]).toBe(0);
    expect(at.length).toBeLessThan(60);
  });

  it('that find something run again without delay', async () => {
    const found: number[] = [];
    using probes = new RouteProbes({
      now: () => performance.now(),
      probe: () => Promise.resolve(found.push(1) > 0),
    });
    probes.request('default', 'one');
    probes.request('default', 'two');
    await until('both were looked at', () => found.length === 2);
    probes.request('default', 'one');
    await until('again', () => found.length === 3);
    expect(found).toHaveLength(3);
  });
});
