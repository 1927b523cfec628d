// One row of the list of changes: a header with the comments on its file, a block of lines, or a note.
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import type { ReviewComment } from './changed-file.ts';
import type { ChangeRow } from './change-rows.ts';
import type { ChangesWords } from './changes-words.ts';
import { CommentBox, SavedComment, type CommentActions } from './comments/comment-box.tsx';
import { FileHeader } from './patch/file-header.tsx';
import { HunkBlockView, keyOfLine, type HunkBlockProps } from './patch/hunk-block.tsx';
import type { LineChoice } from './use-line-press.ts';
import { placeComments, type PlacedComment } from './comments/placed-comments.ts';

export interface ChangeRowActions extends CommentActions {
  readonly onFold: (path: string) => void;
  readonly onViewed: (path: string, isViewed: boolean) => void;
  readonly onCommentFile: (path: string) => void;
  readonly onCommentLine: HunkBlockProps['onComment'];
  readonly onCommentLines: (path: string, side: 'old' | 'new', from: number, to: number) => void;
  readonly onRetry: (path: string) => void;
}

export interface ChangeRowProps {
  readonly row: ChangeRow;
  readonly comments: readonly ReviewComment[];
  readonly draft: ReviewComment | undefined;
  readonly isViewed: boolean;
  readonly isSplit: boolean;
  readonly isWrapped: boolean;
  readonly words: ChangesWords;
  readonly actions: ChangeRowActions;
  /** Lines that are marked: those of the address, or of a drag. */
  readonly chosen: LineChoice | undefined;
}

const noWidgets: Record<string, ReactNode> = {};
const noLines: string[] = [];

export function ChangeRowView(props: ChangeRowProps): ReactNode {
  const { row, words, actions } = props;
  if (row.kind === 'header') return <HeaderRow {...props} row={row} />;
  if (row.kind === 'block') return <BlockRow {...props} row={row} />;
  if (row.kind === 'folded') {
    return (
      <p className="flex items-center gap-3 bg-paper px-3 py-2 text-soft">
        {words.foldedBecause[row.reason]}
        <Button onClick={() => actions.onFold(row.file.path)}>{words.show}</Button>
      </p>
    );
  }
  return (
    <p
      className="flex min-h-10 items-center gap-3 bg-paper px-3 text-soft"
      role={row.note === 'failed' ? 'alert' : undefined}
    >
      {words[row.note]}
      {row.note === 'failed' ? <Button onClick={() => actions.onRetry(row.file.path)}>{words.tryAgain}</Button> : null}
    </p>
  );
}

function HeaderRow(props: ChangeRowProps & { readonly row: ChangeRow & { kind: 'header' } }): ReactNode {
  const { row, comments, draft, words, actions } = props;
  const shown =
    row.patch === undefined ? [] : placeComments(comments, row.patch).filter(({ line }) => line === undefined);
  return (
    <>
      <FileHeader
        file={row.file}
        patch={row.patch}
        isFolded={row.isFolded}
        isViewed={props.isViewed}
        words={words}
        onFold={actions.onFold}
        onViewed={actions.onViewed}
        onComment={actions.onCommentFile}
      />
      {shown.map((placed) => comment(placed, props))}
      {draft !== undefined &&
      draft.path === row.file.path &&
      draft.line === undefined &&
      !comments.some(({ id }) => id === draft.id) ? (
        <CommentBox draft={draft} words={words} {...actions} />
      ) : null}
    </>
  );
}

function BlockRow(props: ChangeRowProps & { readonly row: ChangeRow & { kind: 'block' } }): ReactNode {
  const { row, comments, draft, words, actions } = props;
  const isNew = draft !== undefined && draft.path === row.file.path && !comments.some(({ id }) => id === draft.id);
  const placed = placeComments(isNew ? [...comments, draft] : comments, row.patch);
  const widgets = new Map<string, ReactNode[]>();
  for (const one of placed) {
    const key =
      one.side === undefined || one.endLine === undefined ? undefined : keyOfLine(row.block, one.side, one.endLine);
    if (key !== undefined) widgets.set(key, [...(widgets.get(key) ?? []), comment(one, props)]);
  }
  const selected = selectedKeys(row, draft, props.chosen);
  return (
    <HunkBlockView
      block={row.block}
      path={row.file.path}
      isSplit={props.isSplit}
      isWrapped={props.isWrapped}
      words={words}
      widgets={widgets.size === 0 ? noWidgets : Object.fromEntries(widgets)}
      selected={selected.length === 0 ? noLines : selected}
      onComment={actions.onCommentLine}
    />
  );
}

/** Keys of the lines that the draft is on, or of those that are chosen. */
function selectedKeys(
  { block, file }: ChangeRow & { kind: 'block' },
  draft: ReviewComment | undefined,
  chosen: LineChoice | undefined,
): string[] {
  const { side, line, endLine = line } = draft?.path === file.path ? draft : {};
  const range =
    chosen ??
    (side === undefined || line === undefined || endLine === undefined ? undefined : { side, from: line, to: endLine });
  if (range === undefined) return noLines;
  const { from, to } = range;
  return Array.from({ length: to - from + 1 }, (_, index) => keyOfLine(block, range.side, from + index)).filter(
    (key) => key !== undefined,
  );
}

function comment(placed: PlacedComment, { draft, words, actions }: ChangeRowProps): ReactNode {
  if (draft?.id === placed.comment.id) return <CommentBox key={draft.id} draft={draft} words={words} {...actions} />;
  const note =
    placed.state === 'outdated' ? words.outdated : placed.state === 'moved' ? words.moved(placed.line ?? 0) : undefined;
  return <SavedComment key={placed.comment.id} comment={placed.comment} note={note} words={words} {...actions} />;
}
