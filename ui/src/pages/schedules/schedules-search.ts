// What the addresses of the schedules hold.
import { flagOf, oneOf, textOf, type RawSearch } from '../../search.ts';

export const scheduleStates = ['on', 'off'] as const;
export const runStatuses = ['started', 'completed', 'failed', 'cancelled', 'skipped', 'missed'] as const;

export interface SchedulesSearch {
  readonly state?: (typeof scheduleStates)[number] | undefined;
  readonly q?: string | undefined;
  /** The form of a new schedule is open. */
  readonly add?: true | undefined;
}

export function schedulesSearch(raw: RawSearch): SchedulesSearch {
  return { state: oneOf(raw['state'], scheduleStates), q: textOf(raw['q']), add: flagOf(raw['add']) };
}

export interface ScheduleSearch {
  /** Of the runs. */
  readonly status?: (typeof runStatuses)[number] | undefined;
  /** The form is open. */
  readonly edit?: true | undefined;
}

export function scheduleSearch(raw: RawSearch): ScheduleSearch {
  return { status: oneOf(raw['status'], runStatuses), edit: flagOf(raw['edit']) };
}
