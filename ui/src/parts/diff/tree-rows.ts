// The rows of the tree of files: each folder once above its files, in the order of the paths.
import type { ChangedFile } from './changed-file.ts';

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

/** `filter` is a part of the path, or of `added`, `modified`, `deleted`, `renamed`. Closed folders hide what they hold. */
export function treeRows(files: readonly ChangedFile[], filter: string, closed: ReadonlySet<string>): TreeRow[] {
  const wanted = filter.trim().toLowerCase();
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const sorted = files
    .filter(({ path, status }) => wanted === '' || path.toLowerCase().includes(wanted) || status === wanted)
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
