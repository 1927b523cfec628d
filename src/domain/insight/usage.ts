// Reads usage by day or group, and the history of the queue. Times are UTC.
import type { Caller } from '../model/access/caller.ts';
import type { DayRange, HistoryPoint, UsageDimension, UsageGroup } from '../ports/usage.ts';
import type { Store } from '../ports/store/store.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';

const dayMs = 86_400_000;
const defaultDays = 30;
/** Groups of one answer; those beyond it cost least. */
const maxGroups = 1_000;
const maxPoints = 500;
/** Length of a sample. */
const slotSeconds = 300;

/** Bounds as a caller gave them: a time, or a day alone. */
export interface AskedRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Deps {
  readonly store: Store;
  readonly now: () => number;
}

/**
 * Tasks that ended from the day of `from` to the day of `to`, both included, by group.
 * @throws DomainError invalid where `from` is after `to`
 */
export async function readUsage(
  { store, now }: Deps,
  caller: Caller,
  dimension: UsageDimension,
  asked: AskedRange,
): Promise<UsageGroup[]> {
  const { fromMs, toMs } = parseRange(asked, now());
  const days: DayRange = {
    first: isoOf(Math.max(0, fromMs)).slice(0, 10),
    last: isoOf(Math.max(0, toMs - 1)).slice(0, 10),
  };
  return store.within(caller, (rows) => rows.usage.groups(dimension, days, maxGroups));
}

/**
 * The queue from `from` to `to` in steps: one point for each, also where nothing happened.
 * @param stepSeconds undefined: the shortest that needs at most 500 points
 * @throws DomainError invalid where `from` is after `to`, or the step makes more points
 */
export async function readHistory(
  { store, now }: Deps,
  caller: Caller,
  asked: AskedRange,
  stepSeconds: number | undefined,
): Promise<HistoryPoint[]> {
  const { fromMs, toMs } = parseRange(asked, now());
  const step = stepSeconds ?? shortestStep(toMs - fromMs);
  const stepMs = step * 1000;
  const firstMs = Math.floor(fromMs / stepMs) * stepMs;
  const count = Math.ceil((toMs - firstMs) / stepMs);
  if (count > maxPoints) {
    throw invalidField('/query/step', `results in ${count} points for this period; at most ${maxPoints} are allowed`);
  }
  // Steps begin at multiples of their length since 1970, and nothing is older.
  const range = { from: isoOf(Math.max(0, firstMs)), to: isoOf(Math.max(0, toMs)), stepSeconds: step };
  const known = await store.within(caller, (rows) => rows.usage.history(range));
  const byTime = new Map(known.map((point) => [point.at, point]));
  const times = Array.from({ length: count }, (_, i) => isoOf(firstMs + i * stepMs));
  return times.map((at) => byTime.get(at) ?? { ...quiet, at });
}

const quiet = {
  queued: 0,
  running: 0,
  ended: { completed: 0, failed: 0, cancelled: 0 },
  wait: { p50: null, p95: null },
  run: { p50: null, p95: null },
};

function shortestStep(lengthMs: number): number {
  // One step is left for a first point that begins before `from`.
  return Math.max(1, Math.ceil(lengthMs / 1000 / slotSeconds / (maxPoints - 1))) * slotSeconds;
}

function parseRange({ from, to }: AskedRange, nowMs: number): { fromMs: number; toMs: number } {
  // Up to the end of this millisecond: what ended just now counts.
  const toMs = to === undefined ? nowMs + 1 : endOf(to);
  const fromMs = from === undefined ? toMs - defaultDays * dayMs : Date.parse(from);
  if (fromMs > toMs) throw invalidField('/query/from', 'must not be after to');
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
}

/** A day alone lasts until its end. */
function endOf(to: string): number {
  return to.length === 10 ? Date.parse(to) + dayMs : Date.parse(to);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
