// The monitor UI: screens, states, keys, look, words (sections 3 to 9).
import { requirements, type Requirement } from '../requirement.ts';

export const uiPages: Requirement[] = [
  ...requirements('ui-9', 'monitor-ui', {
    'ui-9.2.1': 'The sign-in page, the documentation of the interface and the pages have the colours of one table.',
  }),
];
