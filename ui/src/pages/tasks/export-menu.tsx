// Exports the tasks that fit the filter of the list as a file.
import type { ReactNode } from 'react';
import { downloadCall } from '../../api/download.ts';
import { api } from '../../api/api.ts';
import { Menu } from '../../parts/controls/menu.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { taskListWords as words } from '../../words/tasks/en-tasks.ts';
import type { TaskFilter } from './task-list-search.ts';

export function ExportMenu({ filter }: { readonly filter: TaskFilter }): ReactNode {
  // An export has the order of creation.
  const { sort: _sort, ...rest } = filter;
  const params = { query: { what: 'tasks' as const, ...rest } };
  const csv = (): Promise<void> =>
    downloadCall('tasks.csv', api().GET('/v1/monitor/export.csv', { params, parseAs: 'blob' }));
  const json = (): Promise<void> =>
    downloadCall('tasks.json', api().GET('/v1/monitor/export.json', { params, parseAs: 'blob' }));
  return (
    <Menu
      label={words.export}
      entries={[
        { id: 'csv', label: words.csv, onSelect: () => void csv().catch(notifyError) },
        { id: 'json', label: words.json, onSelect: () => void json().catch(notifyError) },
      ]}
    />
  );
}
