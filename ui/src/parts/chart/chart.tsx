// Series over time: lines, or bars that may be stacked, with a legend that shows the figures under the pointer, and the same
// figures as a table for screen readers.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DrawnChart } from './draw-chart.ts';

/** The colours that a series may have: tokens of the style. */
export type ChartColour = keyof typeof colours;

export interface ChartSeries {
  readonly id: string;
  readonly label: string;
  readonly colour: ChartColour;
  readonly kind: 'line' | 'bar';
  /** One for each time; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** Names the chart. */
  readonly label: string;
  /** Heads the column of times of the table. */
  readonly timeLabel: string;
  /** ISO 8601, ascending. */
  readonly times: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Bars stand on each other, the first at the bottom. */
  readonly stacked?: boolean;
  /** The name in the legend and the table. */
  readonly timeText: (at: string) => string;
  readonly valueText: (value: number) => string;
}

const colours = {
  running: 'text-running',
  waiting: 'text-waiting',
  ok: 'text-ok',
  bad: 'text-bad',
  ask: 'text-ask',
  accent: 'text-accent',
  edge: 'text-edge',
} as const;

const height = 180;

export function Chart(props: ChartProps): ReactNode {
  const { times, series, timeText, valueText } = props;
  const [pointed, setPointed] = useState<number>();
  const look = useLook();
  const at = pointed === undefined ? undefined : times[pointed];
  return (
    <figure className="relative min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
        {series.map(({ id, label: name, colour, kind, values }) => {
          const value = pointed === undefined ? undefined : values[pointed];
          return (
            <span key={id} className="flex items-center gap-1.5">
              <svg viewBox="0 0 12 12" className={`size-3 ${colours[colour]}`} aria-hidden>
                {kind === 'line' ? (
                  <path d="M0 6h12" stroke="currentColor" strokeWidth="2.5" />
                ) : (
                  <rect width="12" height="12" fill="currentColor" />
                )}
              </svg>
              {name}
              {value === undefined || value === null ? null : <b className="text-ink">{valueText(value)}</b>}
            </span>
          );
        })}
        {at === undefined ? null : <span className="ms-auto">{timeText(at)}</span>}
      </figcaption>
      <Canvas key={look} {...props} onPoint={setPointed} />
      <ChartTable {...props} />
    </figure>
  );
}

type CanvasProps = ChartProps & { readonly onPoint: (index: number | undefined) => void };

/** The drawing; made again when the theme changes, because its colours are read once. */
function Canvas({ times, series, stacked = false, timeText, valueText, onPoint }: CanvasProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let chart: DrawnChart | undefined;
    let isOver = false;
    const draw = async (): Promise<void> => {
      const { drawChart } = await import('./draw-chart.ts');
      if (isOver) return;
      chart = drawChart(element, {
        times,
        stacked,
        height,
        valueText,
        timeText,
        series: series.map(({ kind, values, colour }) => ({ kind, values, colour: colourOf(element, colour) })),
        axis: colourOf(element, 'edge'),
        onPoint,
      });
    };
    // A chart that could not be loaded leaves its table.
    void draw().catch(() => undefined);
    return () => {
      isOver = true;
      chart?.destroy();
    };
  }, [times, series, stacked, valueText, timeText, onPoint]);
  return <div ref={box} aria-hidden className="w-full" style={{ minHeight: height }} />;
}

/** Canvas takes no classes: the colour of a class is read from an element that has it. */
function colourOf(box: HTMLElement, colour: ChartColour): string {
  const probe = document.createElement('span');
  probe.className = colours[colour];
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Changes when the theme does. */
function useLook(): number {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const change = (): void => setLook((before) => before + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const chosen = new MutationObserver(change);
    dark.addEventListener('change', change);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      dark.removeEventListener('change', change);
      chosen.disconnect();
    };
  }, []);
  return look;
}

function ChartTable({ label, timeLabel, times, series, timeText, valueText }: ChartProps): ReactNode {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{timeLabel}</th>
            {series.map(({ id, label: name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{timeText(at)}</th>
              {series.map(({ id, values }) => {
                const value = values[index];
                return <td key={id}>{value === undefined || value === null ? '' : valueText(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
