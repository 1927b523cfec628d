// The files of a change as a tree with a filter: virtual, folders folded by a click, state and comments as words.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { markControls } from '../../../text/clean.ts';
import { SelectField } from '../../controls/field.tsx';
import type { ChangedFile } from '../changed-file.ts';
import type { ChangesWords } from '../changes-words.ts';
import { treeFilters, treeRows, type TreeFilter, type TreeRow } from './tree-rows.ts';

export interface FileTreeProps {
  readonly files: readonly ChangedFile[];
  readonly viewed: ReadonlySet<string>;
  /** Comments of each path. */
  readonly commented: ReadonlyMap<string, number>;
  readonly current: string | undefined;
  readonly words: ChangesWords;
  readonly onFile: (path: string) => void;
}

const rowHeight = 28;

export function FileTree(props: FileTreeProps): ReactNode {
  const { files, viewed, commented, words } = props;
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<TreeFilter>('all');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => treeRows(files, { text, filter, viewed, commented, closed }),
    [files, text, filter, viewed, commented, closed],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  return (
    <nav aria-label={words.fileTree} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-1 border-b border-line p-2">
        <input
          type="search"
          aria-label={words.filterFiles}
          placeholder={words.filterFiles}
          value={text}
          className="min-h-(--control) min-w-0 rounded-sm border border-edge bg-ground px-2"
          onChange={(event) => {
            setText(event.target.value);
          }}
        />
        <SelectField
          label={words.filterState}
          hideLabel
          value={filter}
          onChange={setFilter}
          choices={treeFilters.map((value) => ({ value, label: words.treeFilters[value] }))}
        />
        <p className="text-xs text-soft">
          {words.viewedOf(files.filter(({ path }) => viewed.has(path)).length, files.length)}
        </p>
      </div>
      {rows.length === 0 ? <p className="p-2 text-soft">{words.noFit}</p> : null}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
        <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li
                key={row.key}
                className="absolute start-0 top-0 w-full"
                style={{ height: rowHeight, transform: `translateY(${String(start)}px)` }}
              >
                <TreeButton
                  row={row}
                  tree={props}
                  onFolder={(path) => {
                    const next = new Set(closed);
                    if (!next.delete(path)) next.add(path);
                    setClosed(next);
                  }}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </nav>
  );
}

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

function TreeButton({
  row,
  tree,
  onFolder,
}: {
  readonly row: TreeRow;
  readonly tree: FileTreeProps;
  readonly onFolder: (path: string) => void;
}): ReactNode {
  const { words, viewed, commented, current } = tree;
  const style = { paddingInlineStart: 8 + row.depth * 14 };
  const shape = 'flex h-full w-full items-center gap-1.5 pe-2 text-start text-sm hover:bg-sunk';
  if (row.kind === 'folder') {
    return (
      <button
        type="button"
        className={shape}
        style={style}
        aria-expanded={!row.isClosed}
        onClick={() => onFolder(row.path)}
      >
        <span aria-hidden="true">{row.isClosed ? '▸' : '▾'}</span>
        <bdi className="truncate text-soft">{markControls(row.name)}</bdi>
      </button>
    );
  }
  const comments = commented.get(row.file.path);
  return (
    <button
      type="button"
      className={`${shape} ${current === row.file.path ? 'bg-sunk font-semibold' : ''}`}
      style={style}
      aria-current={current === row.file.path ? 'true' : undefined}
      onClick={() => tree.onFile(row.file.path)}
    >
      <abbr title={words.status[row.file.status]} className="w-[1.2em] shrink-0 text-center text-soft no-underline">
        {letters[row.file.status]}
      </abbr>
      <bdi className="min-w-0 flex-1 truncate">{markControls(row.name)}</bdi>
      {comments === undefined ? null : (
        <span className="text-ask" title={words.comments(comments)}>{`◆ ${String(comments)}`}</span>
      )}
      {viewed.has(row.file.path) ? (
        <span className="text-ok" title={words.viewed}>
          ✓<span className="sr-only">{words.viewed}</span>
        </span>
      ) : null}
    </button>
  );
}
