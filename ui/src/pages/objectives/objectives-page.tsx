// The objectives of the tenant: how far each is, who answers for it, when it is due.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { useActions } from '../../keys/actions.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { objectiveStatsQuery, useObjectives } from './objective-data.ts';
import { createObjective } from './objective-actions.ts';
import { emptyObjective, newObjectiveBody } from './objective-draft.ts';
import { ObjectiveForm } from './objective-form.tsx';
import { ObjectiveTable } from './objective-table.tsx';
import { objectiveStatuses, type ObjectivesSearch } from './objectives-search.ts';

const permission = 'okr:read';

export function ObjectivesPage(): ReactNode {
  const lack = useLack(permission);
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return <ObjectiveList />;
}

function ObjectiveList(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/objectives' });
  const navigate = useNavigate();
  const lack = useLack('okr:write');
  const query = useObjectives(search);
  const { data: stats } = useQuery(objectiveStatsQuery);
  useRowKeys();
  const { status, owner, q } = search;
  useActions(
    useMemo(
      () => [
        {
          id: 'new-objective',
          label: words.newObjective,
          keys: 'a',
          group: 'page' as const,
          run: () => void navigate({ to: '/v1/monitor/objectives', search: { status, owner, q, add: true } }),
          disabledReason: lack,
        },
      ],
      [lack, navigate, status, owner, q],
    ),
  );
  const open = (add: true | undefined): void =>
    void navigate({ to: '/v1/monitor/objectives', search: { ...search, add } });
  return (
    <Page
      title={words.title}
      actions={
        <Button kind="primary" keys="a" disabledReason={lack} onClick={() => open(true)}>
          {words.newObjective}
        </Button>
      }
      below={
        <Tabs
          label={words.tabsLabel}
          current={search.status ?? 'all'}
          tabs={(['all', ...objectiveStatuses] as const).map((tab) => ({
            id: tab,
            label: tab === 'all' ? words.all : words.statuses[tab],
            count: tab === 'all' ? stats?.total : stats?.by_status[tab],
            link: { to: '/v1/monitor/objectives', search: { ...search, status: tab === 'all' ? undefined : tab } },
          }))}
        />
      }
    >
      <SearchForm key={search.q ?? ''} search={search} />
      <PagedAnswer query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <NoObjectives isFiltered={[status, owner, q].some((filter) => filter !== undefined)} />
          ) : (
            <div className="px-(--page)">
              <ObjectiveTable rows={rows} />
            </div>
          )
        }
      </PagedAnswer>
      {search.add === true && lack === undefined ? <NewObjective onClose={() => open(undefined)} /> : null}
    </Page>
  );
}

function NewObjective({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  return (
    <ObjectiveForm
      title={words.newObjective}
      initial={emptyObjective}
      submit={words.create}
      onClose={onClose}
      onSave={async (draft) => {
        const { okr_id: id } = await createObjective(newObjectiveBody(draft));
        await navigate({ to: '/v1/monitor/objectives/$id', params: { id } });
      }}
    />
  );
}

function SearchForm({ search }: { readonly search: ObjectivesSearch }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  return (
    <form
      role="search"
      data-search
      className="flex items-end gap-2 px-(--page) py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/v1/monitor/objectives', search: { ...search, q: text.trim() || undefined } });
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

function NoObjectives({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Empty text={words.emptyFiltered}>
        <Link to="/v1/monitor/objectives" search={{}} className={buttonClass()}>
          {words.showAll}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty text={words.empty}>
      <CodeLine
        text="switchyard okr create 'Checkouts are fast' --key-result 'median below 200 ms=800..200 ms'"
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
    </Empty>
  );
}
