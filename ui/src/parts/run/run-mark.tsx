// The states of runs, stories and criteria as marks: by shape and colour, with their words.
import type { ReactNode } from 'react';
import type { Criterion, Run, StoryResult } from '../../data/runs/runs.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { StateMark, type MarkState } from '../marks/state-mark.tsx';

export function RunMark({ status }: { readonly status: Run['status'] }): ReactNode {
  return <StateMark state={status} word={words.statuses[status]} />;
}

/** A story that asks has the mark of a question. */
export function storyMark({ status, phase }: Pick<StoryResult, 'status' | 'phase'>): MarkState {
  if (status === 'running' && phase === 'asking') return 'needs_input';
  return status === 'passed' ? 'completed' : status;
}

/** The phase of a story at work, its state otherwise. */
export function storyWord({ status, phase }: Pick<StoryResult, 'status' | 'phase'>): string {
  return status === 'running' && phase !== null ? words.phases[phase] : words.boardColumns[status];
}

const colours: Readonly<Record<Criterion['status'], string>> = {
  passed: 'text-ok',
  failed: 'text-bad',
  unverified: 'text-ask',
  pending: 'text-waiting',
};

export function CriterionMark({ status }: { readonly status: Criterion['status'] }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-3.5 shrink-0 ${colours[status]}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden
    >
      {status === 'passed' ? (
        <path d="m3 8.5 3.5 3.5L13 4.5" />
      ) : status === 'failed' ? (
        <path d="m4 4 8 8m0-8-8 8" />
      ) : status === 'unverified' ? (
        <path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.3m0 2.2v1.3" />
      ) : (
        <circle cx="8" cy="8" r="2" />
      )}
    </svg>
  );
}

/** One mark for each criterion, and the same as a sentence for screen readers. */
export function CriteriaMarks({ criteria }: { readonly criteria: readonly Criterion[] }): ReactNode {
  const passed = criteria.filter(({ status }) => status === 'passed').length;
  return (
    <span className="inline-flex flex-wrap items-center">
      {criteria.map(({ index, status }) => (
        <CriterionMark key={index} status={status} />
      ))}
      <span className="sr-only">{words.criteriaOf(passed, criteria.length)}</span>
    </span>
  );
}

const bars: Readonly<Record<StoryResult['status'], string>> = {
  passed: 'fill-ok',
  running: 'fill-running',
  failed: 'fill-bad',
  pending: 'fill-edge opacity-50',
};

const barsAtMost = 40;

/** One mark for each story in the order of the run; beyond forty stories the figures alone. */
export function StoryBar({ run }: { readonly run: Pick<Run, 'story_results' | 'stories'> }): ReactNode {
  const { passed, total } = run.stories;
  const shown = run.story_results.length > barsAtMost ? [] : run.story_results;
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {shown.length === 0 ? null : (
        <svg width={shown.length * 8} height="14" aria-hidden className="shrink-0">
          {shown.map((story, index) => (
            <rect
              key={story.story_id}
              x={index * 8}
              y={story.status === 'pending' ? 5 : story.status === 'failed' ? 4 : 1}
              width="6"
              height={story.status === 'pending' ? 4 : story.status === 'failed' ? 6 : 12}
              className={bars[story.status]}
            />
          ))}
        </svg>
      )}
      <span aria-hidden className="text-sm text-soft">
        {words.storiesShort(passed, total)}
      </span>
      <span className="sr-only">{words.storiesOf(passed, total)}</span>
    </span>
  );
}
