// Where the stations of a run's line stand, and which rails are drawn.
import { describe, expect, it } from 'vitest';
import { layoutLine, type LineStory } from '../../../../ui/src/pages/runs/board/line-layout.ts';

function stories(needs: Readonly<Record<string, readonly string[] | null>>): LineStory[] {
  return Object.entries(needs).map(([story_id, depends_on]) => ({ story_id, depends_on }));
}

function railsOf(given: readonly LineStory[], mode: 'sequential' | 'parallel' = 'parallel'): string[] {
  return layoutLine(given, mode).rails.map(({ from, to }) => `${from.id}-${to.id}`);
}

describe('the line of a run', () => {
  it('puts a story behind all that it depends on, in a lane of its own [ui-4.7.13]', () => {
    const { stations, columns, lanes, ends } = layoutLine(
      stories({ A: [], B: ['A'], C: ['A'], D: ['B', 'C'] }),
      'parallel',
    );
    expect(stations).toEqual([
      { id: 'A', column: 0, lane: 0 },
      { id: 'B', column: 1, lane: 0 },
      { id: 'C', column: 1, lane: 1 },
      { id: 'D', column: 2, lane: 0 },
    ]);
    expect([columns, lanes, ends.map(({ id }) => id)]).toEqual([3, 2, ['D']]);
  });

  it('leaves out rails that follow from others [ui-4.7.13]', () => {
    expect(railsOf(stories({ A: [], B: ['A'], C: ['A', 'B'] }))).toEqual(['A-B', 'B-C']);
  });

  it('is a chain where a sequential run names no dependency, and stands abreast where a parallel one names none [ui-4.7.13]', () => {
    const unnamed = stories({ A: null, B: null, C: null });
    expect(railsOf(unnamed, 'sequential')).toEqual(['A-B', 'B-C']);
    expect(railsOf(unnamed)).toEqual([]);
    expect(layoutLine(unnamed, 'parallel')).toMatchObject({ columns: 1, lanes: 3 });
  });

  it('ends with a cycle, with unknown ids and without stories', () => {
    expect(layoutLine(stories({ A: ['B'], B: ['A'] }), 'parallel').stations).toHaveLength(2);
    expect(railsOf(stories({ A: ['nobody', 'A'] }))).toEqual([]);
    expect(layoutLine([], 'sequential')).toMatchObject({ stations: [], columns: 0, lanes: 0 });
  });
});
