// The schedules of the tenant: when each comes next, and how its runs went.
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
import { scheduleWords as words } from '../../words/en-schedules.ts';
import { useSchedules } from './schedule-data.ts';
import { createSchedule } from './schedule-actions.ts';
import { bodyOf, emptyDraft } from './schedule-draft.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import type { SchedulesSearch } from './schedules-search.ts';
import { useMayWrite } from './use-schedule-actions.ts';

const permission = 'cronjobs:read';
const tabs = ['all', 'on', 'off'] as const;

export function SchedulesPage(): ReactNode {
  const lack = useLack(permission);
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return <ScheduleList />;
}

function ScheduleList(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/schedules' });
  const navigate = useNavigate();
  const lack = useMayWrite();
  const query = useSchedules(search, true);
  useRowKeys();
  const { state, q } = search;
  useActions(
    useMemo(
      () => [
        {
          id: 'new-schedule',
          label: words.newSchedule,
          keys: 'a',
          group: 'page' as const,
          run: () => void navigate({ to: '/v1/monitor/schedules', search: { state, q, add: true } }),
          disabledReason: lack,
        },
      ],
      [lack, navigate, state, q],
    ),
  );
  const open = (add: true | undefined): void =>
    void navigate({ to: '/v1/monitor/schedules', search: { ...search, add } });
  return (
    <Page
      title={words.title}
      actions={
        <Button kind="primary" keys="a" disabledReason={lack} onClick={() => open(true)}>
          {words.newSchedule}
        </Button>
      }
      below={
        <Tabs
          label={words.tabsLabel}
          current={search.state ?? 'all'}
          tabs={tabs.map((tab) => ({
            id: tab,
            label: words.tabs[tab],
            link: { to: '/v1/monitor/schedules', search: { ...search, state: tab === 'all' ? undefined : tab } },
          }))}
        />
      }
    >
      <SearchForm key={search.q ?? ''} search={search} />
      <PagedAnswer query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <NoSchedules isFiltered={search.q !== undefined || search.state !== undefined} />
          ) : (
            <div className="px-(--page)">
              <ScheduleTable rows={rows} />
            </div>
          )
        }
      </PagedAnswer>
      {search.add === true && lack === undefined ? <NewSchedule onClose={() => open(undefined)} /> : null}
    </Page>
  );
}

function NewSchedule({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [initial] = useState(emptyDraft);
  // One key for the whole life of the form: a double click makes one schedule.
  const [key] = useState(() => crypto.randomUUID());
  return (
    <ScheduleForm
      title={words.newSchedule}
      initial={initial}
      submit={words.create}
      onClose={onClose}
      onSave={async (draft) => {
        const { cronjob_id: id } = await createSchedule(bodyOf(draft), key);
        await navigate({ to: '/v1/monitor/schedules/$id', params: { id } });
      }}
    />
  );
}

function SearchForm({ search }: { readonly search: SchedulesSearch }): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  return (
    <form
      role="search"
      data-search
      className="flex items-end gap-2 px-(--page) py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/v1/monitor/schedules', search: { ...search, q: text.trim() || undefined } });
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

function NoSchedules({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Empty text={words.emptyFiltered}>
        <Link to="/v1/monitor/schedules" search={{}} className={buttonClass()}>
          {words.showAll}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty text={words.empty}>
      <CodeLine
        text="switchyard cron create nightly '0 3 * * *' --prompt 'Run the tests.'"
        copyLabel={commonWords.copy}
        copiedLabel={commonWords.copied}
      />
    </Empty>
  );
}
