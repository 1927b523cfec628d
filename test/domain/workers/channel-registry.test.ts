// The index of idle channels picks what a walk over all of them in their order would pick, whatever happened before.
import { property, assert as check, array, boolean, constantFrom, integer, oneof, record, subarray } from 'fast-check';
import { expect, it } from 'vitest';
import { globalCodebaseId, pendingCodebaseId } from '../../../src/domain/model/codebase.ts';
import { mayServe, type RoutableWorker } from '../../../src/domain/model/task/route.ts';
import type { RouteNeeds } from '../../../src/domain/model/task/task.ts';
import { ChannelRegistry } from '../../../src/domain/workers/channel-registry.ts';
import { PushChannel } from '../../../src/domain/workers/push-channel.ts';

const workerIds = ['w1', 'w2', 'w3', 'w4', 'w5'];
const codebaseIds = ['one', 'two', globalCodebaseId];
/** With these, a worker serves too many codebases for the index. */
const manyCodebaseIds = Array.from({ length: 20 }, (_, n) => `many ${n}`);

function worker(
  workerId: string,
  served: readonly string[],
  capabilities: readonly string[],
  names: readonly string[] = [],
): RoutableWorker {
  return {
    workerId,
    names,
    agents: [],
    capabilities,
    servedCodebaseIds: new Set(served),
    online: true,
    drained: false,
  };
}

const anyWorker = record({
  workerId: constantFrom(...workerIds),
  served: subarray(codebaseIds),
  isBroad: boolean(),
  capabilities: subarray(['gpu', 'web']),
  names: subarray(['claude']),
}).map(({ workerId, served, isBroad, capabilities, names }) =>
  worker(workerId, isBroad ? [...served, ...manyCodebaseIds] : served, capabilities, names),
);

const anyNeeds = record<RouteNeeds>({
  codebaseId: constantFrom(...codebaseIds, pendingCodebaseId, null, 'unknown'),
  targetWorkerId: constantFrom(null, null, null, ...workerIds, 'unknown'),
  targetAgent: constantFrom(null, null, 'claude'),
  requiredCapabilities: subarray(['gpu', 'web'], { maxLength: 1 }),
});

/** One change; it applies to the channel of `workerId`, where that is connected. */
const anyChange = oneof(
  record({ kind: constantFrom('connect' as const), worker: anyWorker, slots: integer({ min: 0, max: 3 }) }),
  record({ kind: constantFrom('update' as const), worker: anyWorker }),
  record({ kind: constantFrom('disconnect' as const), workerId: constantFrom(...workerIds) }),
  record({ kind: constantFrom('assign' as const), workerId: constantFrom(...workerIds) }),
  record({ kind: constantFrom('release' as const), workerId: constantFrom(...workerIds) }),
  record({
    kind: constantFrom('reserve' as const),
    workerId: constantFrom(...workerIds),
    slots: integer({ min: -2, max: 2 }),
  }),
  record({
    kind: constantFrom('slots' as const),
    workerId: constantFrom(...workerIds),
    slots: integer({ min: 0, max: 3 }),
  }),
  record({ kind: constantFrom('silence' as const), workerId: constantFrom(...workerIds), isSilent: boolean() }),
);

it('picks the channel that a walk over all idle channels picks', () => {
  check(
    property(
      array(anyChange, { maxLength: 60, size: 'max' }),
      array(anyNeeds, { minLength: 1, maxLength: 8 }),
      (changes, asked) => {
        const silent = new Set<string>();
        const isSilent = (channel: PushChannel): boolean => silent.has(channel.worker.workerId);
        const registry = new ChannelRegistry(isSilent);
        let line: PushChannel[] = [];
        let leases = 0;
        const toEnd = (channel: PushChannel): void => {
          line = line.filter((other) => other !== channel);
          if (registry.get(channel.worker.workerId) === channel && channel.freeSlots > 0) line.push(channel);
        };
        for (const change of changes) {
          const workerId = 'worker' in change ? change.worker.workerId : change.workerId;
          const channel = registry.get(workerId);
          if (change.kind === 'connect') {
            line = line.filter((other) => other !== channel);
            const options = { slots: change.slots, since: 0, heartbeatMs: 1_000 };
            const fresh = new PushChannel('default', change.worker, options, 0);
            registry.add(fresh);
            toEnd(fresh);
          } else if (channel === undefined) {
            continue;
          } else if (change.kind === 'update') {
            if (registry.setWorker(channel, change.worker)) toEnd(channel);
          } else if (change.kind === 'disconnect') {
            registry.remove(channel);
            toEnd(channel);
          } else if (change.kind === 'assign') {
            registry.assign(channel, `task ${leases}`, `lease ${leases}`, 0);
            leases += 1;
            toEnd(channel);
          } else if (change.kind === 'release') {
            const [lease] = channel.running.values();
            if (lease === undefined) continue;
            expect(registry.release(lease)).toBe(channel);
            toEnd(channel);
          } else if (change.kind === 'reserve') {
            registry.reserve(channel, Math.max(change.slots, -channel.reserved));
            toEnd(channel);
          } else if (change.kind === 'slots') {
            registry.setSlots(channel, change.slots);
            toEnd(channel);
          } else if (change.isSilent) silent.add(workerId);
          else silent.delete(workerId);
          for (const needs of asked) {
            const naive = line.find((idle) => !isSilent(idle) && mayServe(needs, idle.worker));
            expect(registry.pick(needs)?.worker.workerId).toBe(naive?.worker.workerId);
            expect(registry.pick(needs)).toBe(naive);
          }
          expect([...registry.idle]).toEqual(line);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('asks only idle channels of the codebase, or the target worker', () => {
  const asked: string[] = [];
  const registry = new ChannelRegistry((channel) => {
    asked.push(channel.worker.workerId);
    return false;
  });
  const options = { slots: 1, since: 0, heartbeatMs: 1_000 };
  for (let n = 0; n < 1_000; n += 1)
    registry.add(new PushChannel('default', worker(`other ${n}`, ['other'], []), options, 0));
  registry.add(new PushChannel('default', worker('own', ['one'], []), options, 0));
  const needs = { codebaseId: 'one', targetWorkerId: null, targetAgent: null, requiredCapabilities: [] };
  expect(registry.pick(needs)?.worker.workerId).toBe('own');
  expect(registry.pick({ ...needs, codebaseId: 'nobody’s' })).toBeUndefined();
  expect(registry.pick({ ...needs, codebaseId: 'other', targetWorkerId: 'other 999' })?.worker.workerId).toBe(
    'other 999',
  );
  expect(asked).toEqual(['own', 'other 999']);
});
