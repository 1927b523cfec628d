// Words of the view of output.
import type { OutputWords } from '../parts/log/output-words.ts';
import { catalogue, count, number } from './catalogue.ts';

export const outputWords: OutputWords = catalogue({
  output: 'Output',
  wrap: 'Wrap',
  plainText: 'Plain text',
  plainTextNote: 'The last 2,000 lines as one text.',
  times: 'Times',
  wordsOnly: 'Words only',
  search: 'Search',
  searchIn: 'Search the output',
  next: 'Next hit',
  previous: 'Previous hit',
  close: 'Close the search',
  follow: 'Follow the end',
  copyLine: 'Copy the link of the line',
  top: 'Go to the first line',
  empty: 'No output yet.',
  showWhole: 'Show the whole line',
  errorStream: 'error output',
  loading: 'Loading lines',
  noHits: 'No hits',
  searching: 'Searching',
  searchFailed: 'The service could not search older output.',
  hits: (current: number, all: number) => `${number(current)} of ${number(all)}`,
  newLines: (lines: number) => count(lines, 'new line', 'new lines'),
  status: (lines: number, last: string) => `${count(lines, 'new line', 'new lines')}, last: ${last}`,
  lineLink: (line: number) => `Line ${String(line)}`,
  fold: (tool: string) => `Output of ${tool}`,
});
