// Counts the due times that nobody noticed in time, and lists the newest of them. Pure. platform-3.2.
import type { CronTimes } from './cron-expression.ts';

export interface LateTimes {
  readonly count: number;
  /** The newest of them, oldest first. */
  readonly newest: readonly number[];
}

export interface LateRange {
  /** Only due times after this one are looked at. */
  readonly after: number;
  /** No due time after this one is late. */
  readonly until: number;
  /** How many of the newest are listed. */
  readonly keep: number;
}

const dayMs = 86_400_000;
/** Due times or days looked at before the loop lets others run. */
const breathAfter = 500;

interface Stretch {
  readonly start: number;
  readonly count: number;
}

/**
 * A job of each minute has half a million due times in a year. A due time costs as much to find as a day does, and days of 24
 * hours on which the job is due at all have equally many of them. So whole days are counted once, and only days with a change
 * of the clocks, and the first and the last day, are walked through.
 * @param breathe is awaited now and then
 */
export async function findLateTimes(
  times: CronTimes,
  { after, until, keep }: LateRange,
  breathe: () => Promise<void>,
): Promise<LateTimes> {
  let looked = 0;
  const walk = async (start: number, end: number): Promise<number[]> => {
    const found: number[] = [];
    for (let at = times.next(start - 1); at !== undefined && at < end; at = times.next(at)) {
      found.push(at);
      if (++looked % breathAfter === 0) await breathe();
    }
    return found;
  };
  const from = after + 1;
  const stretches: Stretch[] = [];
  let count = 0;
  let perDay: number | undefined;
  for (let start = from; start <= until;) {
    const midnight = times.nextMidnight(start);
    const end = Math.min(midnight ?? until + 1, until + 1);
    const isWholeDay = start !== from && end === midnight && end - start === dayMs;
    let inStretch: number;
    if (!isWholeDay) inStretch = (await walk(start, end)).length;
    else if ((times.next(start - 1) ?? end) >= end) inStretch = 0;
    else inStretch = perDay ??= (await walk(start, end)).length;
    if (++looked % breathAfter === 0) await breathe();
    if (inStretch > 0) stretches.push({ start, count: inStretch });
    count += inStretch;
    start = end;
  }
  const newestFrom = startOfNewest(stretches, keep);
  const newest = newestFrom === undefined ? [] : await walk(newestFrom, until + 1);
  return { count, newest: newest.slice(-keep) };
}

function startOfNewest(stretches: readonly Stretch[], keep: number): number | undefined {
  let sum = 0;
  for (const { start, count } of stretches.toReversed()) {
    sum += count;
    if (sum >= keep) return start;
  }
  return stretches[0]?.start;
}
