// The next five times of an expression, or what is wrong with it.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Ago } from '../../parts/marks/time.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import { nextTimesQuery, type NextTimes } from './schedule-data.ts';
import { ZoneTime } from './schedule-marks.tsx';

/** After the last key. */
const settleMs = 300;

/** The times while the expression is being written: those before stay until the new ones are there. */
export function useNextTimes(cron: string, timezone: string): NextTimes | undefined {
  const [asked, setAsked] = useState({ cron, timezone });
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ cron, timezone }), settleMs);
    return () => clearTimeout(timer);
  }, [cron, timezone]);
  return useQuery({
    ...nextTimesQuery(asked.cron, asked.timezone, undefined),
    enabled: asked.cron.trim() !== '',
    placeholderData: (before) => before,
  }).data;
}

/** The field with a fault, the expression or the zone, and the text of the fault. */
export function faultOf(
  times: NextTimes | undefined,
): { readonly field: 'cron' | 'timezone'; readonly text: string } | undefined {
  if (times === undefined || times.valid) return undefined;
  const { code, message } = times.error;
  return { field: code === 'unknown_timezone' ? 'timezone' : 'cron', text: message };
}

export function TimeList({
  times,
  timezone,
}: {
  readonly times: readonly { readonly at: string; readonly local: string }[];
  readonly timezone: string;
}): ReactNode {
  return (
    <ol className="grid gap-1">
      {times.map(({ at, local }) => (
        <li key={at} className="flex flex-wrap justify-between gap-x-4">
          <ZoneTime at={at} local={local} timezone={timezone} />
          <span className="text-soft">
            <Ago at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

export interface NextTimesProps {
  readonly cron: string;
  readonly timezone: string;
  /** Due times after it; now without it. */
  readonly from: string | undefined;
  /** Due times until it. */
  readonly until: string | null;
}

/** The next times of a stored schedule. */
export function NextTimeList({ cron, timezone, from, until }: NextTimesProps): ReactNode {
  const query = useQuery(nextTimesQuery(cron, timezone, from));
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return null;
  if (!query.data.valid) return <p className="text-bad">{query.data.error.message}</p>;
  const times = query.data.next.filter(({ at }) => until === null || Date.parse(at) <= Date.parse(until));
  if (times.length === 0) return <p className="text-soft">{words.noNextTimes}</p>;
  return <TimeList times={times} timezone={timezone} />;
}
