// The monitor UI: lists, counts, waiting, bulk, why (E1, E7, E10).
import { requirements, type Requirement } from '../requirement.ts';

export const uiTaskLists: Requirement[] = [
  ...requirements('ui-6', 'monitor-ui', {
    'ui-6.1.1':
      'The list of tasks takes several statuses and ids, repeated or as a comma list; an unknown value is 400.',
    'ui-6.1.2':
      'The list of tasks is filtered by time of creation, creator, target agent, error code, retry_of, attempts and deadline.',
    'ui-6.1.3': 'The list of tasks is filtered by follows, silent_since (running tasks alone) and paused.',
    'ui-6.1.4': 'sort is created, updated or priority, descending, and pages by cursor without a gap or a repeat.',
    'ui-6.1.5': 'GET /v1/monitor/counts answers counts by status under the filters of the list, capped at 10,000.',
    'ui-6.1.6':
      'GET /v1/monitor/waiting answers each route of pending tasks once, with count, oldest, reason and remedy.',
    'ui-6.1.7': 'Lists and counts examine a bounded number of tasks, however many the tenant has.',
    'ui-6.1.8': 'The list of tasks is filtered by the time at which tasks ended: from one time on, and before another.',
    'ui-6.1.9': 'An export of tasks takes the filters of the list of tasks; another kind refuses those that it lacks.',
    'ui-6.7.1': 'why answers reason, tasks ahead, each worker with can and because, and one sentence with the command.',
    'ui-6.7.2': 'A worker can take a task by why if and only if it may serve it, is online, has a slot and no hold.',
    'ui-6.7.3': 'why for a draft takes the fields of a creation, all optional, and creates nothing.',
    'ui-6.7.4': 'The command task why prints the reason, the workers and the remedy.',
    'ui-6.10.1': 'bulk takes ids or a filter, cancels, retries or sets the priority, and answers an entry for each id.',
    'ui-6.10.2': 'bulk with dry_run answers the same and changes nothing.',
    'ui-6.10.3': 'bulk permits and audits each task as the single call, and one refusal does not stop the others.',
    'ui-6.10.4': 'bulk over a filter changes a bounded number of tasks and names the rest by a cursor.',
    'ui-6.10.5':
      'PATCH changes priority, deadline and title of a pending task; another status is 409, another field 400.',
    'ui-6.10.6': 'The commands task bulk cancel, retry and priority have --dry-run.',
  }),
];
