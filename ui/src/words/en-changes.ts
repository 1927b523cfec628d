// Words of the view of changes.
import type { ChangesWords } from '../parts/diff/changes-words.ts';
import { catalogue, count, number } from './catalogue.ts';

const lines = (from: number, to: number): string =>
  from === to ? `line ${String(from)}` : `lines ${String(from)} to ${String(to)}`;

export const changesWords: ChangesWords = catalogue({
  changes: 'Changes',
  files: 'Files',
  filterFiles: 'Filter files',
  noFiles: 'This task changed no file.',
  noFit: 'No file fits.',
  viewed: 'Viewed',
  viewedOf: (viewed: number, all: number) => `viewed ${number(viewed)} of ${number(all)}`,
  split: 'Split',
  wrap: 'Wrap',
  hideSpace: 'Hide white space',
  fileTree: 'Files',
  fold: (path: string) => `Lines of ${path}`,
  status: { added: 'added', modified: 'modified', deleted: 'deleted', renamed: 'renamed' },
  counts: (added: number, removed: number) => `+${number(added)} −${number(removed)}`,
  renamedFrom: (path: string) => `was ${path}`,
  modeChanged: (from: string, to: string) => `mode ${from} is now ${to}`,
  binary: 'Binary file: its content is not shown.',
  noLines: 'No line changed.',
  loading: 'Loading the patch',
  failed: 'The patch could not be loaded.',
  tryAgain: 'Try again',
  foldedBecause: {
    generated: 'Folded: a generated file.',
    lock: 'Folded: a lock file.',
    large: 'Folded: more than 1,500 changed lines.',
  },
  show: 'Show',
  hunk: (line: number) => `From line ${String(line)}`,
  commentLine: (side: 'old' | 'new', line: number) => `Comment on ${side} line ${String(line)}`,
  commentRange: (side: 'old' | 'new', from: number, to: number) => `Comment on ${side} ${lines(from, to)}`,
  commentFile: (path: string) => `Comment on ${path}`,
  commentAll: 'Comment on the whole change',
  commentPlace: (side: 'old' | 'new', from: number, to: number) => `${side} ${lines(from, to)}`,
  outdated: 'outdated: the text is no longer there',
  moved: (line: number) => `now at line ${String(line)}`,
  save: 'Save',
  drop: 'Drop',
  edit: 'Edit',
  comments: (comments: number) => count(comments, 'comment', 'comments'),
  keys: {
    nextHunk: 'Next hunk',
    previousHunk: 'Previous hunk',
    nextFile: 'Next file',
    previousFile: 'Previous file',
    comment: 'Comment on the line in sight',
    viewed: 'Mark the file as viewed',
    split: 'Side by side',
    send: 'Send the comments',
    fold: 'Fold the file',
  },
});
