// The list of tasks: tabs by state, a filter, rows as far as one scrolls, a selection.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { noteOpenedList } from '../../data/tasks/opened-list.ts';
import { Page } from '../../frame/page.tsx';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { commonWords } from '../../words/en-common.ts';
import { number } from '../../words/catalogue.ts';
import { taskListWords as words } from '../../words/tasks/en-tasks.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterChips } from './filter/filter-chips.tsx';
import { ListFilter } from './filter/list-filter.tsx';
import { useListKeys } from './rows/use-list-keys.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { useSelection } from './selection/use-selection.ts';
import {
  taskFilterOf,
  isUnfiltered,
  tabNames,
  tabOf,
  tabs,
  type Tab,
  type TaskFilter,
  type TaskListSearch,
} from './task-list-search.ts';
import { TaskRows, type TaskRowsHandle } from './rows/task-rows.tsx';
import { useTaskList } from './use-task-list.ts';

/** Pixels within which the list stands at its top. */
const topPixels = 40;

export function TaskListPage(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/tasks' });
  const filter = useMemo(() => taskFilterOf(search), [search]);
  const isAtTop = useIsAtTop();
  const { query, tasks, news, reload } = useTaskList(filter, isAtTop && isUnfiltered(search));
  const counts = useCounts(filter);
  const fitting = fittingOf(counts, search.status);
  const selection = useSelection(tasks);
  const [current, setCurrent] = useState(-1);
  const table = useRef<TaskRowsHandle>(null);
  useEffect(() => noteOpenedList(tasks.map(({ id }) => id)), [tasks]);
  useListKeys({
    tasks,
    current,
    focusRow: (index) => {
      setCurrent(index);
      table.current?.focusRow(index);
    },
    selectAll: selection.selectAll,
    select: (index, isRange) => selection.toggle(index, isRange || !selection.ids.has(tasks[index]?.id ?? ''), isRange),
  });
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ExportMenu filter={filter} />
          <Link to="/v1/monitor/tasks/new" className={buttonClass('primary')}>
            {words.newTask}
          </Link>
        </>
      }
      below={<StateTabs counts={counts} current={tabOf(search)} />}
    >
      <ListFilter search={search} fitting={fitting} />
      <SelectionBar selection={selection} filter={filter} tasks={tasks} fitting={fitting} />
      {news.fresh + news.changed === 0 ? null : (
        <div className="sticky top-14 z-10 flex justify-center">
          <Button
            kind="primary"
            onClick={() => {
              reload();
              scrollTo(0, 0);
            }}
          >
            {words.news(news.fresh, news.changed)}
          </Button>
        </div>
      )}
      {query.data === undefined ? <Waiting query={query} rows={12} /> : null}
      {query.isSuccess && tasks.length === 0 ? <EmptyList search={search} /> : null}
      {tasks.length === 0 ? null : (
        <TaskRows
          ref={table}
          query={query}
          tasks={tasks}
          selection={selection}
          current={current}
          onCurrent={setCurrent}
        />
      )}
      {query.isSuccess && !query.hasNextPage && tasks.length > 20 ? (
        <p className="p-(--page) text-sm text-soft">{words.end}</p>
      ) : null}
      {query.isFetchingNextPage ? <p className="p-(--page) text-sm text-soft">{commonWords.loading}</p> : null}
    </Page>
  );
}

function useIsAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const onScroll = (): void => setAtTop(scrollY < topPixels);
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  return isAtTop;
}

interface Counts {
  readonly counts: Readonly<Record<string, number>>;
  readonly capped: boolean;
}

/** How many tasks fit the filter by status, up to a bound that the service sets. */
function useCounts(filter: TaskFilter): Counts | undefined {
  const { status: _status, sort: _sort, ...rest } = filter;
  return useQuery({
    queryKey: ['counts', rest],
    queryFn: async (): Promise<Counts> => dataOf(api().GET('/v1/monitor/counts', { params: { query: rest } })),
    staleTime: 5_000,
  }).data;
}

function countOf(counts: Counts | undefined, status: string | undefined): number | undefined {
  if (counts === undefined) return undefined;
  const wanted = status?.split(',');
  return Object.entries(counts.counts)
    .filter(([name]) => wanted?.includes(name) ?? true)
    .reduce((sum, [, value]) => sum + value, 0);
}

function fittingOf(counts: Counts | undefined, status: string | undefined): string | undefined {
  const value = countOf(counts, status);
  return value === undefined ? undefined : `${number(value)}${counts?.capped === true ? '+' : ''}`;
}

function StateTabs({
  counts,
  current,
}: {
  readonly counts: Counts | undefined;
  readonly current: Tab | undefined;
}): ReactNode {
  return (
    <Tabs
      label={words.tabsLabel}
      current={current ?? ''}
      tabs={tabNames.map((tab) => ({
        id: tab,
        label: words.tabs[tab],
        count: fittingOf(counts, tabs[tab]),
        link: { to: '/v1/monitor/tasks', search: (before) => ({ ...before, status: tabs[tab] }) },
      }))}
    />
  );
}

function EmptyList({ search }: { readonly search: TaskListSearch }): ReactNode {
  const navigate = useNavigate();
  if (!isUnfiltered(search)) {
    return (
      <Empty text={words.emptyFiltered}>
        <div className="flex flex-wrap items-center gap-3">
          <FilterChips search={search} />
          <Button kind="quiet" onClick={() => void navigate({ to: '/v1/monitor/tasks', search: {} })}>
            {words.dropAll}
          </Button>
        </div>
      </Empty>
    );
  }
  return (
    <Empty text={words.empty}>
      <CodeLine text={words.emptyCommand} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
    </Empty>
  );
}
