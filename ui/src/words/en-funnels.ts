// Words of the funnels.
import { catalogue, count, number } from './catalogue.ts';

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

export const funnelWords = catalogue({
  title: 'Funnels',
  table: 'Funnels',
  columns: { name: 'Name', steps: 'Steps', window: 'Window' },
  builtIn: 'built in',
  steps: (value: number) => count(value, 'step', 'steps'),
  window: (hours: number) => (hours % 24 === 0 ? count(hours / 24, 'day', 'days') : count(hours, 'hour', 'hours')),
  range: 'People who began in the',
  last: (value: number) => `last ${count(value, 'day', 'days')}`,
  previousRange: 'Fewer days',
  nextRange: 'More days',
  facts: {
    entered: 'Began',
    converted: 'Reached the end',
    rate: 'Of those who began',
    median: 'Half of them within',
    window: 'Window',
    from: 'Began from',
    to: 'Until',
  },
  nothing: 'nobody yet',
  picture: (name: string) => `People along ${name}`,
  step: 'Step',
  people: 'People',
  ofFirst: 'Of the first',
  ofBefore: 'Of the step before',
  lost: 'Lost',
  peopleText: (people: number) => count(people, 'person', 'people'),
  ofFirstText: (share: string) => `${share} of the first`,
  ofBeforeText: (share: string) => `${share} of the step before`,
  lostText: (people: number) => `${number(people)} lost`,
  where: (name: string, value: string) => `${name} = ${value}`,
  event: (name: string) => `Event ${name}`,
  day: (at: string) => days.format(new Date(at)),
  percent: (share: number) => percents.format(share),
  number,
  noRate: '–',
  empty: 'Nobody took the first step in these days. The picture appears when events of that name are recorded.',
  definition: 'Steps',
  mayNotCount: (reason: string) => `Counting people ${reason}.`,
});
