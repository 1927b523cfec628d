// How many tasks of each codebase are open, and when something last happened in it.
import { useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import { taskListQuery } from '../tasks/task-lists.ts';

export interface CodebaseActivity {
  readonly open: number | undefined;
  readonly at: string | null | undefined;
}

const read = 200;
const openStatuses = ['pending', 'running', 'needs_input'] as const;
const staleMs = 30_000;

/**
 * Two reads are enough for a tenant with few open tasks; of what they do not hold, each codebase is asked for by itself.
 * @returns for an id its open tasks and its last change; undefined until that is known, null when there is none
 */
export function useCodebaseActivity(ids: readonly string[], isOn: boolean): (id: string) => CodebaseActivity {
  const open = useQuery({ ...taskListQuery({ status: [...openStatuses], limit: read }), enabled: isOn });
  const latest = useQuery({ ...taskListQuery({ sort: 'updated', limit: read }), enabled: isOn });
  const isOpenCut = (open.data?.length ?? 0) >= read;
  const isLatestCut = (latest.data?.length ?? 0) >= read;
  const counts = useQueries({
    queries: ids.map((codebase_id) => ({
      queryKey: ['counts', { codebase_id, status: openStatuses }],
      queryFn: () => openCount(codebase_id),
      enabled: isOn && isOpenCut,
      staleTime: staleMs,
    })),
  });
  const lasts = useQueries({
    queries: ids.map((codebase_id) => ({
      ...taskListQuery({ codebase_id, sort: 'updated', limit: 1 }),
      enabled: isOn && isLatestCut && latest.data?.every((task) => task.codebase_id !== codebase_id) === true,
    })),
  });
  return (id) => {
    const index = ids.indexOf(id);
    const known = latest.data?.find(({ codebase_id }) => codebase_id === id)?.updated_at;
    const asked = lasts[index]?.data;
    return {
      open: isOpenCut ? counts[index]?.data : open.data?.filter(({ codebase_id }) => codebase_id === id).length,
      at:
        known ??
        (isLatestCut
          ? asked === undefined
            ? undefined
            : (asked[0]?.updated_at ?? null)
          : latest.data === undefined
            ? undefined
            : null),
    };
  };
}

async function openCount(codebase_id: string): Promise<number> {
  const query = { codebase_id, status: [...openStatuses] };
  const { counts } = await dataOf(api().GET('/v1/monitor/counts', { params: { query } }));
  return Object.values(counts).reduce((sum, value) => sum + value, 0);
}
