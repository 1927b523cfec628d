// The board of a run: its stories by state. Beside an open story, and on a phone, the columns stand one below the other.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Run, StoryResult } from '../../../data/runs/runs.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { StateMark } from '../../../parts/marks/state-mark.tsx';
import { CriteriaMarks, storyMark, storyWord } from '../../../parts/run/run-mark.tsx';
import { runWords as words } from '../../../words/runs/en-runs.ts';

export const boardColumns = ['pending', 'running', 'passed', 'failed'] as const;

/** The stories of one column, in the order of the run. */
export function columnOf(run: Run, status: StoryResult['status']): readonly StoryResult[] {
  return run.story_results.filter((story) => story.status === status);
}

export function RunBoard({ run, current }: { readonly run: Run; readonly current: string | undefined }): ReactNode {
  return (
    <div
      data-board
      className={
        current === undefined
          ? 'border-t border-line md:grid md:grid-cols-4'
          : 'h-full border-t border-line lg:border-e'
      }
    >
      {boardColumns.map((status) => (
        <Column key={status} run={run} status={status} current={current} />
      ))}
    </div>
  );
}

interface ColumnProps {
  readonly run: Run;
  readonly status: StoryResult['status'];
  readonly current: string | undefined;
}

function Column({ run, status, current }: ColumnProps): ReactNode {
  const stories = columnOf(run, status);
  const isBeside = current !== undefined;
  return (
    <section
      aria-label={words.boardColumns[status]}
      className={`min-w-0 border-line max-md:border-b ${isBeside ? 'border-b' : 'md:border-e md:last:border-e-0'}`}
    >
      <h2 className="flex items-baseline gap-2 px-(--page) pt-3 pb-2 font-semibold">
        {words.boardColumns[status]}
        <span className="text-sm font-normal text-soft">{stories.length}</span>
      </h2>
      {stories.length === 0 ? (
        <p className={`px-(--page) pb-4 text-sm text-soft ${isBeside ? 'hidden' : ''}`}>{words.noStories[status]}</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] pb-3">
          {stories.map((story) => (
            <li key={story.story_id}>
              <StoryCard run={run} story={story} isCurrent={story.story_id === current} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface CardProps {
  readonly run: Run;
  readonly story: StoryResult;
  readonly isCurrent: boolean;
}

function StoryCard({ run, story, isCurrent }: CardProps): ReactNode {
  const word = lastWord(story);
  return (
    <Link
      to="/dashboard/ralph/$id/$story"
      params={{ id: run.run_id, story: story.story_id }}
      resetScroll={false}
      data-story={story.story_id}
      aria-current={isCurrent ? 'true' : undefined}
      className="block border-s-2 border-transparent ps-[calc(var(--page)-2px)] pe-(--page) py-2 -outline-offset-2 hover:bg-sunk aria-current:border-accent aria-current:bg-sunk"
    >
      <span className="flex items-center gap-2 text-sm">
        <StateMark state={storyMark(story)} word={storyWord(story)} hideWord />
        <span className="font-mono text-xs font-semibold text-soft">
          <FreeText text={story.story_id} />
        </span>
        <span className="ms-auto flex items-center gap-2">
          <CriteriaMarks criteria={story.criteria} />
          {story.iteration === 0 ? null : (
            <span className="text-xs text-soft">{words.iterationOf(story.iteration, run.max_iterations)}</span>
          )}
        </span>
      </span>
      <span className="mt-0.5 line-clamp-2 font-semibold">
        <FreeText text={story.title} />
      </span>
      {story.status === 'running' && story.phase !== null ? (
        <span className="text-sm text-running">{phaseText(story)}</span>
      ) : null}
      {word === '' ? null : (
        <span
          className={`mt-0.5 block truncate text-xs text-soft ${story.last_output !== undefined && story.status === 'running' ? 'font-mono' : ''}`}
        >
          <FreeText text={word} />
        </span>
      )}
    </Link>
  );
}

function phaseText({ phase, queue_position: place }: StoryResult): string {
  if (phase === null) return '';
  return place === undefined ? words.phases[phase] : `${words.phases[phase]}, ${words.landing(place)}`;
}

/** The agent's last line while a story is at work, its result otherwise. */
function lastWord({ status, phase, last_output: output, result, waiting_reason: reason }: StoryResult): string {
  if (status === 'running' && output !== undefined) return output.text;
  // The result of a story at work says its phase, which stands above already.
  if (status === 'running' && phase !== 'waiting' && phase !== 'asking') return reason ?? '';
  return reason === undefined ? result : `${result} (${reason})`;
}
