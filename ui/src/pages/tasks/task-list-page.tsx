// The list of tasks: tabs by state, a filter, rows as far as one scrolls, a selection.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { useCodebaseName, useWorkerName } from '../../data/fleet.ts';
import { Page } from '../../frame/page.tsx';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { commonWords } from '../../words/en-common.ts';
import { number } from '../../words/catalogue.ts';
import { taskListWords as words } from '../../words/en-tasks.ts';
import { ExportMenu } from './export-menu.tsx';
import { ListFilter } from './list-filter.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { filterOf, isUnfiltered, tabNames, tabOf, tabs, type Tab, type TaskFilter } from './task-list-search.ts';
import { TaskListHead, TaskRow } from './task-row.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useSelection } from './use-selection.ts';
import { useTaskList } from './use-task-list.ts';

export function TaskListPage(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/tasks' });
  const filter = useMemo(() => filterOf(search), [search]);
  const [isAtTop, setAtTop] = useState(true);
  const { query, tasks, news, reload } = useTaskList(filter, isAtTop && isUnfiltered(search));
  const counts = useCounts(filter);
  const workerName = useWorkerName();
  const codebaseName = useCodebaseName();
  const selection = useSelection(tasks);
  const [current, setCurrent] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onScroll = (): void => setAtTop(scrollY < 40);
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  const isWide = useMedia('(min-width: 1101px) and (pointer: fine)');
  const rows = useWindowVirtualizer({
    count: tasks.length,
    // Rows of a wide window have one height; measuring each would cost a layout a row.
    estimateSize: () => (isWide ? wideRow : narrowRow),
    overscan: 4,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => tasks[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= tasks.length - 40) void fetchNextPage();
  }, [last, tasks.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useListKeys({
    tasks,
    current,
    focusRow: (index) => {
      setCurrent(index);
      rows.scrollToIndex(index, { align: 'auto' });
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus());
    },
    selectAll: selection.selectAll,
    select: (index) => selection.toggle(index, !selection.ids.has(tasks[index]?.id ?? ''), false),
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
      <ListFilter search={search} />
      <SelectionBar selection={selection} filter={filter} tasks={tasks} fitting={fittingOf(counts, search.status)} />
      {news.fresh + news.changed === 0 ? null : (
        <div className="sticky top-14 z-10 flex justify-center">
          <Button kind="primary" onClick={reload}>
            {words.news(news.fresh, news.changed)}
          </Button>
        </div>
      )}
      {query.data === undefined ? <Waiting query={query} rows={12} /> : null}
      {query.isSuccess && tasks.length === 0 ? <EmptyList isFiltered={!isUnfiltered(search)} /> : null}
      <div
        role="table"
        aria-label={words.tableName}
        aria-rowcount={hasNextPage ? -1 : tasks.length + 1}
        className={tasks.length === 0 ? 'hidden' : ''}
      >
        <TaskListHead />
        <div ref={list} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const task = tasks[item.index];
            if (task === undefined) return null;
            return (
              <div
                key={item.key}
                ref={isWide ? undefined : rows.measureElement}
                data-index={item.index}
                role="presentation"
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start - rows.options.scrollMargin}px)` }}
              >
                <TaskRow
                  task={task}
                  workerName={task.worker_id === null ? undefined : workerName(task.worker_id)}
                  codebaseName={task.codebase_id === null ? undefined : codebaseName(task.codebase_id)}
                  index={item.index}
                  isSelected={selection.ids.has(task.id)}
                  isCurrent={current === item.index}
                  onSelect={selection.toggle}
                  onFocus={setCurrent}
                />
              </div>
            );
          })}
        </div>
      </div>
      {query.isSuccess && !hasNextPage && tasks.length > 20 ? (
        <p className="p-(--page) text-sm text-soft">{words.end}</p>
      ) : null}
      {isFetchingNextPage ? <p className="p-(--page) text-sm text-soft">{commonWords.loading}</p> : null}
    </Page>
  );
}

/** Heights with their lines. */
const wideRow = 33;
const narrowRow = 61;

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

function EmptyList({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const navigate = useNavigate();
  if (isFiltered) {
    return (
      <Empty text={words.emptyFiltered}>
        <Button onClick={() => void navigate({ to: '/v1/monitor/tasks', search: {} })}>{words.tabs.all}</Button>
      </Empty>
    );
  }
  return (
    <Empty text={words.empty}>
      <CodeLine
        text={'switchyard task create --prompt "Say hello"'}
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
    </Empty>
  );
}
