// The states of schedules and their runs as marks, and a due time by the clock of its zone.
import type { ReactNode } from 'react';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { StateMark, type MarkState } from '../../parts/marks/state-mark.tsx';
import { scheduleWords as words } from '../../words/en-schedules.ts';
import type { Schedule, ScheduleRun } from './schedule-data.ts';

export function ScheduleMark({ schedule }: { readonly schedule: Schedule }): ReactNode {
  if (!schedule.enabled) return <SignalMark signal="off" word={words.states.off} />;
  if (schedule.next_due_at === null) return <SignalMark signal="off" word={words.states.ended} />;
  return <SignalMark signal="ok" word={words.states.on} />;
}

const marks: Readonly<Record<ScheduleRun['status'], MarkState>> = {
  started: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'paused',
  missed: 'cancelled',
};

export function ScheduleRunMark({ status }: { readonly status: ScheduleRun['status'] }): ReactNode {
  return <StateMark state={marks[status]} word={words.runStatuses[status]} />;
}

/** @param local with the offset of the zone, which tells the two hours of a change apart */
export function ZoneTime({
  at,
  local,
  timezone,
}: {
  readonly at: string;
  readonly local: string;
  readonly timezone: string;
}): ReactNode {
  const text = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  }).format(new Date(at));
  return (
    <time dateTime={at} title={local}>
      {text} <span className="text-xs text-soft">{local.slice(-6)}</span>
    </time>
  );
}
