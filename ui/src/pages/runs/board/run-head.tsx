// Under the heading of a run: its state in a sentence, what it spent of its budget, its gates at the base, its facts.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useNow } from '../../../api/use-now.ts';
import { shortId, useCodebaseName } from '../../../data/fleet/fleet.ts';
import { isRunEnded, type Run } from '../../../data/runs/runs.ts';
import { CodeLine } from '../../../parts/controls/code-line.tsx';
import { durationText } from '../../../parts/marks/duration.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { ExactTime } from '../../../parts/marks/time.tsx';
import { spentLines } from '../../../parts/run/spent.ts';
import { cleanText } from '../../../text/clean.ts';
import { commonWords } from '../../../words/en-common.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { GateList } from './gate-list.tsx';

export function RunHead({ run }: { readonly run: Run }): ReactNode {
  return (
    <div className="grid gap-x-8 gap-y-4 px-(--page) py-4 lg:grid-cols-[minmax(0,1fr)_260px_300px]">
      <div className="min-w-0">
        <p className="text-soft">
          <RunSentence run={run} />
        </p>
        <p dir="auto" className="mt-1 line-clamp-3 max-w-[72ch] whitespace-pre-wrap">
          {cleanText(run.description)}
        </p>
        <Problems run={run} />
        <Facts run={run} />
      </div>
      <section aria-labelledby="run-budget">
        <h2 id="run-budget" className="mb-1 font-semibold">
          {words.budget}
        </h2>
        <Budget run={run} />
      </section>
      <GateList gates={run.gates} />
    </div>
  );
}

function RunSentence({ run }: { readonly run: Run }): ReactNode {
  const now = useNow();
  const state = words.sentence[run.status];
  const begun = run.started_at ?? run.created_at;
  const iteration = words.iterationLong(run.current_iteration, run.max_iterations);
  const time =
    isRunEnded(run) && run.completed_at !== null
      ? words.ended(state, durationText(Date.parse(run.completed_at) - Date.parse(begun), commonWords))
      : words.since(state, durationText(now - Date.parse(begun), commonWords));
  return `${time} · ${words.storiesOf(run.stories.passed, run.stories.total)} · ${iteration}`;
}

function Problems({ run }: { readonly run: Run }): ReactNode {
  return (
    <>
      {run.waiting_reason === undefined ? null : <p className="mt-1">{words.waits(run.waiting_reason)}</p>}
      {run.error === null ? null : (
        <div className="mt-2 border-s-4 border-bad bg-paper px-3 py-2">
          <p className="text-sm font-semibold text-bad">{run.error.code}</p>
          <p dir="auto" className="whitespace-pre-wrap">
            {cleanText(run.error.message)}
          </p>
        </div>
      )}
      {run.warnings.length === 0 ? null : (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer text-sm text-soft">
            {words.warnings} ({run.warnings.length})
          </summary>
          <ul className="mt-1 ms-4 list-disc text-sm">
            {run.warnings.map(({ code, path, message }) => (
              <li key={`${code} ${path ?? ''}`}>
                <FreeText text={path === undefined ? message : `${path}: ${message}`} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Budget({ run }: { readonly run: Run }): ReactNode {
  return (
    <ul className="grid gap-1.5 text-sm">
      {spentLines(run).map(({ id, text, share }) => (
        <li key={id}>
          {text}
          {share === undefined ? null : (
            <svg
              viewBox="0 0 100 3"
              preserveAspectRatio="none"
              className="mt-0.5 block h-1 w-full"
              role="img"
              aria-label={words.used(share)}
            >
              <rect width="100" height="3" className="fill-sunk" />
              <rect width={share} height="3" className={share >= 80 ? 'fill-ask' : 'fill-running'} />
            </svg>
          )}
        </li>
      ))}
      {run.spent.unpriced_steps > 0 ? (
        <li className="text-soft">{words.unpricedSteps(run.spent.unpriced_steps)}</li>
      ) : null}
    </ul>
  );
}

function Facts({ run }: { readonly run: Run }): ReactNode {
  const codebaseName = useCodebaseName();
  return (
    <details className="mt-2">
      <summary className="min-h-6 cursor-pointer text-sm text-soft">{words.facts}</summary>
      <dl className="mt-1 grid max-w-xl grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <Fact name={words.codebase}>
          <Link to="/v1/monitor/codebases/$id" params={{ id: run.codebase_id }} className="underline">
            <FreeText text={codebaseName(run.codebase_id)} />
          </Link>
        </Fact>
        <Fact name={words.branch}>
          <FreeText text={run.branch_name} className="font-mono" />
        </Fact>
        <Fact name={words.base}>
          <span className="font-mono">{run.base_commit?.slice(0, 12) ?? commonWords.unknown}</span>
        </Fact>
        <Fact name={words.mode}>
          {words.modes[run.mode]}
          {run.mode === 'parallel' ? `, ${words.atMost(run.max_parallel)}` : ''}
        </Fact>
        <Fact name={words.createdBy}>
          <FreeText text={run.created_by} /> · <ExactTime at={run.created_at} />
        </Fact>
        {run.retry_of === null ? null : (
          <Fact name={words.retryOf}>
            <Link to="/dashboard/ralph/$id" params={{ id: run.retry_of }} className="underline">
              {shortId(run.retry_of)}
            </Link>
          </Fact>
        )}
        {run.prd_session_id === null ? null : (
          <Fact name={words.prdChat}>
            <Link to="/dashboard/ralph/prd/$id" params={{ id: run.prd_session_id }} className="underline">
              <FreeText text={shortId(run.prd_session_id)} />
            </Link>
          </Fact>
        )}
      </dl>
      {run.stories.passed === 0 ? null : (
        <div className="mt-2 max-w-xl">
          <CodeLine
            text={`git merge ${run.branch_name}`}
            copyLabel={commonWords.copy}
            copiedLabel={commonWords.copied}
          />
        </div>
      )}
    </details>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
