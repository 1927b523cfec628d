// The order of stories and what each of them waits for: which stories may start is decided from this. runs-5.
import type { PrdStory } from '../model/prd/prd.ts';

type Ordered = Pick<PrdStory, 'priority'>;
type Dependent = Pick<PrdStory, 'id' | 'dependsOn'>;

/** The order in which a run works on its stories. */
type StoryMode = 'sequential' | 'parallel';

/** The stories by priority, lower first; those without one last; else in the document's order. */
export function orderStories<T extends Ordered>(stories: readonly T[]): readonly T[] {
  return stories.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The ids that each story waits for, by its id. In sequential mode, where no story names a dependency, a story that does not
 * declare any depends on all before it, so a failed one ends the run. Otherwise undeclared means independent. A declared
 * empty list means independent in both modes.
 */
export function effectiveDependencies(
  stories: readonly (Dependent & Ordered)[],
  mode: StoryMode,
): ReadonlyMap<string, readonly string[]> {
  const ordered = orderStories(stories);
  const chained = mode === 'sequential' && stories.every(({ dependsOn }) => (dependsOn ?? []).length === 0);
  const ids = ordered.map(({ id }) => id);
  return new Map(
    ordered.map(({ id, dependsOn }, index) => [
      id,
      dependsOn === null ? (chained ? ids.slice(0, index) : []) : [...new Set(dependsOn)],
    ]),
  );
}

/** Each declared dependency on a story that is not there. */
export function findUnknownDependencies(
  stories: readonly Dependent[],
): { readonly story: number; readonly entry: number; readonly id: string }[] {
  const known = new Set(stories.map(({ id }) => id));
  return stories.flatMap(({ dependsOn }, story) =>
    (dependsOn ?? []).flatMap((id, entry) => (known.has(id) ? [] : [{ story, entry, id }])),
  );
}

/** The ids of one cycle of declared dependencies, its first id once more at its end; undefined without a cycle. */
export function findDependencyCycle(stories: readonly Dependent[]): readonly string[] | undefined {
  const next = new Map(stories.map(({ id, dependsOn }) => [id, dependsOn ?? []]));
  const done = new Set<string>();
  for (const { id } of stories) {
    const cycle = cycleFrom(id, next, done, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Recursion is at most as deep as there are stories: 100. */
function cycleFrom(
  id: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  path: readonly string[],
): readonly string[] | undefined {
  const begin = path.indexOf(id);
  if (begin !== -1) return [...path.slice(begin), id];
  if (done.has(id)) return undefined;
  for (const dependency of next.get(id) ?? []) {
    const cycle = cycleFrom(dependency, next, done, [...path, id]);
    if (cycle !== undefined) return cycle;
  }
  done.add(id);
  return undefined;
}

function rank({ priority }: Ordered): number {
  return priority ?? Number.MAX_SAFE_INTEGER;
}
