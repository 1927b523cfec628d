// Draws series on a canvas with uPlot: loaded when the first chart is shown.
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface DrawnSeries {
  readonly kind: 'line' | 'bar';
  readonly values: readonly (number | null)[];
  /** A colour of CSS. */
  readonly colour: string;
}

export interface Drawing {
  readonly times: readonly string[];
  readonly series: readonly DrawnSeries[];
  readonly stacked: boolean;
  readonly height: number;
  readonly axis: string;
  readonly valueText: (value: number) => string;
  /** The text of a mark on the axis. @param at ISO 8601 */
  readonly timeText: (at: string) => string;
  /** The index of the time under the pointer. */
  readonly onPoint: (index: number | undefined) => void;
}

export interface DrawnChart {
  destroy(): void;
}

const barShare = 0.8;
const widestBar = 28;

/** Draws into the box, as wide as it is, also when that changes. */
export function drawChart(box: HTMLElement, drawing: Drawing): DrawnChart {
  const { series, height, axis, times, timeText } = drawing;
  const heights = heightsOf(drawing);
  // Later series are drawn over earlier ones: the highest sum of a stack comes first, lines come last.
  const order = Array.from(series.keys().filter((index) => series[index]?.kind === 'bar')).toReversed();
  order.push(...series.keys().filter((index) => series[index]?.kind === 'line'));
  const bars = UPlot.paths.bars?.({ size: [barShare, widestBar] });
  const axisLook = { stroke: axis, grid: { stroke: axis, width: 0.25 }, ticks: { stroke: axis, width: 0.5 } };
  const chart = new UPlot(
    {
      width: Math.max(box.clientWidth, 100),
      height,
      legend: { show: false },
      cursor: { points: { show: false }, drag: { x: false, y: false } },
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most)] } },
      axes: [
        {
          ...axisLook,
          space: 80,
          values: (_, splits) => splits.map((at) => timeText(new Date(at * 1_000).toISOString())),
        },
        { ...axisLook, size: 56, values: (_, splits) => splits.map((value) => drawing.valueText(value)) },
      ],
      series: [{}, ...order.map((index) => seriesLook(series[index], bars))],
      hooks: { setCursor: [({ cursor }) => drawing.onPoint(cursor.idx ?? undefined)] },
    },
    [times.map((at) => Date.parse(at) / 1_000), ...order.map((index) => heights[index] ?? [])],
    box,
  );
  const sizes = new ResizeObserver(() => chart.setSize({ width: Math.max(box.clientWidth, 100), height }));
  sizes.observe(box);
  return {
    destroy() {
      sizes.disconnect();
      chart.destroy();
    },
  };
}

function seriesLook(series: DrawnSeries | undefined, bars: UPlot.Series.PathBuilder | undefined): UPlot.Series {
  if (series === undefined) return {};
  const { kind, colour } = series;
  const look = { stroke: colour, width: kind === 'line' ? 2 : 0, points: { show: false } };
  return kind === 'line' ? look : { ...look, fill: colour, ...(bars !== undefined && { paths: bars }) };
}

/** The drawn values of each series: its own, or for stacked bars the sum with those below. */
export function heightsOf({ series, stacked }: Pick<Drawing, 'series' | 'stacked'>): (number | null)[][] {
  const sums: number[] = [];
  return series.map(({ kind, values }) =>
    values.map((value, index) => {
      if (!stacked || kind === 'line') return value;
      const sum = (sums[index] ?? 0) + (value ?? 0);
      sums[index] = sum;
      return sum;
    }),
  );
}
