// The words that the view of changes needs.
import type { TreeFilter } from './tree/tree-rows.ts';

export interface ChangesWords {
  readonly changes: string;
  readonly files: string;
  readonly filterFiles: string;
  readonly filterState: string;
  readonly treeFilters: Readonly<Record<TreeFilter, string>>;
  readonly noFiles: string;
  readonly noFit: string;
  readonly viewed: string;
  readonly viewedOf: (viewed: number, all: number) => string;
  readonly split: string;
  readonly wrap: string;
  readonly hideSpace: string;
  readonly fileTree: string;
  readonly fold: (path: string) => string;
  readonly status: Readonly<Record<'added' | 'modified' | 'deleted' | 'renamed', string>>;
  readonly counts: (added: number, removed: number) => string;
  readonly renamedFrom: (path: string) => string;
  readonly modeChanged: (from: string, to: string) => string;
  readonly binary: string;
  readonly noLines: string;
  readonly loading: string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly foldedBecause: Readonly<Record<'generated' | 'lock' | 'large', string>>;
  readonly show: string;
  readonly hunk: (line: number) => string;
  readonly commentLine: (side: 'old' | 'new', line: number) => string;
  readonly commentRange: (side: 'old' | 'new', from: number, to: number) => string;
  readonly commentFile: (path: string) => string;
  readonly commentAll: string;
  readonly commentPlace: (side: 'old' | 'new', from: number, to: number) => string;
  readonly outdated: string;
  readonly moved: (line: number) => string;
  readonly save: string;
  readonly drop: string;
  readonly edit: string;
  readonly comments: (count: number) => string;
  readonly keys: Readonly<
    Record<
      'nextHunk' | 'previousHunk' | 'nextFile' | 'previousFile' | 'comment' | 'viewed' | 'split' | 'send' | 'fold',
      string
    >
  >;
}
