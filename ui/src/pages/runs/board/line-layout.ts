// The places of the stations of a run's line: a story right of all that it depends on, each in a lane of its own.
import type { Run } from '../../../data/runs/runs.ts';

export interface LineStation {
  readonly id: string;
  /** From 0, in the direction of travel. */
  readonly column: number;
  readonly lane: number;
}

export interface LineLayout {
  readonly stations: readonly LineStation[];
  /** Rails between stations; those that follow from others are left out. */
  readonly rails: readonly { readonly from: LineStation; readonly to: LineStation }[];
  /** Stations that nothing depends on: their rails lead to the branch. */
  readonly ends: readonly LineStation[];
  readonly columns: number;
  readonly lanes: number;
}

export interface LineStory {
  readonly story_id: string;
  /** Null: the mode decides. */
  readonly depends_on: readonly string[] | null;
}

/** In a sequential run where no story names a dependency, each waits for the one before it. A cycle ends where it began. */
export function layoutLine(stories: readonly LineStory[], mode: Run['mode']): LineLayout {
  const needs = needsOf(stories, mode);
  const columns = new Map<string, number>();
  const columnOf = (id: string, trail: readonly string[]): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    const before = (needs.get(id) ?? []).filter((need) => !trail.includes(need));
    const column = Math.max(-1, ...before.map((need) => columnOf(need, [...trail, id]))) + 1;
    columns.set(id, column);
    return column;
  };
  const lanes = new Map<number, number>();
  const stations = stories.map(({ story_id: id }): LineStation => {
    const column = columnOf(id, []);
    const lane = lanes.get(column) ?? 0;
    lanes.set(column, lane + 1);
    return { id, column, lane };
  });
  const places = new Map(stations.map((station) => [station.id, station]));
  const rails = stations.flatMap((to) =>
    directNeeds(to.id, needs, columns).flatMap((need) => {
      const from = places.get(need);
      return from === undefined ? [] : [{ from, to }];
    }),
  );
  const needed = new Set(rails.map(({ from }) => from.id));
  return {
    stations,
    rails,
    ends: stations.filter(({ id }) => !needed.has(id)),
    columns: Math.max(0, ...stations.map(({ column }) => column + 1)),
    lanes: Math.max(0, ...lanes.values()),
  };
}

function needsOf(stories: readonly LineStory[], mode: Run['mode']): ReadonlyMap<string, readonly string[]> {
  const isChain = mode === 'sequential' && stories.every(({ depends_on }) => depends_on === null);
  const ids = new Set(stories.map(({ story_id }) => story_id));
  return new Map(
    stories.map(({ story_id, depends_on }, index) => {
      const before = stories[index - 1]?.story_id;
      if (isChain) return [story_id, before === undefined ? [] : [before]];
      return [story_id, (depends_on ?? []).filter((need) => ids.has(need) && need !== story_id)];
    }),
  );
}

/** The dependencies of a story, without those that follow from its other dependencies. */
function directNeeds(
  id: string,
  needs: ReadonlyMap<string, readonly string[]>,
  columns: ReadonlyMap<string, number>,
): readonly string[] {
  const own = (needs.get(id) ?? []).filter((need) => (columns.get(need) ?? 0) < (columns.get(id) ?? 0));
  return own.filter((need) => !own.some((other) => other !== need && reaches(other, need, needs, new Set())));
}

function reaches(
  from: string,
  wanted: string,
  needs: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  return (needs.get(from) ?? []).some((need) => need === wanted || reaches(need, wanted, needs, seen));
}
