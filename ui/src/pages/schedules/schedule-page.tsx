// The page of one schedule: its next five times, its runs, and its facts.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanTitle } from '../../text/clean.ts';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import { NextTimeList } from './next-times.tsx';
import { scheduleQuery, type Schedule } from './schedule-data.ts';
import { changeSchedule, deleteSchedule } from './schedule-actions.ts';
import { bodyOf, draftOf } from './schedule-draft.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleMark } from './schedule-marks.tsx';
import { ScheduleRail } from './schedule-rail.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';
import { useMayWrite, useScheduleActions } from './use-schedule-actions.ts';

const permission = 'cronjobs:read';

export function SchedulePage(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const lack = useLack(permission);
  const query = useQuery({ ...scheduleQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedSchedule schedule={query.data} />;
  return (
    <Page title={words.title} focusKey={id}>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </Page>
  );
}

function LoadedSchedule({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const { cronjob_id: id, name } = schedule;
  const { status, edit } = useSearch({ from: '/v1/monitor/schedules/$id' });
  const navigate = useNavigate();
  const lack = useMayWrite();
  const { actions, isRemoving, closeDialog } = useScheduleActions(schedule);
  useRowKeys();
  const closeForm = (): void =>
    void navigate({ to: '/v1/monitor/schedules/$id', params: { id }, search: { status }, resetScroll: false });
  return (
    <Page
      title={name}
      focusKey={id}
      mark={<ScheduleMark schedule={schedule} />}
      actions={
        <>
          {actions.map(({ id: action, label, kind, keys, disabledReason, run }) => (
            <Button key={action} kind={kind} keys={keys} disabledReason={disabledReason} onClick={run}>
              {label}
            </Button>
          ))}
          <CopyMenu
            link={`/v1/monitor/schedules/${id}`}
            id={id}
            call={{ method: 'GET', path: `/v1/cronjobs/${id}` }}
            command={`switchyard cron show ${id}`}
            json={schedule}
          />
        </>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0">
          <LastError schedule={schedule} />
          <NextTimes schedule={schedule} />
          <ScheduleRuns id={id} status={status} />
        </div>
        <ScheduleRail schedule={schedule} />
      </div>
      {edit === true && lack === undefined ? (
        <ScheduleForm
          title={words.editSchedule(name)}
          initial={draftOf(schedule)}
          submit={words.save}
          onClose={closeForm}
          onSave={async (draft) => {
            const { description = null, ...body } = bodyOf(draft, schedule.task_template);
            await changeSchedule(id, { ...body, description, version: schedule.version }, words.saved);
            closeForm();
          }}
        />
      ) : null}
      {isRemoving ? (
        <AskFirst
          title={words.removeTitle(cleanTitle(name))}
          text={words.removeText}
          keep={words.keepIt}
          action={words.remove}
          onClose={closeDialog}
          onDo={async () => {
            await deleteSchedule(id);
            await navigate({ to: '/v1/monitor/schedules' });
            await queryClient.invalidateQueries({ queryKey: ['schedules'] });
          }}
        />
      ) : null}
    </Page>
  );
}

/** The last one that a run left behind; a later success does not take it away. */
function LastError({ schedule: { last_error: error } }: { readonly schedule: Schedule }): ReactNode {
  if (error === null) return null;
  return (
    <Section title={words.lastError}>
      <p className="rounded-sm border border-bad bg-paper p-3">
        <FreeText text={error.message} /> <span className="text-sm text-soft">{error.code}</span>
      </p>
    </Section>
  );
}

function NextTimes({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const { cron, timezone, enabled, starts_at, ends_at, next_due_at, jitter_seconds } = schedule;
  // The stored time is the next one: those after it are computed.
  const from = next_due_at === null ? starts_at : new Date(Date.parse(next_due_at) - 1).toISOString();
  return (
    <Section title={words.nextTimes}>
      {enabled ? null : <p className="mb-2 text-soft">{words.offTimes}</p>}
      {enabled && next_due_at === null ? (
        <p className="text-soft">{words.noNextTimes}</p>
      ) : (
        <div className="max-w-[56ch]">
          <NextTimeList cron={cron} timezone={timezone} from={from ?? undefined} until={ends_at} />
        </div>
      )}
      {jitter_seconds === 0 ? null : <p className="mt-2 text-sm text-soft">{words.jitter(jitter_seconds)}</p>}
    </Section>
  );
}
