// The rows of the tree of files: each folder once above its files, in the order of the paths.
import type { ChangedFile } from '../changed-file.ts';

export type TreeRow =
  | {
      readonly kind: 'folder';
      readonly key: string;
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly isClosed: boolean;
    }
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly file: ChangedFile;
      readonly name: string;
      readonly depth: number;
    };

/** The files that the tree shows: all, those of a state, or those that the reader has not viewed. */
export const treeFilters = ['all', 'added', 'modified', 'deleted', 'renamed', 'unviewed', 'commented'] as const;
export type TreeFilter = (typeof treeFilters)[number];

export interface TreeOptions {
  /** A part of the path. */
  readonly text: string;
  readonly filter: TreeFilter;
  readonly viewed: ReadonlySet<string>;
  readonly commented: ReadonlyMap<string, number>;
  /** Closed folders hide what they hold. */
  readonly closed: ReadonlySet<string>;
}

export function treeRows(files: readonly ChangedFile[], options: TreeOptions): TreeRow[] {
  const { closed } = options;
  const text = options.text.trim().toLowerCase();
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const sorted = files
    .filter((file) => file.path.toLowerCase().includes(text) && fits(file, options))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of sorted) {
    const parts = file.path.split('/');
    const folders = parts
      .slice(0, -1)
      .map((name, depth) => ({ name, depth, path: parts.slice(0, depth + 1).join('/') }));
    const hidden = folders.findIndex(({ path }) => closed.has(path));
    for (const { name, depth, path } of hidden === -1 ? folders : folders.slice(0, hidden + 1)) {
      if (seen.has(path)) continue;
      seen.add(path);
      rows.push({ kind: 'folder', key: `${path}/`, path, name, depth, isClosed: closed.has(path) });
    }
    if (hidden === -1)
      rows.push({ kind: 'file', key: file.path, file, name: parts.at(-1) ?? file.path, depth: folders.length });
  }
  return rows;
}

function fits({ path, status }: ChangedFile, { filter, viewed, commented }: TreeOptions): boolean {
  if (filter === 'all') return true;
  if (filter === 'unviewed') return !viewed.has(path);
  return filter === 'commented' ? commented.has(path) : status === filter;
}
