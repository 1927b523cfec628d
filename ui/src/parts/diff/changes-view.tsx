// The view of changes: the tree of files left, the patches of all files in one virtual list, comments on any line.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { changeRows, isFileFolded } from './change-rows.ts';
import type { ChangeRowActions } from './change-row.tsx';
import type { ChangedFile, ReviewComment } from './changed-file.ts';
import { ChangesList, type ChangesListHandle } from './changes-list.tsx';
import type { ChangesWords } from './changes-words.ts';
import { CommentBox, SavedComment } from './comments/comment-box.tsx';
import { FileTree } from './tree/file-tree.tsx';
import { compactPatch, PatchStore, type LoadedPatch, type LoadPatch, type PatchState } from './patch/patch-store.ts';
import { quoteOf } from './comments/placed-comments.ts';
import type { LineChoice } from './use-line-press.ts';
import { useChangesActions } from './use-changes-actions.ts';
import { useLatest } from '../use-latest.ts';
import { useMedia } from '../use-media.ts';

export interface ChangesViewProps {
  /** The files in the order of the diff. */
  readonly files: readonly ChangedFile[];
  readonly loadPatch: LoadPatch;
  readonly words: ChangesWords;
  readonly comments: readonly ReviewComment[];
  /** The comment that is being written; it belongs to the page, so that nothing is lost when its row leaves the list. */
  readonly draft: ReviewComment | undefined;
  readonly onDraft: (draft: ReviewComment | undefined) => void;
  readonly onSave: (comment: ReviewComment) => void;
  /** Drops a saved comment, or the draft of this id. */
  readonly onDrop: (id: string) => void;
  readonly viewed: ReadonlySet<string>;
  readonly onViewed: (path: string, isViewed: boolean) => void;
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
  /** The place of the address. */
  readonly at:
    | { readonly path: string; readonly side?: 'old' | 'new' | undefined; readonly line?: number | undefined }
    | undefined;
  readonly onFile: (path: string) => void;
  /** A line was chosen: the address names it. */
  readonly onLine: (path: string, side: 'old' | 'new', line: number) => void;
  readonly onSend: () => void;
}

/** Fills its parent, which has a height. */
export function ChangesView(props: ChangesViewProps): ReactNode {
  const { files, words, comments, draft, viewed, isWrapped } = props;
  const list = useRef<ChangesListHandle>(null);
  const [wantsSplit, setSplit] = useState(false);
  const isSplit = useMedia(splitWidth) && wantsSplit;
  const [hidesSpace, setHidesSpace] = useState(false);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [current, setCurrent] = useState<string>();
  const patches = usePatches(props.loadPatch);
  const version = patches.version();
  const rows = useMemo(
    () => changeRows(files, (path) => (hidesSpace ? compactPatch : shownPatch)(patches.get(path)), folds, viewed),
    [files, patches, version, folds, viewed, hidesSpace],
  );
  const fold = useCallback((path: string, isFolded: boolean) => {
    setFolds((now) => new Map(now).set(path, isFolded));
  }, []);
  const actions = useActions(props, patches, folds, fold);
  const showFile = (path: string): void => {
    props.onFile(path);
    list.current?.showFile(path);
  };
  useChangesActions(words, {
    list,
    files,
    current,
    split: () => {
      setSplit(!wantsSplit);
    },
    fold: actions.onFold,
    viewed: (path) => {
      props.onViewed(path, !viewed.has(path));
    },
    comment: (path) => {
      if (list.current?.commentInSight() !== true) actions.onCommentFile(path);
    },
    send: props.onSend,
  });
  const commented = useMemo(() => countsOf(comments), [comments]);
  const onAll = comments.filter(({ path }) => path === undefined);
  if (files.length === 0) return <p className="p-3 text-soft">{words.noFiles}</p>;
  return (
    <section aria-label={words.changes} className="flex h-full min-h-0 flex-col md:flex-row" data-part="changes">
      <div className="flex h-40 shrink-0 flex-col border-line max-md:border-b md:h-auto md:w-64 md:border-e">
        <FileTree {...{ files, viewed, commented, current, words }} onFile={showFile} />
      </div>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1">
          <Button kind="quiet" pressed={isSplit} keys="s" className="max-lg:hidden" onClick={() => setSplit(!isSplit)}>
            {words.split}
          </Button>
          <Button kind="quiet" pressed={isWrapped} onClick={() => props.onWrap(!isWrapped)}>
            {words.wrap}
          </Button>
          <Button kind="quiet" pressed={hidesSpace} onClick={() => setHidesSpace(!hidesSpace)}>
            {words.hideSpace}
          </Button>
          <Button kind="quiet" onClick={() => props.onDraft({ id: newId(), text: '' })}>
            {words.commentAll}
          </Button>
        </div>
        {onAll.map((comment) =>
          draft?.id === comment.id ? null : (
            <SavedComment key={comment.id} comment={comment} words={words} {...actions} />
          ),
        )}
        {draft !== undefined && draft.path === undefined ? (
          <CommentBox draft={draft} words={words} {...actions} />
        ) : null}
        <ChangesList
          {...{ rows, comments, draft, viewed, isSplit, isWrapped, words, actions, patches }}
          ref={list}
          at={props.at}
          onCurrent={setCurrent}
          onLines={({ path, side, from, to }) => {
            if (from !== to) actions.onCommentLines(path, side, from, to);
            else props.onLine(path, side, from);
          }}
        />
      </div>
    </section>
  );
}

