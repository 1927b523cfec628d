// What is asked of cron jobs.
import { requirements } from '../requirement.ts';

export const platformCron = requirements('platform-3', 'insight', {});
