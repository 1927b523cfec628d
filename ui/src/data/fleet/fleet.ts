// Workers and codebases, whose names many pages show.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';
import { useMe } from '../../session/use-me.ts';
import { cleanTitle } from '../../text/clean.ts';

export type Worker = Schemas['Worker'];
export type Codebase = Schemas['Codebase'];

/** Workers have few events: they are read again this often while a page shows them. */
const workersMs = 10_000;
const longestList = 200;

export function workersQuery() {
  return queryOptions({
    queryKey: ['workers'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/workers', { params: { query: { limit: longestList } } }))).workers,
    refetchInterval: workersMs,
  });
}

export function codebasesQuery() {
  return queryOptions({
    queryKey: ['codebases'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/agent/codebases', { params: { query: { limit: longestList } } }))).codebases,
    staleTime: 30_000,
  });
}

/** The registered codebases; `global`, which is none, is left out: a run and a PRD need a repository. */
export function useRepositories(): readonly Codebase[] {
  const { data = [] } = useQuery(codebasesQuery());
  return data.filter(({ codebase_id }) => codebase_id !== 'global');
}

/** The names of workers by id, cleaned; an unknown one gets the end of its id. */
export function useWorkerName(): (id: string) => string {
  const mayRead = useMe()?.permissions.includes('workers:read') === true;
  const { data } = useQuery({ ...workersQuery(), enabled: mayRead });
  return (id) => cleanTitle(data?.find(({ worker_id }) => worker_id === id)?.name ?? shortId(id));
}

/** The names of codebases by id, cleaned. */
export function useCodebaseName(): (id: string) => string {
  const mayRead = useMe()?.permissions.includes('codebases:read') === true;
  const { data } = useQuery({ ...codebasesQuery(), enabled: mayRead });
  return (id) => cleanTitle(data?.find(({ codebase_id }) => codebase_id === id)?.name ?? shortId(id));
}

/** The end of an id: ids of one minute begin alike. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id;
}
