// The filter as words: `status:failed codebase:web since:2d "log in"`, and back.
import type { TaskListSearch } from '../task-list-search.ts';

const names = [
  'status',
  'codebase',
  'worker',
  'agent',
  'target',
  'by',
  'since',
  'ended',
  'conversation',
  'run',
  'error',
  'sort',
] as const;
type Name = (typeof names)[number];

/** Names that people use for things that addresses name by their ids. */
export interface FilterNames {
  readonly nameOf: (filter: 'codebase' | 'worker', id: string) => string;
  readonly idOf: (filter: 'codebase' | 'worker', name: string) => string;
}

/** The words of a filter, as a person would type them. */
export function filterWords(search: TaskListSearch, { nameOf }: Pick<FilterNames, 'nameOf'>): string {
  const named = names.flatMap((name) => {
    const value = search[name];
    if (value === undefined) return [];
    return [`${name}:${quoted(name === 'codebase' || name === 'worker' ? nameOf(name, value) : value)}`];
  });
  return [...named, ...(search.steps === true ? ['steps:1'] : []), ...(search.q === undefined ? [] : [search.q])].join(
    ' ',
  );
}

/** Reads the words; what has no known name is searched for. The values are checked where the address is. */
export function parseFilterWords(text: string, { idOf }: Pick<FilterNames, 'idOf'>): Record<string, string> {
  const found: Record<string, string> = {};
  const free: string[] = [];
  for (const match of text.matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)) {
    const [whole, name = '', inQuotes, bare] = match;
    const value = inQuotes ?? bare ?? '';
    if (name === 'codebase' || name === 'worker') found[name] = idOf(name, value);
    else if (isName(name) || name === 'steps') found[name] = value;
    else free.push(name === '' ? value : whole);
  }
  if (free.length > 0) found['q'] = free.join(' ');
  return found;
}

function isName(name: string): name is Name {
  return names.some((known) => known === name);
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}
