// The monitor UI: Questions (4.2), Overview (4.1) and Start (4.16).
import { requirements, type Requirement } from '../requirement.ts';

export const uiHome: Requirement[] = [
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.1.1':
      'The overview shows what needs a person, what is stuck, what is at work and what has just ended; a band without entries is gone.',
    'ui-4.1.2': 'What waits without a worker is told by route, with its reason, its remedy and the command to copy.',
    'ui-4.1.3': 'Tasks at work are one line each with their last line of output, the longest silent first.',
    'ui-4.1.4': 'The chart of the last day has its figures as a table, too.',
    'ui-4.1.5': 'The keys j, k, c, p, m and r work on the line of now.',
    'ui-4.16.1': 'While the tenant has no task the overview leads to Start; afterwards both keep their own page.',
    'ui-4.16.2':
      'Start tells that the service runs, which worker is here with its agents, and which codebase is bound.',
    'ui-4.16.3':
      'Run it gives the first task to the agent and folder that were found, and lands on the page of the task.',
    'ui-4.16.4': 'When the first task is done, Start tells its branch and the command that merges it.',
    'ui-4.2.1':
      'The page of questions lists what asks before what went wrong, and on a phone the question has a page of its own.',
    'ui-4.2.2':
      'A question has the field Your answer, and one button for each option, named by its label, which answers at once.',
    'ui-4.2.3': 'Answer and next sends the answer and opens the next question; the keys are a, 1 to 9 and mod+Enter.',
    'ui-4.2.4': 'An answer is told as queued, and as delivered when a worker has the task again.',
    'ui-4.2.5': 'A question that was answered elsewhere is told with the name of who answered, and the page moves on.',
    'ui-4.2.6': 'A question shows the last 30 lines of output, the files changed and the exchange so far.',
    'ui-4.2.7':
      'A question of a run has its options as buttons without underscores, and a field beside those that take one.',
    'ui-4.2.8': 'A dead delivery, a failed run and a lost worker have an action that mends them, and Dismiss.',
    'ui-4.2.9':
      'The draft of an answer is kept for each question while the tab is open, and no longer than until it is sent.',
    'ui-4.2.10': 'A browser is asked for notifications by a button only.',
    'ui-4.2.11': 'The title of the window and its icon tell that questions are open.',
  }),
];
