// The attempts of a task: a card each, with its worker, times, end, usage, output and changes.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { attemptsQuery, type Attempt } from '../../data/attempts.ts';
import { useWorkerName } from '../../data/fleet.ts';
import type { Task } from '../../data/tasks.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Age, ExactTime } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { cleanText } from '../../text/clean.ts';
import { number } from '../../words/catalogue.ts';
import { taskWords } from '../../words/en-task.ts';
import { taskPageWords as words } from '../../words/en-task-page.ts';

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
  const numbers = attempts.map(({ place }) => place);
  return (
    <div className="p-(--page)">
      {attempts.length < 2 ? null : (
        <p className="mb-3">
          <Link
            to="/v1/monitor/compare"
            search={{ task: task.id, attempts: numbers.slice(-2).join(',') }}
            className={buttonClass()}
          >
            {words.compareAttempts}
          </Link>
        </p>
      )}
      <ul className="grid gap-3">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.run_id} className="rounded-sm border border-line bg-paper p-3">
            <AttemptCard task={task} attempt={attempt} />
          </li>
        ))}
      </ul>
    </div>
  );
}

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
