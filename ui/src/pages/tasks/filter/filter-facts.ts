// The filters of the list as facts: what each narrows, by the names that people know.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { codebasesQuery, shortId, workersQuery } from '../../../data/fleet/fleet.ts';
import { useMe } from '../../../session/use-me.ts';
import { commonWords } from '../../../words/en-common.ts';
import { taskListWords as words } from '../../../words/tasks/en-tasks.ts';
import { statuses, type TaskListSearch } from '../task-list-search.ts';
import type { FilterNames } from './filter-words.ts';

/** Filters that narrow the list, in the order in which they are shown. */
const narrowing = [
  'status',
  'q',
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
  'steps',
] as const satisfies readonly (keyof TaskListSearch)[];
export type NarrowingFilter = (typeof narrowing)[number];

export interface FilterFact {
  readonly filter: NarrowingFilter;
  readonly text: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface FilterThings extends FilterNames {
  readonly codebases: readonly Named[];
  readonly workers: readonly Named[];
  /** Types of agents that workers have. */
  readonly agents: readonly string[];
}

/** The things that filters name, as far as the caller may read them. */
export function useFilterThings(): FilterThings {
  const may = useMe()?.permissions ?? [];
  const codebases = useQuery({ ...codebasesQuery(), enabled: may.includes('codebases:read') }).data;
  const workers = useQuery({ ...workersQuery(), enabled: may.includes('workers:read') }).data;
  return useMemo(() => {
    const known = {
      codebase: codebases?.map(({ codebase_id: id, name }) => ({ id, name })) ?? [],
      worker: workers?.map(({ worker_id: id, name }) => ({ id, name })) ?? [],
    };
    return {
      codebases: known.codebase,
      workers: known.worker,
      agents: [...new Set(workers?.flatMap(({ agents }) => agents))].toSorted(),
      nameOf: (filter, id) => uniqueName(known[filter], id) ?? id,
      idOf: (filter, name) =>
        known[filter].find((thing) => thing.id === name)?.id ??
        known[filter].find((thing) => thing.name.toLowerCase() === name.toLowerCase())?.id ??
        name,
    };
  }, [codebases, workers]);
}

/** A name that two things have leads to neither. */
function uniqueName(things: readonly Named[], id: string): string | undefined {
  const name = things.find((thing) => thing.id === id)?.name;
  return things.filter((thing) => thing.name === name).length === 1 ? name : undefined;
}

/** The filters that narrow the list now. */
export function filterFacts(search: TaskListSearch, { nameOf }: FilterNames): readonly FilterFact[] {
  return narrowing.flatMap((filter) => {
    const value = search[filter];
    if (value === undefined) return [];
    return [{ filter, text: words.chip(words.filters[filter], textOf(filter, String(value), nameOf)) }];
  });
}

function textOf(filter: NarrowingFilter, value: string, nameOf: FilterNames['nameOf']): string {
  switch (filter) {
    case 'status':
      return statuses
        .filter((status) => value.split(',').includes(status))
        .map((status) => commonWords.states[status])
        .join(', ');
    case 'codebase':
    case 'worker': {
      const name = nameOf(filter, value);
      return name === value ? shortId(value) : name;
    }
    case 'since':
      return words.sinceOf(value);
    case 'run':
      return shortId(value);
    case 'steps':
      return words.included;
    default:
      return value;
  }
}
