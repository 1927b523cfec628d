// The codebases of the tenant: where they lie, who has them, what is open in them.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { Codebase } from '../../data/fleet/fleet.ts';
import { Page } from '../../frame/page.tsx';
import { useActions } from '../../keys/actions.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { commonWords } from '../../words/en-common.ts';
import { AddDialog } from './add-dialog.tsx';
import { CodebaseTable } from './codebase-table.tsx';
import { RegistrationTask } from './registration-task.tsx';

const permission = 'codebases:read';
const pageSize = 50;

export function CodebasesPage(): ReactNode {
  const lack = useLack(permission);
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return <CodebaseList />;
}

function CodebaseList(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/codebases' });
  const navigate = useNavigate();
  const { q: wanted } = search;
  const lack = useLack('codebases:write');
  const show = (add: true | undefined, task?: string): void =>
    void navigate({ to: '/v1/monitor/codebases', search: { q: search.q, add, task } });
  const query = useInfiniteQuery({
    queryKey: ['codebases', 'pages'],
    initialPageParam: '',
    queryFn: async ({ pageParam }) =>
      dataOf(
        api().GET('/v1/agent/codebases', { params: { query: { limit: pageSize, cursor: pageParam || undefined } } }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const all = query.data?.pages.flatMap((page) => page.codebases) ?? [];
  const shown = all.filter((codebase) => fits(codebase, search.q ?? ''));
  useRowKeys();
  useActions(
    useMemo(
      () => [
        {
          id: 'add-codebase',
          label: words.add,
          group: 'page' as const,
          run: () => void navigate({ to: '/v1/monitor/codebases', search: { q: wanted, add: true } }),
          disabledReason: lack,
        },
      ],
      [lack, navigate, wanted],
    ),
  );
  return (
    <Page
      title={words.title}
      actions={
        <Button kind="primary" disabledReason={lack} onClick={() => show(true)}>
          {words.add}
        </Button>
      }
    >
      {search.task === undefined ? null : <RegistrationTask id={search.task} onClose={() => show(undefined)} />}
      {query.data === undefined ? <Waiting query={query} /> : null}
      {query.isSuccess && all.length === 0 ? <NoCodebases /> : null}
      {all.length === 0 ? null : (
        <div className="px-(--page) py-3">
          <div role="search" data-search className="mb-3 max-w-[40ch]">
            <TextField
              label={words.filter}
              hideLabel
              type="search"
              value={search.q ?? ''}
              placeholder={words.filterPlaceholder}
              onChange={(q) =>
                void navigate({
                  to: '/v1/monitor/codebases',
                  search: { ...search, q: q === '' ? undefined : q },
                  replace: true,
                })
              }
            />
          </div>
          {shown.length === 0 ? <p className="text-soft">{words.emptyFiltered}</p> : <CodebaseTable rows={shown} />}
          {query.hasNextPage ? (
            <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {commonWords.loadMore}
            </Button>
          ) : null}
        </div>
      )}
      {search.add === true ? (
        <AddDialog onClose={() => show(undefined)} onPending={(task) => show(undefined, task)} />
      ) : null}
    </Page>
  );
}

function fits({ name, path }: Codebase, q: string): boolean {
  return `${name}\n${path}`.toLowerCase().includes(q.trim().toLowerCase());
}

function NoCodebases(): ReactNode {
  return (
    <Empty text={words.empty}>
      <CodeLine text="switchyard up" copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
    </Empty>
  );
}
