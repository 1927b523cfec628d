// The monitor UI: what its pages read, keep, leave out and offer.
import { requirements, type Requirement } from '../requirement.ts';

export const uiPageBehaviour: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.3.40': 'Frames of the streams make a page read an answer again at most every five seconds.',
  }),
  ...requirements('ui-7', 'monitor-ui', {
    'ui-7.3.40': 'Signing out clears answers and drafts in every tab of the browser.',
    'ui-7.3.41': 'Another person who signs in on a page sees nothing of what was read and written there before.',
    'ui-7.3.42': 'A tenant in the address that the caller may not act in is left out with one notice.',
  }),
  ...requirements('ui-4', 'monitor-ui', {
    'ui-4.2.40': 'The page of a question reads the exchange when it is unfolded.',
    'ui-4.2.41': 'Open questions are counted, however many other things wait that are newer.',
    'ui-4.5.40': 'The exchange of a task is read from its end, and further back on demand.',
  }),
  ...requirements('ui-5', 'monitor-ui', {
    'ui-5.1.40': 'The output of a task that ended while nothing followed it is whole when its page is seen again.',
    'ui-5.1.41': 'The output of one attempt has nothing of the next one, also while that writes.',
  }),
];
