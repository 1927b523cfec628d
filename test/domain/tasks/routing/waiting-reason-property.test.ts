// The waiting reason over random workers, claims and releases equals that of a plain count, and a worker that the reason
// calls able to claim the task gets it.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Assignment } from '../../../../src/domain/model/task/task.ts';
import { listTasks, buildNewTaskView } from '../../../../src/domain/tasks/read.ts';
import { WorkerDirectory } from '../../../../src/domain/tasks/routing/worker-directory.ts';
import { claimTasks } from '../../../../src/domain/workers/claim.ts';
import { callerOf } from '../../../support/verbs.ts';
import { createQueueDriver } from '../../../support/queue/queue-driver.ts';
import { useQueueFixture } from '../../../support/queue/queue-fixture.ts';

const fixture = useQueueFixture();

const anyCapabilities = fc.subarray(['build', 'gpu']);
const aWorker = fc.record({ slots: fc.integer({ min: 1, max: 2 }), capabilities: anyCapabilities });
const aTask = fc.record({
  requiredCapabilities: anyCapabilities,
  target: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
});
const aMove = fc.oneof(
  fc.record({ do: fc.constant('claim' as const), worker: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant('give back' as const), held: fc.nat({ max: 5 }) }),
  fc.record({ do: fc.constant('finish' as const), held: fc.nat({ max: 5 }) }),
);

it('is workers_busy when all able workers are full, claimable when one may claim the task, else held_back [choices-3.27]', async () => {
  const { db, verbs } = fixture();
  await fc.assert(
    fc.asyncProperty(
      fc.array(aWorker, { minLength: 1, maxLength: 3 }),
      fc.array(aTask, { minLength: 1, maxLength: 6 }),
      fc.array(aMove, { maxLength: 12 }),
      async (someWorkers, someTasks, moves) => {
        const tenantId = `t-${randomUUID()}`;
        await verbs.crossTenant.ensureTenants([tenantId]);
        const [submitter, works] = [callerOf('editor', tenantId), callerOf('agent', tenantId)];
        const driver = createQueueDriver(verbs, db, { submitter, workerCaller: works });
        const workers = [];
        for (const profile of someWorkers) workers.push({ ...profile, ...(await driver.worker('global', profile)) });
        for (const { requiredCapabilities, target } of someTasks) {
          const targetWorkerId = target === undefined ? null : (workers[target]?.workerId ?? null);
          await driver.submit('global', { requiredCapabilities, targetWorkerId });
        }
        let held: Assignment[] = [];
        const heldFrom = new Map<string, Set<string>>();
        const running = (workerId: string): number => held.filter(({ task }) => task.workerId === workerId).length;
        for (const move of moves) {
          const worker = 'worker' in move ? workers[move.worker] : undefined;
          const lease = 'held' in move ? held[move.held] : undefined;
          if (worker !== undefined && running(worker.workerId) < worker.slots)
            held.push(...(await driver.claim(worker.workerId, 1)));
          if (lease === undefined) continue;
          await driver.release(lease, { status: move.do === 'finish' ? 'completed' : 'pending' });
          held = held.filter((other) => other !== lease);
          const from = heldFrom.get(lease.task.id) ?? new Set();
          heldFrom.set(lease.task.id, from.add(lease.task.workerId ?? ''));
        }

        const { tasks } = await listTasks(verbs, submitter, { status: 'pending' }, { limit: 50, before: undefined });
        for (const { task, waitingReason } of tasks) {
          const serving = workers.filter(
            ({ workerId, capabilities }) =>
              (task.targetWorkerId ?? workerId) === workerId &&
              task.requiredCapabilities.every((word) => capabilities.includes(word)),
          );
          if (serving.length === 0) continue;
          const free = serving.filter(({ workerId, slots }) => running(workerId) < slots);
          const able = free.filter(({ workerId }) => heldFrom.get(task.id)?.has(workerId) !== true);
          const expected = free.length === 0 ? 'workers_busy' : able.length === 0 ? 'held_back' : 'claimable';
          expect(waitingReason).toBe(expected);
        }
        const one = tasks.find(({ waitingReason }) => waitingReason === 'claimable')?.task;
        if (one === undefined) return;
        const claims = workers.map(({ workerId }) =>
          claimTasks(verbs, works, { workerId, limit: 1, taskId: one.id }).catch(() => []),
        );
        expect((await Promise.all(claims)).flat()).toHaveLength(1);
      },
    ),
    { numRuns: process.env['SCALE'] === 'full' ? 500 : 40 },
  );
}, 600_000);

it('many submits share one query for free slots, which sees a claim that was answered before', async () => {
  const { verbs, driver } = fixture();
  const { workerId, codebaseId } = await driver.worker(undefined, { slots: 1 });
  let probes = 0;
  const store: typeof verbs.store = {
    ...verbs.store,
    within: (tenant, work) => {
      probes += 1;
      return verbs.store.within(tenant, work);
    },
  };
  let nowMs = 0;
  const workerDirectory = new WorkerDirectory(store, verbs.wake, () => nowMs);
  const reasonOf = async (): Promise<unknown> =>
    (await buildNewTaskView({ store, workerDirectory }, callerOf('editor'), await driver.submit(codebaseId)))
      .waitingReason;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, reasonOf)))).toEqual(new Set(['claimable']));
  // One query for the workers, one for the full ones.
  expect(probes).toBe(2);
  const held = await driver.claimOne(workerId);
  nowMs += 20;
  expect(await reasonOf()).toBe('workers_busy');
  expect(await reasonOf()).toBe('workers_busy');
  expect(probes).toBe(3);
  await driver.release(held);
  nowMs += 20;
  expect(await reasonOf()).toBe('claimable');
});
