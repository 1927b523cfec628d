// Words of the costs.
import { catalogue, count, number } from '../catalogue.ts';

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

export const costsWords = catalogue({
  title: 'Costs',
  csv: 'CSV',
  from: 'From',
  to: 'To',
  apply: 'Show',
  range: 'Days',
  last: (value: number) => `Last ${count(value, 'day', 'days')}`,
  wrongRange: 'The first day is after the last one.',
  by: 'Table by',
  groupings: {
    model: 'Model',
    agent: 'Agent',
    agent_type: 'Agent type',
    codebase: 'Codebase',
    created_by: 'Person',
    worker: 'Worker',
    ralph_run: 'Run',
    day: 'Day',
  },
  measure: 'Chart of',
  measures: { cost: 'Cost', tokens: 'Tokens', tasks: 'Tasks' },
  byDay: 'By day',
  chart: { cost: 'Cost by day', tokens: 'Tokens by day', tasks: 'Ended tasks by day' },
  series: {
    cost: 'Cost',
    input: 'Input tokens',
    output: 'Output tokens',
    cached: 'Cached tokens',
    completed: 'Completed',
    failed: 'Failed',
    other: 'Cancelled',
  },
  day: 'Day',
  dayText: (day: string) => days.format(new Date(day)),
  facts: {
    cost: 'Cost',
    unpriced: 'Unpriced tasks',
    tasks: 'Ended tasks',
    tokens: 'Tokens',
    first: 'At the first attempt',
  },
  tokensOf: (input: number, output: number, cached: number) =>
    `${short.format(input)} in, ${short.format(output)} out, ${short.format(cached)} cached`,
  table: (by: string) => `Usage by ${by}`,
  columns: {
    share: 'Share',
    cost: 'Cost',
    unpriced: 'Unpriced',
    tasks: 'Tasks',
    failed: 'Failed',
    median: 'Median',
    input: 'In',
    output: 'Out',
    cached: 'Cached',
  },
  total: 'All',
  nothing: 'none',
  unpriced: 'unpriced',
  unpricedHint: 'Agents reported no cost for these tasks. Totals exclude them.',
  cost: (usd: number) => (usd > 0 && usd < 1 ? cents : dollars).format(usd),
  percent: (share: number) => percents.format(share),
  compact: (value: number) => short.format(value),
  number,
  shareOfTokens: 'Nothing has a price: shares are of the tokens.',
  empty: 'No task ended in these days. Costs appear here when the first one does.',
});
