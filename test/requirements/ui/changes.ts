// The monitor UI: the review of a task's changes, and the comparison of tasks (sections 4.5, 4.6 and 5.2).
import { requirements, type Requirement } from '../requirement.ts';

export const uiChanges: Requirement[] = requirements('ui-4', 'monitor-ui', {
  'ui-4.5.21':
    'Lines of a change are commented by keys, and the comments sent to the agent from a sheet that lists them.',
  'ui-4.5.22':
    'The new task has the places, quotes and texts of the comments, and begins on the branch of the reviewed one.',
  'ui-4.5.23': 'Both tasks of a review link to each other and tell which comments are open, addressed or outdated.',
  'ui-4.5.24':
    'The draft of a review lies on the service 800 ms after typing, and in the tab until the service has it, over a reload too.',
  'ui-4.5.25': 'A change is reviewed and sent on a phone without a page wider than the window.',
  'ui-4.5.26':
    'The merge and apply commands are copied, the patch is downloaded, white space is hidden, and a file is explained without losing comments.',
  'ui-4.5.27': 'Links open a file, a line and an attempt of the changes; what the caller may not do tells why.',
  'ui-4.6.1': 'Two to four tasks are compared by state, duration, tokens, cost, files, lines and what the tests said.',
  'ui-4.6.2':
    'Files are equal or different by their hunks; a file opens its patches side by side; taking one copies its merge command.',
  'ui-4.6.3': 'The tasks that were not taken are cancelled after a question whose first button keeps them.',
  'ui-4.6.4': 'Attempts of one task are compared by the diff of each; one after an answer is an attempt of its own.',
  'ui-4.6.5': 'The comparison fits a phone, and says what is missing or not found.',
});
