// The last day as a chart: tasks that run and wait, and those that ended, by outcome.
import { useMemo, type ReactNode } from 'react';
import { Chart, type ChartSeries } from '../../parts/chart/chart.tsx';
import { timeOfDay } from '../../parts/marks/duration.ts';
import { Answer } from '../../parts/states/answer.tsx';
import { number } from '../../words/catalogue.ts';
import { overviewWords as words } from '../../words/en-overview.ts';
import { Band } from './band.tsx';
import { useLastDay } from './overview-data.ts';

type Points = NonNullable<ReturnType<typeof useLastDay>['data']>;

export function LastDay(): ReactNode {
  const query = useLastDay();
  return (
    <Band title={words.lastDay}>
      <Answer query={query}>
        {(points) =>
          points.length === 0 ? (
            <p className="px-(--page) py-3 text-sm text-soft">{words.noHistory}</p>
          ) : (
            <DayChart points={points} />
          )
        }
      </Answer>
    </Band>
  );
}

function DayChart({ points }: { readonly points: Points }): ReactNode {
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  const series = useMemo(
    (): readonly ChartSeries[] => [
      {
        id: 'completed',
        label: words.completed,
        colour: 'ok',
        kind: 'bar',
        values: points.map(({ ended }) => ended.completed),
      },
      {
        id: 'failed',
        label: words.failed,
        colour: 'bad',
        kind: 'bar',
        values: points.map(({ ended }) => ended.failed),
      },
      {
        id: 'cancelled',
        label: words.cancelled,
        colour: 'edge',
        kind: 'bar',
        values: points.map(({ ended }) => ended.cancelled),
      },
      {
        id: 'running',
        label: words.running,
        colour: 'running',
        kind: 'line',
        values: points.map(({ running }) => running),
      },
      {
        id: 'waiting',
        label: words.waiting,
        colour: 'waiting',
        kind: 'line',
        values: points.map(({ queued }) => queued),
      },
    ],
    [points],
  );
  return (
    <div className="p-(--page)">
      <Chart
        label={words.chart}
        timeLabel={words.time}
        times={times}
        series={series}
        stacked
        timeText={timeOfDay}
        valueText={number}
      />
    </div>
  );
}
