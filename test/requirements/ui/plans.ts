// The monitor UI: schedules and objectives (section 16, jobs 16 and 17).
import { requirements, type Requirement } from '../requirement.ts';

export const uiPlans: Requirement[] = requirements('ui-16', 'monitor-ui', {
  'ui-16.3.1':
    'A schedule is made by keys alone, and its form shows the next five times of the expression in its zone.',
  'ui-16.3.2': 'A schedule is made, edited and run on a phone by touch.',
  'ui-16.3.3': 'An expression or zone that is wrong is refused at its field, and the draft stays.',
  'ui-16.3.4': 'The runs of a schedule tell by mark and word what became of each due time, filtered in the address.',
  'ui-16.3.5': 'Schedules are listed by state and searched by name; an empty list shows the command that fills it.',
  'ui-16.4.1':
    'An objective is created, approved and run by keys alone, and its page follows the run without a reload.',
  'ui-16.4.2': 'An objective is approved and run on a phone by touch, and its key results are reported by hand.',
  'ui-16.4.3': 'A decision on an objective that changed meanwhile is refused, and the page shows the newer state.',
  'ui-16.4.4': 'A denial and a removal ask first.',
  'ui-16.5.1':
    'A role without the read permission sees its name; controls of a missing permission are disabled with it.',
  'ui-16.5.2': 'The copied curl and command lines of a schedule and an objective run as they stand.',
});
