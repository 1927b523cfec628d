// The monitor UI: cleaned text, the view of output, the view of changes (sections 3 and 5).
import { requirements, type Requirement } from '../requirement.ts';

export const uiViews: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.0.1': 'The curl line of a call is the same call after a POSIX shell has read it, and names no real token.',
  }),
  ...requirements('ui-5', 'monitor-ui', {
    'ui-5.1.1':
      'The cleaners are total and idempotent; of controls, SGR alone stays in output, and everything hidden is a visible mark.',
    'ui-5.1.2':
      'The store of output has the same lines and numbers however pieces are cut and loaded, keeps 200,000 lines, and notifies once a frame.',
    'ui-5.1.3':
      'Colours of output are class names of tokens; a colour by numbers is drawn only where its contrast is at least 4.5:1.',
    'ui-5.1.4':
      'The output follows its end where the reader stands at the end, and does not move elsewhere, in any way of wrapping.',
    'ui-5.1.5':
      'The output is a log named Output without live announcements; a status names what is new every ten seconds.',
    'ui-5.1.6': 'A search of the output counts its hits and goes to the next and the previous one.',
    'ui-5.1.7': 'The number of a line is a link to it, and a linked line is loaded and shown.',
    'ui-5.1.8':
      'Markdown becomes elements without HTML; no image is loaded, and a link leads to http or https and shows its target.',
    'ui-5.2.1': 'A patch of git is read whole; a broken or hostile one is read as far as it goes.',
    'ui-5.2.2': 'A comment is found again by its quoted text at its line or the nearest place, else it is outdated.',
    'ui-5.2.3': 'The changes are drawn in blocks of at most 50 lines, which hold every line once and in order.',
    'ui-5.2.4': 'Each line, a range, a file and the whole change take comments, which are saved or dropped.',
    'ui-5.2.5':
      'Generated files, lock files and files of more than 1,500 changed lines are folded until they are opened.',
    'ui-5.2.6': 'The views of output and of changes run under the policy of the pages without a violation.',
  }),
];

export const uiPages: Requirement[] = [
  ...requirements('ui-9', 'monitor-ui', {
    'ui-9.2.1': 'The sign-in page, the documentation of the interface and the pages have the colours of one table.',
  }),
];

export const uiPageBehaviour: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.0.40': 'Every thing has a menu that copies its link, id, call, command and JSON.',
    'ui-3.1.41': 'The address names a line of a change that was chosen.',
    'ui-3.2.41': 'An error leads to its entry in the audit, for a caller who may read it.',
    'ui-3.2.42': 'A part of a page that waits is busy from its first moment.',
    'ui-3.2.40': 'The command of an empty page runs as it stands.',
    'ui-3.1.40': 'A value of the address that is none of its parameter is left out with one notice.',
    'ui-3.3.41':
      'The news of a list count tasks that fit its filter and tasks of it that do not fit any more; its rows change in place.',
    'ui-3.3.40': 'Frames of the streams make a page read an answer again at most every five seconds.',
    'ui-3.3.43': 'What changed between the first reading of a page and the beginning of its stream is shown.',
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
