// The attempts of a task: a card each, with its worker, times, end, usage, output and changes.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { attemptsQuery, type Attempt } from '../../data/tasks/attempts.ts';
import { useWorkerName } from '../../data/fleet/fleet.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { CheckBox } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Age, ExactTime } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { cleanText } from '../../text/clean.ts';
import { number } from '../../words/catalogue.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';

export function AttemptsPart({ task }: { readonly task: Task }): ReactNode {
  const query = useQuery(attemptsQuery(task.id));
  return (
    <Answer query={query}>
      {(attempts) =>
        attempts.length === 0 ? <Empty text={words.noAttempts} /> : <Attempts task={task} attempts={attempts} />
      }
    </Answer>
  );
}

function Attempts({ task, attempts }: { readonly task: Task; readonly attempts: readonly Attempt[] }): ReactNode {
  // The last two, until others are chosen.
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(attempts.slice(-2).map(({ place }) => place)));
  const places = [...chosen].toSorted((a, b) => a - b).join(',');
  const isComparable = chosen.size >= 2 && chosen.size <= mostCompared;
  const choose = (place: number, isChosen: boolean): void =>
    setChosen(new Set([...[...chosen].filter((one) => one !== place), ...(isChosen ? [place] : [])]));
  return (
    <div className="p-(--page)">
      {attempts.length < 2 ? null : (
        <p className="mb-3">
          {isComparable ? (
            <Link to="/v1/monitor/compare" search={{ task: task.id, attempts: places }} className={buttonClass()}>
              {words.compareAttempts(places.replaceAll(',', ', '))}
            </Link>
          ) : (
            <span className="text-sm text-soft">{words.compareHint}</span>
          )}
        </p>
      )}
      <ul className="grid gap-3">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.run_id} className="flex gap-3 rounded-sm border border-line bg-paper p-3">
            {attempts.length < 3 ? null : (
              <CheckBox
                label={words.chooseAttempt(attempt.place)}
                hideLabel
                checked={chosen.has(attempt.place)}
                onChange={(isChosen) => choose(attempt.place, isChosen)}
              />
            )}
            <div className="min-w-0">
              <AttemptCard task={task} attempt={attempt} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Columns that a comparison has room for. */
const mostCompared = 4;

function AttemptCard({ task, attempt }: { readonly task: Task; readonly attempt: Attempt }): ReactNode {
  const workerName = useWorkerName();
  const { usage, error, outcome } = attempt;
  const params = { id: task.id };
  const search = { attempt: attempt.place };
  return (
    <>
      <h3 className="font-semibold">
        {words.attemptTitle(attempt.place)}{' '}
        <span className="font-normal text-soft">
          <FreeText text={words.attemptFacts(workerName(attempt.worker_id))} />
        </span>
      </h3>
      <p className="text-soft">
        {words.outcomes[outcome ?? 'running']} · <ExactTime at={attempt.started_at} /> ·{' '}
        <Age since={attempt.started_at} until={attempt.ended_at} />
      </p>
      {error === null ? null : (
        <p dir="auto" className="mt-1 line-clamp-4 whitespace-pre-wrap text-bad">
          {error.code}: {cleanText(error.message)}
        </p>
      )}
      {usage === null ? null : (
        <p className="mt-1 text-sm text-soft">
          {taskWords.tokens((usage.input_tokens ?? 0) + (usage.output_tokens ?? 0))} ·{' '}
          {usage.cost_usd === undefined ? taskWords.unpriced : taskWords.cost(usage.cost_usd)}
          {usage.duration_ms === undefined ? null : ` · ${number(Math.round(usage.duration_ms / 1_000))} s`}
        </p>
      )}
      <p className="mt-2 flex gap-2">
        <Link
          to="/v1/monitor/tasks/$id/$part"
          params={{ ...params, part: 'output' }}
          search={search}
          className={buttonClass('quiet')}
        >
          {words.showOutput}
        </Link>
        <Link
          to="/v1/monitor/tasks/$id/$part"
          params={{ ...params, part: 'changes' }}
          search={search}
          className={buttonClass('quiet')}
        >
          {words.showChanges}
        </Link>
      </p>
    </>
  );
}
