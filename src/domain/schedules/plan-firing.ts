// Decides what happens with the due times of a job that have come. Pure. platform-3.2.
import type { CatchUpPolicy } from '../model/schedule/cronjob.ts';
import type { CronTimes } from './cron-expression.ts';
import { findLateTimes } from './late-times.ts';

/** Due times and now, in milliseconds since 1970. */
export interface FiringFacts {
  /** The oldest due time that nothing was done about. */
  readonly dueAt: number;
  /** How much later the job fires. */
  readonly jitterMs: number;
  readonly now: number;
  readonly endsAt: number | undefined;
  readonly catchUp: CatchUpPolicy;
  readonly catchUpWindowMs: number;
}

/** One step; the next one is decided anew, from the due time that this one leaves. */
export type Firing =
  | {
      readonly kind: 'fire';
      readonly dueAt: number;
      readonly trigger: 'schedule' | 'catch_up';
      readonly nextDueAt: number | undefined;
    }
  | {
      readonly kind: 'miss';
      readonly count: number;
      readonly newestDueAt: number;
      readonly nextDueAt: number | undefined;
    };

/** A time that is noticed this late is on time. */
const punctualMs = 60_000;
/** The most due times that are caught up with. */
const maxCaughtUp = 100;

/**
 * Decides about the oldest due times: fires one, or records all that are not fired. Undefined when none has come.
 * @param breathe is awaited now and then
 */
export async function planFiring(
  times: CronTimes,
  facts: FiringFacts,
  breathe: () => Promise<void>,
): Promise<Firing | undefined> {
  const { catchUp, catchUpWindowMs, now, jitterMs } = facts;
  const age = (dueAt: number): number => now - dueAt - jitterMs;
  if (age(facts.dueAt) < 0) return undefined;
  // Only the oldest decides where it is fired at once; the ones after it are looked at by the next step.
  if (age(facts.dueAt) <= punctualMs) return fireAt(times, facts, facts.dueAt, 'schedule');
  // The last one that is too old to be on time.
  const until = now - jitterMs - punctualMs - 1;
  const range = { after: facts.dueAt, until: Math.min(until, facts.endsAt ?? until), keep: maxCaughtUp + 1 };
  const others = await findLateTimes(times, range, breathe);
  // The oldest one is due even where the expression does not name it: the table says so.
  const lateCount = others.count + 1;
  const late = [facts.dueAt, ...others.newest];
  const young = late.slice(-maxCaughtUp).filter((dueAt) => now - dueAt <= catchUpWindowMs);
  const keptCount = { none: 0, last: Math.min(1, young.length), all: young.length }[catchUp];
  const missed = lateCount - keptCount;
  if (missed === 0) return fireAt(times, facts, facts.dueAt, 'catch_up');
  const newestMissed = late.at(-keptCount - 1) ?? facts.dueAt;
  return { kind: 'miss', count: missed, newestDueAt: newestMissed, nextDueAt: nextWithin(times, facts, newestMissed) };
}

function fireAt(times: CronTimes, facts: FiringFacts, dueAt: number, trigger: 'schedule' | 'catch_up'): Firing {
  return { kind: 'fire', dueAt, trigger, nextDueAt: nextWithin(times, facts, dueAt) };
}

function nextWithin(times: CronTimes, { endsAt }: FiringFacts, after: number): number | undefined {
  return firstDueAt(times, after, endsAt);
}

/** The first due time after this one and not after the end. */
export function firstDueAt(times: CronTimes, after: number, endsAt: number | undefined): number | undefined {
  const next = times.next(after);
  return next === undefined || (endsAt !== undefined && next > endsAt) ? undefined : next;
}
