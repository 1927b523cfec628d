// The audit entries of the task.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { ExactTime } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { useLack } from '../../session/use-me.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';

const columns = ['at', 'actor', 'action', 'outcome'] as const;

export function WhoPart({ task }: { readonly task: Task }): ReactNode {
  const lack = useLack('audit:read');
  const query = useQuery({
    queryKey: ['audit', 'task', task.id],
    queryFn: async () =>
      (await dataOf(api().POST('/v1/audit/query', { body: { task_id: task.id, limit: 100 } }))).events,
    enabled: lack === undefined,
  });
  if (lack !== undefined) return <Empty text={lack} />;
  return (
    <Answer query={query}>
      {(events) =>
        events.length === 0 ? (
          <Empty text={words.noWho} />
        ) : (
          <div className="overflow-x-auto p-(--page)" tabIndex={0} role="region" aria-label={words.whoTable}>
            <table className="w-full text-sm">
              <thead>
                <tr className="border-b border-edge text-start text-xs text-soft">
                  {columns.map((column) => (
                    <th key={column} scope="col" className="py-1 pe-4 text-start font-normal">
                      {words.whoColumns[column]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {events.map((event) => (
                  <tr key={event.id} className="border-b border-line">
                    <td className="py-1.5 pe-4">
                      <ExactTime at={event.timestamp} />
                    </td>
                    <td className="py-1.5 pe-4">
                      <FreeText text={event.actor} />
                    </td>
                    <td className="py-1.5 pe-4 font-mono text-xs">{event.action}</td>
                    <td className={`py-1.5 ${event.outcome === 'success' ? '' : 'text-bad'}`}>{event.outcome}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Answer>
  );
}
