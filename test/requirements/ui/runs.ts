// The monitor UI: runs, their board and stories, new runs, PRD chats (4.7).
import { requirements, type Requirement } from '../requirement.ts';

export const uiRuns: Requirement[] = [
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.7.1':
      'The list of runs shows project, branch, state, stories as a bar of marks, iteration, what is spent, and the first question; it begins PRD chats and new runs.',
    'ui-4.7.2':
      'The board has the regions Pending, Running, Passed and Failed with their count in the heading, and each card is a link to its story.',
    'ui-4.7.3':
      'What a run asks has one button for each option, named by its words without underscores, and an option that takes text has a field beside it.',
    'ui-4.7.4':
      'A run at work has the buttons Pause or Resume, Tell and Cancel run, and a finished one Retry; Cancel run asks first, and its focused button keeps the run.',
    'ui-4.7.5':
      'A story shows each criterion with its evidence: who, command, exit code, before and after, tests, time, last lines; and its attempts with links to their tasks.',
    'ui-4.7.6': 'A pending story can be edited on its page; no other story can.',
    'ui-4.7.7':
      'The arrows move between columns, j and k between cards, Enter opens a story, e opens all its evidence, Escape leads back to its card.',
    'ui-4.7.8': 'A board that is open follows its run without a reload.',
    'ui-4.7.9':
      'A new run takes a PRD as YAML or JSON, shows the lint beside it when the field is left, and leads to the run that it starts.',
    'ui-4.7.10':
      'A PRD chat has one message field and Send, a button for each lettered option, and the PRD with its lint marks beside the chat.',
    'ui-4.7.11': 'Where runs are turned off, the list and the form say so, and what there is can be read.',
    'ui-4.7.12':
      'At 390 px the columns stand one below the other, a story has the page to itself, and nothing is wider than the page.',
    'ui-4.7.13':
      'The line of a run puts each story behind all that it depends on, draws the rails that follow from no other, and ends at the branch.',
    'ui-4.7.14': 'A run that does not exist, or is of another tenant, is told as not found.',
    'ui-4.7.15': 'The list of runs has enabled false while runs are turned off, and no such member otherwise.',
  }),
];
