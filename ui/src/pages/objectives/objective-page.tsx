// The page of one objective: its key results, its open run as it goes, earlier runs, and its facts.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCodebaseName } from '../../data/fleet/fleet.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { KeyResults } from './key-results.tsx';
import { objectiveQuery, type Objective } from './objective-data.ts';
import { ObjectiveDialogs } from './objective-dialogs.tsx';
import { ObjectiveMark, ProgressBar } from './objective-marks.tsx';
import { ObjectiveRuns } from './objective-runs.tsx';
import { useObjectiveActions } from './use-objective-actions.ts';

const permission = 'okr:read';
const names = words.fact;

export function ObjectivePage(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const lack = useLack(permission);
  const query = useQuery({ ...objectiveQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedObjective okr={query.data} />;
  return (
    <Page title={words.title} focusKey={id}>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </Page>
  );
}

function LoadedObjective({ okr }: { readonly okr: Objective }): ReactNode {
  const { okr_id: id, objective, status, progress } = okr;
  const { actions, dialog, openDialog, closeDialog } = useObjectiveActions(okr);
  useRowKeys();
  return (
    <Page
      title={objective}
      focusKey={id}
      mark={<ObjectiveMark status={status} />}
      actions={
        <>
          {actions.map(({ id: action, label, kind, keys, disabledReason, run }) => (
            <Button key={action} kind={kind} keys={keys} disabledReason={disabledReason} onClick={run}>
              {label}
            </Button>
          ))}
          <CopyMenu
            link={`/v1/monitor/objectives/${id}`}
            id={id}
            call={{ method: 'GET', path: `/v1/okr/${id}` }}
            command={`switchyard okr show ${id}`}
            json={okr}
          />
        </>
      }
      below={
        <p className="flex items-center gap-3 pb-3">
          <span className="text-sm text-soft">{words.progress}</span>
          <ProgressBar progress={progress} wide />
        </p>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0">
          <Description okr={okr} />
          <KeyResults okr={okr} onAdd={() => openDialog('add')} />
          <ObjectiveRuns okr={okr} onCancel={() => openDialog('cancel-run')} />
        </div>
        <ObjectiveRail okr={okr} />
      </div>
      <ObjectiveDialogs okr={okr} dialog={dialog} onClose={closeDialog} />
    </Page>
  );
}

function Description({ okr: { description } }: { readonly okr: Objective }): ReactNode {
  if (description === null) return null;
  return (
    <p dir="auto" className="max-w-[72ch] px-(--page) pt-4 whitespace-pre-wrap">
      {cleanText(description)}
    </p>
  );
}

function ObjectiveRail({ okr }: { readonly okr: Objective }): ReactNode {
  const codebaseName = useCodebaseName();
  const { target_date: due, decided_by: decidedBy, decided_at: decidedAt, decision_reason: why } = okr;
  const { codebase_id: codebase, agent_type: agent } = okr.task_template ?? {};
  const facts: readonly Fact[] = [
    { name: names.owner, value: <FreeText text={okr.owner} /> },
    ...(due === null ? [] : [{ name: names.due, value: words.dueOn(due) }]),
    ...(okr.tags.length === 0 ? [] : [{ name: names.tags, value: <FreeText text={okr.tags.join(', ')} /> }]),
    ...(decidedBy === null || decidedAt === null
      ? []
      : [
          {
            name: okr.status === 'denied' ? names.deniedBy : names.approvedBy,
            value: <FreeText text={decidedBy} />,
          },
          { name: names.decided, value: <Ago at={decidedAt} /> },
        ]),
    ...(why === null ? [] : [{ name: names.why, value: <FreeText text={why} /> }]),
    ...(codebase === undefined ? [] : [{ name: names.codebase, value: <FreeText text={codebaseName(codebase)} /> }]),
    ...(agent === undefined ? [] : [{ name: names.agent, value: <FreeText text={agent} /> }]),
    { name: names.createdBy, value: <FreeText text={okr.created_by} /> },
    { name: names.created, value: <Ago at={okr.created_at} /> },
    { name: names.changed, value: <Ago at={okr.updated_at} /> },
    { name: names.id, value: <span className="font-mono text-xs break-all">{okr.okr_id}</span> },
  ];
  return (
    <div className="min-w-0 lg:border-s lg:border-line">
      <Section title={words.facts}>
        <Facts facts={facts} />
      </Section>
    </div>
  );
}