/** Two columns of code need this much. */
const splitWidth = '(min-width: 1100px)';

function shownPatch(state: PatchState): PatchState {
  return state;
}

function usePatches(load: LoadPatch): PatchStore {
  const patches = useMemo(() => new PatchStore(load), [load]);
  useSyncExternalStore(patches.subscribe, patches.version);
  useEffect(() => () => patches.close(), [patches]);
  return patches;
}

/** The actions of rows, the same object for as long as the page is there, so that blocks are drawn once. */
function useActions(
  props: ChangesViewProps,
  patches: PatchStore,
  folds: ReadonlyMap<string, boolean>,
  fold: (path: string, isFolded: boolean) => void,
): ChangeRowActions {
  const latest = useLatest({ props, patches, folds });
  return useMemo(
    () => ({
      onDraft: (draft) => {
        latest.current.props.onDraft(draft);
      },
      onSave: (comment) => {
        latest.current.props.onSave(comment);
      },
      onDrop: (id) => {
        latest.current.props.onDrop(id);
      },
      onViewed: (path, isViewed) => {
        latest.current.props.onViewed(path, isViewed);
      },
      onFold: (path) => {
        const now = latest.current;
        const file = now.props.files.find((one) => one.path === path);
        if (file !== undefined) fold(path, !isFileFolded(file, now.folds, now.props.viewed));
      },
      onCommentFile: (path) => {
        latest.current.props.onDraft({ id: newId(), path, text: '' });
      },
      onCommentLine: (path, side, line, isRange) => {
        const { draft, onDraft, onLine } = latest.current.props;
        const patch = latest.current.patches.get(path);
        if (typeof patch === 'string') return;
        const extended = isRange && draft?.path === path && draft.side === side ? draft : undefined;
        const from = Math.min(extended?.line ?? line, line);
        const to = Math.max(extended?.line ?? line, line);
        onDraft(draftOn(patch, { path, side, from, to }, extended));
        onLine(path, side, line);
      },
      onCommentLines: (path, side, from, to) => {
        const patch = latest.current.patches.get(path);
        if (typeof patch === 'string') return;
        latest.current.props.onDraft(draftOn(patch, { path, side, from, to }, undefined));
        latest.current.props.onLine(path, side, from);
      },
      onRetry: (path) => {
        latest.current.patches.retry(path);
      },
    }),
    [fold, latest],
  );
}

/** @param extended the draft whose range grows; undefined: a new one */
function draftOn(
  patch: LoadedPatch,
  { path, side, from, to }: LineChoice,
  extended: ReviewComment | undefined,
): ReviewComment {
  return {
    id: extended?.id ?? newId(),
    path,
    side,
    line: from,
    endLine: to === from ? undefined : to,
    quote: quoteOf(patch, side, from, to),
    text: extended?.text ?? '',
  };
}

function countsOf(comments: readonly ReviewComment[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of comments) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function newId(): string {
  return crypto.randomUUID();
}
