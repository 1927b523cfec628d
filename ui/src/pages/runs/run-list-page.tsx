// The list of autonomous runs, and of the PRD chats that may become one.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { runsQuery, type Run } from '../../data/runs/runs.ts';
import { Page } from '../../frame/page.tsx';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { PrdChats } from './list/prd-chats.tsx';
import { RunsOff } from './list/runs-off.tsx';
import { RunListHead, RunRow } from './list/run-row.tsx';
import type { RunsSearch } from './runs-search.ts';
import { useRunKeys } from './use-run-keys.ts';

const tabs = ['all', 'running', 'needs_input', 'paused', 'failed', 'completed'] as const;

export function RunListPage(): ReactNode {
  const lack = useLack('ralph:read');
  if (lack !== undefined) return <NoRead title={words.title} permission="ralph:read" />;
  return <RunList />;
}

function RunList(): ReactNode {
  const search = useSearch({ from: '/dashboard/ralph' });
  const query = useInfiniteQuery(runsQuery(search));
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? [];
  useRunKeys();
  return (
    <Page
      title={words.title}
      actions={
        <Link to="/dashboard/ralph/new" className={buttonClass('primary')}>
          {words.newRun}
        </Link>
      }
      below={
        <>
          <RunsOff />
          <Tabs
            label={words.tabsLabel}
            current={search.status ?? 'all'}
            tabs={tabs.map((tab) => ({
              id: tab,
              label: words.tabs[tab],
              link: {
                to: '/dashboard/ralph',
                search: { ...search, status: tab === 'all' ? undefined : tab },
              },
            }))}
          />
        </>
      }
    >
      <RunSearchForm key={search.q ?? ''} search={search} />
      {query.data === undefined ? <Waiting query={query} rows={8} /> : null}
      {query.isSuccess && runs.length === 0 ? (
        <EmptyRuns isFiltered={search.q !== undefined || search.status !== undefined} />
      ) : null}
      {runs.length === 0 ? null : <RunTable runs={runs} />}
      {query.hasNextPage ? (
        <p className="p-(--page)">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.loadMore}
          </Button>
        </p>
      ) : null}
      <PrdChats />
    </Page>
  );
}

function RunSearchForm({ search }: { readonly search: RunsSearch }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  return (
    <form
      data-filter
      className="flex items-end gap-2 px-(--page) py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/dashboard/ralph', search: { ...search, q: text.trim() || undefined } });
      }}
    >
      <TextField
        className="max-w-md flex-1"
        label={words.search}
        hideLabel
        type="search"
        placeholder={words.search}
        value={text}
        onChange={setText}
      />
      <Button type="submit">{words.searchDo}</Button>
    </form>
  );
}

function RunTable({ runs }: { readonly runs: readonly Run[] }): ReactNode {
  return (
    <div role="table" aria-label={words.tableName}>
      <RunListHead />
      <div role="rowgroup">
        {runs.map((run) => (
          <RunRow key={run.run_id} run={run} />
        ))}
      </div>
    </div>
  );
}

function EmptyRuns({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Empty text={words.emptyFiltered}>
        <Link to="/dashboard/ralph" search={{}} className={buttonClass()}>
          {words.showAll}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty text={words.empty}>
      <CodeLine
        text="switchyard ralph run prd.yaml --watch"
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
    </Empty>
  );
}
