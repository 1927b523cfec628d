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
