// The monitor UI: pages that live through crashes, several tabs, ended sessions and broken connections; what they copy.
import { requirements, type Requirement } from '../requirement.ts';

export const uiLivePages: Requirement[] = [
  ...requirements('ui-3', 'monitor-ui', {
    'ui-3.3.11':
      'The output on a page has each line once and in order after the service was killed or its connections were cut.',
    'ui-3.3.12': 'The tabs of one browser share one stream of the monitor, and all calls of all tabs are answered.',
    'ui-3.3.13':
      'When the tab that reads the stream of the monitor is closed, another goes on after the last frame that came.',
    'ui-3.3.14': 'Who signs out in one tab is signed out in all tabs of the browser.',
    'ui-3.3.15': 'Ages are told by the clock of the service.',
    'ui-3.3.16':
      'When a session was ended elsewhere, a panel lies over the page; page, draft and output go on after signing in.',
    'ui-3.3.17':
      'While the service is away, an action is refused as not sent and its text is kept; the page goes on by itself.',
    'ui-3.3.18': 'After a resync the lists are read again in place, and one line says so.',
  }),
  ...requirements('ui-12', 'monitor-ui', {
    'ui-12.9.1': 'The pictures of the pages are shown in the documents, and none is larger than 150 kB.',
    'ui-12.9.2': 'The curl line and the command that a task copies run as they stand and answer that task.',
    'ui-12.9.3': 'The jobs of a task are done by the keyboard alone.',
    'ui-12.9.4': 'The jobs of a task are done by touch on a page of 390 pixels.',
    'ui-12.9.5': 'A key is made and revoked, and a tenant is crossed, by the keyboard alone and by touch.',
  }),
];
