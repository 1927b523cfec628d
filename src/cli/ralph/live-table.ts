// A small table of a run that is drawn again in place, for terminals.
import type { RunWire } from '../../contracts/ralph/run.ts';
import type { CliIo } from '../core/io.ts';
import { shorten } from '../core/output.ts';
import { spentLine, storyTable } from './run-table.ts';

export interface LiveTable {
  /** Replaces what was drawn before. */
  draw(run: RunWire): void;
}

interface Screen {
  readonly columns: number;
  readonly rows: number;
}

const startOfDrawing = (lines: number): string => (lines === 0 ? '' : `\u001B[${lines}A`);
const clearBelow = '\u001B[0J';
/** Wide characters make a line wider than its length; a line that wraps would move all below it. */
const wrapping = { off: '\u001B[?7l', on: '\u001B[?7h' } as const;

/** @param measure the size of the terminal now: people resize it */
export function createLiveTable(io: Pick<CliIo, 'out'>, measure: () => Screen): LiveTable {
  let drawn = 0;
  return {
    draw(run) {
      const screen = measure();
      const lines = liveLines(run, screen);
      const text = lines.map((line) => `${line}\n`).join('');
      io.out(`${startOfDrawing(drawn)}${clearBelow}${wrapping.off}${text}${wrapping.on}`);
      drawn = lines.length;
    },
  };
}

/** Fewer lines than the screen has, none longer than it is wide: else the cursor cannot find their start. */
export function liveLines(run: RunWire, { columns, rows }: Screen): string[] {
  const width = Math.max(2, columns - 1);
  const { stories, status, current_iteration: iteration, max_iterations: most } = run;
  const head = `${run.project}: ${status}, ${stories.passed} of ${stories.total} stories, iteration ${iteration} of ${most}`;
  const [headings = '', ...all] = storyTable(run.story_results, width).trimEnd().split('\n');
  const room = Math.max(1, rows - 5);
  // Finished stories go first where not all have room.
  const order = run.story_results.map((story, index) => ({
    line: all[index] ?? '',
    isOver: story.status === 'passed',
  }));
  const hidden = Math.max(0, all.length - room);
  const shown = dropFirst(order, hidden).map(({ line }) => line);
  const more = hidden === 0 ? [] : [`… ${hidden} more`];
  const lines = [head, headings, ...shown, ...more, spentLine(run)].slice(0, Math.max(1, rows - 1));
  return lines.map((line) => shorten(line, width));
}

/** Drops that many rows: passed ones from the start, then others from the end. */
function dropFirst<T extends { readonly isOver: boolean }>(rows: readonly T[], count: number): T[] {
  const passed = rows.filter(({ isOver }) => isOver).slice(0, count);
  const kept = rows.filter((row) => !passed.includes(row));
  return kept.slice(0, Math.max(0, rows.length - count));
}
