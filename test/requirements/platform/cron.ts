// The requirements of cron jobs.
import { requirements } from '../requirement.ts';

export const platformCron = [
  ...requirements('platform-3.1', 'schedules', {
    'platform-3.1.1':
      'The tables cronjobs and cronjob_runs have the columns that the design names, under row-level security.',
    'platform-3.1.2': 'A due time changed in the table cronjobs is the due time.',
    'platform-3.1.3': 'Runs are kept RETENTION_DAYS after their end.',
  }),
  ...requirements('platform-3.2', 'schedules', {
    'platform-3.2.1':
      'The next due time is the first at or after starts_at, and null when none is left before ends_at.',
    'platform-3.2.2': 'Each due time makes one run, over all replicas, kills and cut connections.',
    'platform-3.2.3': 'The task has the owner of the job, and metadata that names the job, the run and the due time.',
    'platform-3.2.4': 'A fixed time that does not exist on a day fires once, at the first minute after the gap.',
    'platform-3.2.5': 'A fixed time that exists twice on a day fires once, the first time.',
    'platform-3.2.6': 'Stars and steps in minutes or hours follow real time.',
    'platform-3.2.7':
      'Five fields with names, L, W, #, ranges and steps, or one of five names; day of month and day of week: either.',
    'platform-3.2.8': 'Six fields, dates, @reboot, more than 200 characters and times that never come are refused.',
    'platform-3.2.9': 'A time that is noticed at most 60 s late fires with the trigger schedule.',
    'platform-3.2.10': 'Catch-up last fires the newest missed time within the window; none fires nothing.',
    'platform-3.2.11': 'Catch-up all fires the newest 100 times within the window, oldest first.',
    'platform-3.2.12': 'Times that are not fired become one run missed with their count; a paused job misses nothing.',
    'platform-3.2.13': 'Overlap skip makes a run skipped with the reason overlap; allow makes a second task.',
    'platform-3.2.14': 'Overlap cancel_previous cancels the old task with the code superseded in the same transaction.',
    'platform-3.2.15': 'The jitter of a job is the same each time and at most jitter_seconds.',
    'platform-3.2.16': 'A run ends as its task does, and its error and counts stand at the job.',
    'platform-3.2.17': 'A run of an owner that may no longer create tasks is skipped with the reason owner_disabled.',
    'platform-3.2.18': 'A run whose codebase is gone failed with the reason codebase_gone, and the job has the error.',
    'platform-3.2.19': 'The loop cron is in the status of the background loops.',
    'platform-3.2.20': 'A job that cannot work gets a failed run and last_error, and holds up no other job.',
    'platform-3.2.21': 'Metrics count due times by status, ended runs, and how late tasks are created.',
  }),
  ...requirements('platform-3.3', 'schedules', {
    'platform-3.3.1':
      'Cron jobs are created, listed, read, changed and deleted over REST; tasks of a deleted one stay.',
    'platform-3.3.2': 'Errors of a job are 400 invalid_cron, unknown_timezone, never_fires and 404 for its codebase.',
    'platform-3.3.3': 'A tenant has at most 1000 cron jobs; one more is 409 too_many_cronjobs.',
    'platform-3.3.4': 'A change that names a stale version is 409 changed_meanwhile.',
    'platform-3.3.5': 'The jobs of another subject are changed by operators alone.',
    'platform-3.3.6': 'A trigger runs a job now, on or off, once for an idempotency key; an open run is 409 run_open.',
    'platform-3.3.7': 'The check of an expression answers its next five times, in UTC and by the clock of the zone.',
    'platform-3.3.9': 'The check of any text answers 200 with valid: false and the code that creation answers.',
    'platform-3.3.8':
      'The command line lists, creates, shows, edits, enables, disables, deletes, triggers and validates jobs.',
  }),
];
