// The obstacle of one worker follows the rule that decides who may serve a task. ui-6.7.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findObstacle,
  findWaitingReason,
  mayServe,
  type RoutableWorker,
  type TaskHold,
} from '../../../../src/domain/model/task/route.ts';
import { prdCapability } from '../../../../src/domain/model/prd/prd-session.ts';
import type { RouteNeeds } from '../../../../src/domain/model/task/task.ts';

const names = fc.constantFrom('one', 'two');
const capability = fc.constantFrom('gpu', prdCapability, 'build');
const needs: fc.Arbitrary<RouteNeeds> = fc.record({
  codebaseId: fc.constantFrom('app', 'web', 'global', '__pending__', null),
  requiredCapabilities: fc.array(capability, { maxLength: 2 }),
  targetAgent: fc.option(names),
  targetWorkerId: fc.option(names),
});
const worker: fc.Arbitrary<RoutableWorker> = fc.record({
  workerId: names,
  names: fc.array(names, { maxLength: 2 }),
  agents: fc.constant([]),
  capabilities: fc.array(capability, { maxLength: 3 }),
  servedCodebaseIds: fc.array(fc.constantFrom('app', 'web', 'global')).map((ids) => new Set(ids)),
  online: fc.boolean(),
  drained: fc.boolean(),
});
const hold = fc.constantFrom<(TaskHold | undefined)[]>(undefined, 'lately', 'for_good');

describe('the obstacle of a worker', () => {
  it('is none if and only if it may serve the task, is online, has a slot and no hold [ui-6.7.2]', () => {
    fc.assert(
      fc.property(needs, worker, fc.boolean(), hold, (task, one, isFull, held) => {
        const blockers = { isFull: () => isFull, findHold: () => held };
        const { obstacle } = findObstacle(task, one, blockers);
        const may = mayServe(task, one);
        expect(obstacle === null).toBe(may && one.online && !isFull && held === undefined);
        // An obstacle of the moment stands only where the worker may serve the task at all.
        if (obstacle === 'offline_since' || obstacle === 'slots_full' || obstacle === 'held_back_until') {
          expect(mayServe(task, { ...one, drained: false })).toBe(true);
        }
        expect(findWaitingReason(task, [one], blockers) === 'claimable').toBe(obstacle === null);
      }),
      { numRuns: 2000 },
    );
  });

  it('of a worker for PRD chats alone is that the task is not for it [ui-6.7.2]', () => {
    const task = { codebaseId: 'app', requiredCapabilities: [], targetAgent: null, targetWorkerId: null };
    const dedicated = {
      workerId: 'w',
      names: [],
      agents: [],
      capabilities: [prdCapability],
      servedCodebaseIds: new Set(['app']),
      online: true,
      drained: false,
    };
    const none = { isFull: () => false, findHold: () => undefined };
    expect(findObstacle(task, dedicated, none).obstacle).toBe('not_targeted');
    const refused = { ...none, findHold: () => 'for_good' as const };
    expect(findObstacle(task, { ...dedicated, capabilities: [] }, refused).obstacle).toBe('no_codebase');
  });
});
