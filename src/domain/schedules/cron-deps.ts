// Dependencies of the verbs of cronjobs.
import type { ActingDeps } from '../access/acting-owner.ts';
import type { TaskDeps } from '../tasks/deps.ts';

export type CronDeps = ActingDeps & Pick<TaskDeps, 'wake' | 'makeId' | 'egress' | 'defaultMaxAttempts'>;
