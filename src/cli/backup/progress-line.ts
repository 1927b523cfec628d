// Shows how far a backup or a restore is: one line in a terminal, which is written over; nothing elsewhere.
import type { OnProgress } from '../../server/backup/restore.ts';
import type { CliIo } from '../core/io.ts';
import { shorten } from '../core/output.ts';

export interface ProgressLine extends Disposable {
  readonly show: OnProgress;
}

const intervalMs = 200;
const clearLine = '\r\u001B[2K';
const steps = { write: 'writing', verify: 'verifying', load: 'restoring' };

/** Disposing it clears the line. */
export function openProgressLine(io: CliIo, isQuiet: boolean): ProgressLine {
  let shownAt = 0;
  let began: { readonly step: string; readonly at: number } | undefined;
  let isShown = false;
  return {
    show({ step, table, done, total }) {
      const now = io.now();
      if (began?.step !== step) began = { step, at: now };
      if (isQuiet || !io.terminal.err || now - shownAt < intervalMs) return;
      shownAt = now;
      isShown = true;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const left = share === 0 ? undefined : ((now - began.at) / share) * (1 - share);
      const text = `${steps[step]} ${String(Math.floor(share * 100)).padStart(3)} %  ${formatBytes(done)} of ${formatBytes(total)}  ${table}  ${left === undefined ? '' : `${formatSeconds(left / 1000)} left`}`;
      io.err(`${clearLine}${shorten(text, 100)}`);
    },
    [Symbol.dispose]() {
      if (isShown) io.err(clearLine);
    },
  };
}

/** `812 B`, `4.0 KB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
