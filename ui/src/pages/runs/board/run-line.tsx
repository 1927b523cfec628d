// The line of a run as railway track: stories as stations, dependencies as rails, the branch at the end.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { storiesQuery, type Run, type StoryResult } from '../../../data/runs/runs.ts';
import { FreeText } from '../../../parts/marks/free-text.tsx';
import { StateMark } from '../../../parts/marks/state-mark.tsx';
import { storyMark, storyWord } from '../../../parts/run/run-mark.tsx';
import { cleanTitle } from '../../../text/clean.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';
import { layoutLine, type LineLayout, type LineStation } from './line-layout.ts';

const columnWidth = 196;
const laneHeight = 36;
const stationWidth = 156;
const middle = 18;
/** The line of a run with more stories would only be scrolled: the board alone is shown. */
const mostStories = 60;

export function RunLine({ run, current }: { readonly run: Run; readonly current: string | undefined }): ReactNode {
  const { data: stories } = useQuery(storiesQuery(run.run_id));
  const layout = useMemo(
    () => (stories === undefined ? undefined : layoutLine(stories, run.mode)),
    [stories, run.mode],
  );
  if (layout === undefined || layout.stations.length === 0 || layout.stations.length > mostStories) return null;
  const width = layout.columns * columnWidth + 200;
  const height = layout.lanes * laneHeight;
  return (
    <section aria-labelledby="run-line" className="hidden border-t border-line py-4 md:block">
      <h2 id="run-line" className="mb-2 px-(--page) font-semibold">
        {words.line}
      </h2>
      {/* A line is read in one direction: its figures are mirrored with the page. */}
      <div role="region" aria-label={words.lineLabel} tabIndex={0} className="overflow-x-auto px-(--page)">
        <div className="relative" style={{ width, height }}>
          <Rails layout={layout} run={run} width={width} height={height} />
          <ol>
            {layout.stations.map((station) => (
              <li
                key={station.id}
                className="absolute flex h-9 items-center"
                style={{
                  insetInlineStart: station.column * columnWidth,
                  top: station.lane * laneHeight,
                  width: stationWidth,
                }}
              >
                <Stop run={run} id={station.id} isCurrent={station.id === current} />
              </li>
            ))}
          </ol>
          <p
            className="absolute flex h-9 w-44 flex-col justify-center text-xs text-soft"
            style={{ insetInlineStart: layout.columns * columnWidth + 16, top: 0 }}
          >
            <span className="truncate font-mono">
              <FreeText text={run.branch_name} />
            </span>
            {run.head_commit === null ? null : <span className="font-mono">{run.head_commit.slice(0, 7)}</span>}
          </p>
        </div>
      </div>
    </section>
  );
}

interface StopProps {
  readonly run: Run;
  readonly id: string;
  readonly isCurrent: boolean;
}

function Stop({ run, id, isCurrent }: StopProps): ReactNode {
  const story = run.story_results.find(({ story_id }) => story_id === id);
  if (story === undefined) return null;
  return (
    <Link
      to="/dashboard/ralph/$id/$story"
      params={{ id: run.run_id, story: id }}
      resetScroll={false}
      title={cleanTitle(story.title)}
      aria-current={isCurrent ? 'true' : undefined}
      className="flex min-h-7 max-w-full items-center gap-1.5 rounded-sm border border-line bg-paper px-1.5 text-xs hover:border-edge aria-current:border-accent"
    >
      <StateMark state={storyMark(story)} word={storyWord(story)} hideWord />
      <span className="max-w-24 shrink-0 truncate font-mono font-semibold">
        <FreeText text={id} />
      </span>
      <Where story={story} />
    </Link>
  );
}

/** The activity of a story at work, and its place in the landing queue. */
function Where({ story }: { readonly story: StoryResult }): ReactNode {
  if (story.status !== 'running' || story.phase === null) return null;
  const place = story.queue_position;
  return (
    <span className="truncate text-soft" aria-hidden>
      {place === undefined ? words.phases[story.phase] : `${words.phases.landing} ${place}`}
    </span>
  );
}

interface RailsProps {
  readonly layout: LineLayout;
  readonly run: Run;
  readonly width: number;
  readonly height: number;
}

function Rails({ layout, run, width, height }: RailsProps): ReactNode {
  const passed = new Set(run.story_results.filter(({ status }) => status === 'passed').map(({ story_id }) => story_id));
  const end: LineStation = { id: '', column: layout.columns, lane: 0 };
  return (
    <svg
      width={width}
      height={height}
      className="absolute inset-0 rtl:-scale-x-100"
      fill="none"
      strokeWidth="2"
      aria-hidden
    >
      {layout.rails.map(({ from, to }) => (
        <path key={`${from.id} ${to.id}`} d={railOf(from, to)} {...lookOf(passed.has(from.id))} />
      ))}
      {layout.ends.map((from) => (
        <path key={from.id} d={railOf(from, end)} {...lookOf(passed.has(from.id))} />
      ))}
      <path d={`M${layout.columns * columnWidth} ${middle - 5}l8 5l-8 5z`} className="fill-edge" />
    </svg>
  );
}

/** A rail that a commit has passed over is whole; the others are planned. */
function lookOf(isPassed: boolean): { readonly className: string; readonly strokeDasharray: string | undefined } {
  return { className: isPassed ? 'stroke-ok' : 'stroke-edge', strokeDasharray: isPassed ? undefined : '3 4' };
}

/** Out of a station, along its lane, then by a switch into the lane of the next one. */
function railOf(from: LineStation, to: LineStation): string {
  const x1 = from.column * columnWidth + stationWidth / 2;
  const y1 = from.lane * laneHeight + middle;
  const x2 = to.column * columnWidth;
  const y2 = to.lane * laneHeight + middle;
  if (y1 === y2) return `M${x1} ${y1}H${x2}`;
  const bend = x2 - (columnWidth - stationWidth);
  return `M${x1} ${y1}H${bend}C${bend + 20} ${y1} ${x2 - 20} ${y2} ${x2} ${y2}`;
}
