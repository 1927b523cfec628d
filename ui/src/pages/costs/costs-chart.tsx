// Cost, tokens or ended tasks by day, as stacked bars.
import { useMemo, type ReactNode } from 'react';
import { Chart, type ChartSeries } from '../../parts/chart/chart.tsx';
import { costsWords as words } from '../../words/service/en-costs.ts';
import type { Measure } from './costs-search.ts';
import { everyDay, type DayRange, type UsageRow } from './usage.ts';

export interface CostsChartProps {
  readonly rows: readonly UsageRow[];
  readonly range: DayRange;
  readonly measure: Measure;
}

export function CostsChart({ rows, range, measure }: CostsChartProps): ReactNode {
  const days = useMemo(() => everyDay(rows, range), [rows, range]);
  const times = useMemo(() => days.map(({ key }) => key ?? ''), [days]);
  const series = useMemo(() => seriesOf(days, measure), [days, measure]);
  return (
    <Chart
      label={words.chart[measure]}
      timeLabel={words.day}
      times={times}
      series={series}
      stacked
      timeText={words.dayText}
      valueText={measure === 'cost' ? words.cost : words.compact}
    />
  );
}

function seriesOf(days: readonly UsageRow[], measure: Measure): readonly ChartSeries[] {
  const series = (
    id: keyof typeof words.series,
    colour: ChartSeries['colour'],
    of: (row: UsageRow) => number | null,
  ): ChartSeries => ({ id, label: words.series[id], colour, kind: 'bar', values: days.map(of) });
  switch (measure) {
    case 'cost':
      // A day on which nothing has a price has no bar, and no 0.
      return [series('cost', 'accent', ({ cost_usd }) => cost_usd)];
    case 'tokens':
      return [
        series('input', 'accent', ({ input_tokens }) => input_tokens),
        series('output', 'running', ({ output_tokens }) => output_tokens),
        series('cached', 'edge', ({ cached_tokens }) => cached_tokens),
      ];
    case 'tasks':
      return [
        series('completed', 'ok', ({ completed }) => completed),
        series('failed', 'bad', ({ failed }) => failed),
        series('other', 'waiting', ({ tasks, completed, failed }) => tasks - completed - failed),
      ];
  }
}
