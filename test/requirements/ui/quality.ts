// The monitor UI: budgets, tests and benchmark (sections 7, 8, 9, 12 and 13).
import { requirements, type Requirement } from '../requirement.ts';

export const uiQuality: Requirement[] = [
  ...requirements('ui-7', 'monitor-ui', {
    'ui-7.3':
      'A session lies in memory and sessionStorage alone: no cookie that scripts read, no database, no address holds it.',
    'ui-7.2.1':
      'Text of agents, people and paths makes no element, attribute, request or dialog on any page, whatever it holds.',
  }),
  ...requirements('ui-8', 'monitor-ui', {
    'ui-8.1':
      'Each page, for each role and layout, has one heading of the first level and no violation of WCAG 2.2 AA.',
    'ui-8.2': 'Every word of the pages stands in a catalogue: no element and no named attribute has a literal.',
  }),
  ...requirements('ui-9', 'monitor-ui', {
    'ui-9.1': 'Each pair of colours of the tokens has its contrast in light and in dark.',
  }),
  ...requirements('ui-12', 'monitor-ui', {
    'ui-12.1': 'Before the first paint a page loads at most 130 kB of JavaScript after gzip.',
    'ui-12.2': 'The first load, with style and two fonts, has at most 200 kB.',
    'ui-12.3': 'Opening a screen loads at most 60 kB of JavaScript beyond the first load.',
  }),
  ...requirements('ui-13', 'monitor-ui', {
    'ui-13.1': 'Each page opens by its address for each role, asks no other host, and fits its window in any layout.',
  }),
];
