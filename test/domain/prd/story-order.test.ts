// The order of stories and what each waits for, in both modes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveDependencies, findDependencyCycle, orderStories } from '../../../src/domain/prd/story-order.ts';

interface Story {
  readonly id: string;
  readonly priority: number | null;
  readonly dependsOn: readonly string[] | null;
}

const story = (id: string, priority: number | null = null, dependsOn: readonly string[] | null = null): Story => ({
  id,
  priority,
  dependsOn,
});

const waits = (stories: readonly Story[], mode: 'sequential' | 'parallel') =>
  Object.fromEntries(effectiveDependencies(stories, mode));

describe('stories', () => {
  it('come by priority, lower first, then in their order; those without one last', () => {
    const stories = [story('A'), story('B', 2), story('C', 1), story('D', 2), story('E')];
    expect(orderStories(stories).map(({ id }) => id)).toEqual(['C', 'B', 'D', 'A', 'E']);
  });

  it('wait for all before them in sequential mode, where none names a dependency [runs-5.14]', () => {
    expect(waits([story('A', 2), story('B', 1), story('C')], 'sequential')).toEqual({ B: [], A: ['B'], C: ['B', 'A'] });
  });

  it('wait for nothing in parallel mode, where none names a dependency [runs-5.15]', () => {
    expect(waits([story('A'), story('B')], 'parallel')).toEqual({ A: [], B: [] });
  });

  it('wait for what they name in both modes, once one of them names a dependency [runs-5.13]', () => {
    const stories = [story('A'), story('B'), story('C', null, ['A', 'A'])];
    for (const mode of ['sequential', 'parallel'] as const)
      expect(waits(stories, mode)).toEqual({ A: [], B: [], C: ['A'] });
  });

  it('that declare an empty list are independent in sequential mode too', () => {
    expect(waits([story('A'), story('B', null, []), story('C')], 'sequential')).toEqual({
      A: [],
      B: [],
      C: ['A', 'B'],
    });
  });
});

describe('a cycle', () => {
  it.each<[string, readonly Story[], readonly string[] | undefined]>([
    ['of a story with itself', [story('A', null, ['A'])], ['A', 'A']],
    ['of two', [story('A', null, ['B']), story('B', null, ['A'])], ['A', 'B', 'A']],
    [
      'behind a story outside of it',
      [story('A', null, ['B']), story('B', null, ['C']), story('C', null, ['B'])],
      ['B', 'C', 'B'],
    ],
    [
      'is none in a diamond',
      [story('A'), story('B', null, ['A']), story('C', null, ['A']), story('D', null, ['B', 'C'])],
      undefined,
    ],
    ['is none through an unknown story', [story('A', null, ['X'])], undefined],
  ])('%s', (_, stories, cycle) => {
    expect(findDependencyCycle(stories)).toEqual(cycle);
  });

  it('of a hundred stories is found', () => {
    const stories = Array.from({ length: 100 }, (_, i) => story(`S${i}`, null, [`S${(i + 1) % 100}`]));
    expect(findDependencyCycle(stories)).toHaveLength(101);
  });

  it('is found exactly where no order satisfies all dependencies', () => {
    const ids = ['A', 'B', 'C', 'D', 'E', 'F'];
    const graph = fc.tuple(
      ...ids.map((id) => fc.subarray(ids).map((dependsOn) => story(id, null, dependsOn.slice(0, 2)))),
    );
    fc.assert(
      fc.property(graph, (stories) => {
        let left: readonly Story[] = stories;
        for (;;) {
          const next = left.filter(({ dependsOn }) => dependsOn?.some((id) => left.some((one) => one.id === id)));
          if (next.length === left.length) break;
          left = next;
        }
        const cycle = findDependencyCycle(stories);
        expect(cycle === undefined).toBe(left.length === 0);
        for (const [index, id] of (cycle ?? []).slice(0, -1).entries())
          expect(stories.find((one) => one.id === id)?.dependsOn).toContain(cycle?.[index + 1]);
      }),
    );
  });

  it('cannot be among the dependencies of sequential mode', () => {
    const stories = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('A', 'B', 'C', 'D'),
        priority: fc.option(fc.integer({ min: 0, max: 3 })),
        dependsOn: fc.constant(null),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(stories, (some) => {
        const all = [...effectiveDependencies(some, 'sequential')].map(([id, dependsOn]) => story(id, null, dependsOn));
        expect(findDependencyCycle(all)).toBeUndefined();
      }),
    );
  });
});
