// The attempts of a story, the last one first: their tasks, what became of them, what they cost.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { storyAttemptsQuery, type Run, type RunStep, type Story, type StoryAttempt } from '../../data/runs/runs.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Age, ExactTime } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { cleanText } from '../../text/clean.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';

export function StoryAttempts({ run, story }: { readonly run: Run; readonly story: Story }): ReactNode {
  const query = useQuery(storyAttemptsQuery(run.run_id, story.story_id));
  return (
    <section aria-labelledby="story-attempts" className="mt-5">
      <h3 id="story-attempts" className="mb-1 font-semibold">
        {words.attempts}
      </h3>
      <Answer query={query} rows={2}>
        {(attempts) =>
          attempts.length === 0 ? (
            <p className="text-sm text-soft">{words.noAttempts}</p>
          ) : (
            <ol className="border-t border-line">
              {attempts.toReversed().map((attempt) => (
                <li key={`${attempt.n} ${attempt.try}`} className="border-b border-line py-2">
                  <Attempt attempt={attempt} />
                </li>
              ))}
            </ol>
          )
        }
      </Answer>
    </section>
  );
}

function Attempt({ attempt }: { readonly attempt: StoryAttempt }): ReactNode {
  const { n, status, failure_code: code, agent, commit, summary, usage, steps } = attempt;
  const facts = [
    words.attemptStates[status],
    code ?? '',
    agent ?? '',
    commit === null ? '' : words.commit(commit.slice(0, 7)),
    ...usageFacts(usage),
  ].filter(Boolean);
  return (
    <>
      <h4 className="text-sm font-semibold">
        {words.attemptTitle(n, attempt.try)}{' '}
        <span className="font-normal text-soft">
          <FreeText text={facts.join(' · ')} />
        </span>
      </h4>
      <p className="text-sm text-soft">
        <ExactTime at={attempt.started_at} /> · <Age since={attempt.started_at} until={attempt.ended_at} />
      </p>
      {summary === '' ? null : (
        <p dir="auto" className="mt-1 max-w-[72ch] text-sm whitespace-pre-wrap">
          {cleanText(summary)}
        </p>
      )}
      <ul aria-label={words.stepsOf(n)} className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {steps.map((step) => (
          <li key={step.task_id}>
            <Step step={step} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Tokens as far as they are known; an unknown price is "unpriced", never 0. */
function usageFacts(usage: StoryAttempt['usage']): readonly string[] {
  if (usage === null) return [];
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = usage;
  const tokens = input === undefined && output === undefined ? [] : [words.tokens((input ?? 0) + (output ?? 0))];
  return [...tokens, cost === undefined ? words.unpriced : words.usd(cost)];
}

function Step({ step }: { readonly step: RunStep }): ReactNode {
  const { kind, status, code, task_id: id } = step;
  const state = code === undefined ? words.stepStates[status] : `${words.stepStates[status]}, ${code}`;
  const look = status === 'rejected' || status === 'infra' ? 'text-bad' : status === 'ok' ? 'text-ok' : 'text-soft';
  return (
    <>
      <Link
        to="/v1/monitor/tasks/$id"
        params={{ id }}
        className="inline-flex min-h-6 items-center text-accent underline pointer-coarse:min-h-(--control)"
      >
        {words.stepKinds[kind]}
      </Link>{' '}
      <span className={look}>
        <FreeText text={state} />
      </span>
    </>
  );
}
