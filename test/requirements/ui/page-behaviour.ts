// The monitor UI: what its pages read, keep, leave out and offer.
import { requirements, type Requirement } from '../requirement.ts';

export const uiPageBehaviour: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.0.40': 'Every thing has a menu that copies its link, id, call, command and JSON.',
    'ui-3.1.41': 'The address names a line of a change that was chosen.',
    'ui-3.2.41': 'An error leads to its entry in the audit, for a caller who may read it.',
    'ui-3.2.40': 'The command of an empty page runs as it stands.',
    'ui-3.1.40': 'A value of the address that is none of its parameter is left out with one notice.',
    'ui-3.3.41':
      'The news of a list count tasks that fit its filter and tasks of it that do not fit any more; its rows change in place.',
    'ui-3.3.40': 'Frames of the streams make a page read an answer again at most every five seconds.',
  }),
  ...requirements('ui-7', 'monitor-ui', {
    'ui-7.1.40': 'An artifact is drawn as a picture when its bytes are one, whatever its type says.',
    'ui-7.2.41': 'An address in output is no link: a menu shows it whole and opens it.',
    'ui-7.2.40': 'A command that is shown holds no hidden character, and what is copied is what is shown.',
    'ui-7.3.40': 'Signing out clears answers and drafts in every tab of the browser.',
    'ui-7.3.41': 'Another person who signs in on a page sees nothing of what was read and written there before.',
    'ui-7.3.42': 'A tenant in the address that the caller may not act in is left out with one notice.',
  }),
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.2.40': 'The page of a question reads the exchange when it is unfolded.',
    'ui-4.2.41': 'Open questions are counted, however many other things wait that are newer.',
    'ui-4.3.40':
      'The words of the filter take names of things, and what narrows the list stands as chips that drop it.',
    'ui-4.3.41': 'Each filter is also a menu, in a sheet on a phone; where nothing fits, the filters can be dropped.',
    'ui-4.3.42': 'An export of the list holds the tasks that fit its filter.',
    'ui-4.3.43': 'A row of the list has the actions of its task as a menu.',
    'ui-4.3.44': 'A priority for many tasks is a whole number from 0 to 100, and the plan is that of the last one.',
    'ui-4.4.40': 'New task is a panel over any page, by the key n; the page keeps its heading.',
    'ui-4.18.40': 'Arrows move in lists, and Shift with x selects a range.',
    'ui-4.18.41':
      'On the page of a task j and k lead to the next and the previous one of its list, and Escape goes back.',
    'ui-4.5.42': 'A failed task shows the last lines of its output.',
    'ui-4.5.43': 'The facts of a task name its base and its trace.',
    'ui-4.5.44': 'The attempts to compare are chosen.',
    'ui-4.5.41': 'A task has the trace of the call that created it; without a trace it has no such member.',
    'ui-4.5.40': 'The exchange of a task is read from its end, and further back on demand.',
  }),
  ...requirements('ui-8', 'monitor-ui', {
    'ui-8.0.40': 'A relative time shows the exact one while it or its row has the focus.',
  }),
  ...requirements('ui-9', 'monitor-ui', {
    'ui-9.4.40': 'Retries and follow-ups are switches of the line of a task that lead to theirs.',
  }),
  ...requirements('ui-5', 'monitor-ui', {
    'ui-5.1.42': 'The output is saved as a file.',
    'ui-5.2.40': 'A drag over the numbers of lines chooses a range to comment on.',
    'ui-5.2.41': 'The tree of files is filtered by path, state, comments, and what was looked at.',
    'ui-5.1.40': 'The output of a task that ended while nothing followed it is whole when its page is seen again.',
    'ui-5.1.41': 'The output of one attempt has nothing of the next one, also while that writes.',
  }),
];
