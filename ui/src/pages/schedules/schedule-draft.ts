// The form of a schedule as text, and the body of its call.
import type { Schedule } from './schedule-data.ts';
import type { NewScheduleBody } from './schedule-actions.ts';

export interface ScheduleDraft {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly prompt: string;
  readonly codebase: string;
  readonly agent: string;
  readonly overlap: Schedule['overlap'];
  readonly catchUp: Schedule['catch_up'];
  readonly jitter: string;
  readonly description: string;
  readonly enabled: boolean;
}

/** Fills the expression in. */
export const presets = {
  hourly: '0 * * * *',
  nightly: '0 3 * * *',
  weekdays: '0 9 * * MON-FRI',
  weekly: '0 9 * * MON',
  monthly: '0 3 1 * *',
} as const;
export type Preset = keyof typeof presets | 'custom';

export function presetOf(cron: string): Preset {
  const names = Object.keys(presets).filter((name): name is keyof typeof presets => name in presets);
  return names.find((name) => presets[name] === cron.trim()) ?? 'custom';
}

/** A new schedule is by the clock of the person who makes it. */
export function emptyDraft(): ScheduleDraft {
  return {
    name: '',
    cron: presets.nightly,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    prompt: '',
    codebase: '',
    agent: '',
    overlap: 'skip',
    catchUp: 'last',
    jitter: '0',
    description: '',
    enabled: true,
  };
}

export function draftOf(schedule: Schedule): ScheduleDraft {
  const { task_template: template } = schedule;
  return {
    name: schedule.name,
    cron: schedule.cron,
    timezone: schedule.timezone,
    prompt: template.prompt,
    codebase: template.codebase_id ?? '',
    agent: template.agent_type ?? '',
    overlap: schedule.overlap,
    catchUp: schedule.catch_up,
    jitter: String(schedule.jitter_seconds),
    description: schedule.description ?? '',
    enabled: schedule.enabled,
  };
}

/** @param template fields of it that the form does not show stay as they are */
export function bodyOf(draft: ScheduleDraft, template: Partial<Schedule['task_template']> = {}): NewScheduleBody {
  const { codebase_id: _codebase, agent_type: _agent, ...rest } = template;
  return {
    name: draft.name.trim(),
    cron: draft.cron.trim(),
    timezone: draft.timezone.trim(),
    enabled: draft.enabled,
    overlap: draft.overlap,
    catch_up: draft.catchUp,
    jitter_seconds: Number(draft.jitter),
    task_template: {
      ...rest,
      prompt: draft.prompt,
      ...(draft.codebase !== '' && { codebase_id: draft.codebase }),
      ...(draft.agent.trim() !== '' && { agent_type: draft.agent.trim() }),
    },
    ...(draft.description.trim() !== '' && { description: draft.description }),
  };
}
