// The runs of an objective: the open one as it goes, and what earlier ones reported.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Age, Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { objectiveWords as words } from '../../words/en-objectives.ts';
import { openRunQuery, useObjectiveRuns, type Objective, type ObjectiveRun, type RunItem } from './objective-data.ts';
import { ItemMark, ObjectiveRunMark } from './objective-marks.tsx';

export function ObjectiveRuns({
  okr,
  onCancel,
}: {
  readonly okr: Objective;
  readonly onCancel: () => void;
}): ReactNode {
  const query = useObjectiveRuns(okr.okr_id, okr.open_run_id);
  return (
    <>
      {okr.open_run_id === null ? null : <OpenRun okr={okr} runId={okr.open_run_id} onCancel={onCancel} />}
      <Section title={words.runs}>
        <PagedAnswer query={query}>
          {(runs) => <RunList okr={okr} runs={runs.filter(({ run_id }) => run_id !== okr.open_run_id)} />}
        </PagedAnswer>
      </Section>
    </>
  );
}

function OpenRun({
  okr,
  runId,
  onCancel,
}: {
  readonly okr: Objective;
  readonly runId: string;
  readonly onCancel: () => void;
}): ReactNode {
  const lack = useLack('okr:write');
  const { data: run } = useQuery(openRunQuery(okr.okr_id, runId));
  return (
    <Section
      title={words.openRun}
      aside={
        <>
          {run === undefined ? null : (
            <>
              <ObjectiveRunMark status={run.status} />
              <span className="text-sm text-soft">
                <Age since={run.created_at} until={run.ended_at} />
              </span>
            </>
          )}
          <Button className="ms-auto" kind="danger" disabledReason={lack} onClick={onCancel}>
            {words.cancelRun}
          </Button>
        </>
      }
    >
      {run === undefined ? null : (
        <div role="status">
          <Items okr={okr} run={run} />
        </div>
      )}
    </Section>
  );
}

function RunList({ okr, runs }: { readonly okr: Objective; readonly runs: readonly ObjectiveRun[] }): ReactNode {
  if (runs.length === 0) return <p className="text-soft">{okr.open_run_id === null ? words.noRuns : null}</p>;
  return (
    <ul className="grid gap-3">
      {runs.map((run) => (
        <li key={run.run_id} className="rounded-sm border border-line bg-paper p-3">
          <p className="mb-1 flex flex-wrap items-center gap-x-3">
            <ObjectiveRunMark status={run.status} />
            <span className="text-sm text-soft">
              <Ago at={run.created_at} /> <FreeText text={run.created_by} />
            </span>
            <span className="text-sm text-soft">{words.modes[run.mode]}</span>
          </p>
          {run.error === null ? null : (
            <p className="text-sm text-bad">
              <FreeText text={run.error.message} />
            </p>
          )}
          <Items okr={okr} run={run} />
        </li>
      ))}
    </ul>
  );
}

function Items({ okr, run }: { readonly okr: Objective; readonly run: ObjectiveRun }): ReactNode {
  const titles = new Map(okr.key_results.map(({ key_result_id, title }) => [key_result_id, title]));
  return (
    <ul>
      {run.items.map((item) => (
        <li key={item.key_result_id} className="border-t border-line py-2 first:border-t-0">
          <ItemLine item={item} title={titles.get(item.key_result_id) ?? words.unknownKeyResult} />
        </li>
      ))}
    </ul>
  );
}

function ItemLine({ item, title }: { readonly item: RunItem; readonly title: string }): ReactNode {
  const { status, task_id: taskId, summary, evidence, progress_before: before, progress_after: after } = item;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-semibold">
          <FreeText text={title} />
        </span>
        <ItemMark status={status} />
        {after === null || after === before ? null : (
          <span className="text-sm">{words.progressMove(before, after)}</span>
        )}
        {taskId === null ? null : (
          <Link
            to="/v1/monitor/tasks/$id"
            params={{ id: taskId }}
            data-row
            className="inline-flex min-h-6 items-center rounded-sm text-accent underline pointer-coarse:min-h-11"
          >
            {words.openTask}
          </Link>
        )}
      </p>
      {summary === null ? null : (
        <p dir="auto" className="line-clamp-6 max-w-[72ch] text-sm whitespace-pre-wrap">
          {cleanText(summary)}
        </p>
      )}
      {evidence.length === 0 ? null : (
        <ul aria-label={words.evidence} className="list-disc ps-5 text-sm text-soft">
          {evidence.map((text, at) => (
            <li key={at} dir="auto" className="break-words">
              {cleanText(text)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
