// Compares tasks, or attempts of one task: facts as columns, files as rows, patches side by side.
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { compareWords as words } from '../../words/tasks/en-compare.ts';
import { useColumns } from './columns.ts';
import { CompareFacts } from './compare-facts.tsx';
import { CompareFiles } from './compare-files.tsx';

export function ComparePage(): ReactNode {
  const lack = useLack('tasks:read');
  return lack === undefined ? <Comparison /> : <NoRead title={words.title} permission="tasks:read" />;
}

function Comparison(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/compare' });
  const { columns, unanswered } = useColumns(search);
  const error = unanswered?.error;
  if (error instanceof ApiError && error.status === 404) return <NotFound id={search.task ?? search.ids} />;
  return (
    <Page title={words.title} focusKey="compare">
      {unanswered !== undefined ? (
        <Waiting query={unanswered} rows={10} />
      ) : columns.length < 2 ? (
        <Empty text={words.nothing}>
          <Link to="/v1/monitor/tasks" className="text-accent underline">
            {words.toTheList}
          </Link>
        </Empty>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-(--page)">
          <CompareFacts columns={columns} />
          <CompareFiles columns={columns} file={search.file} />
        </div>
      )}
    </Page>
  );
}
