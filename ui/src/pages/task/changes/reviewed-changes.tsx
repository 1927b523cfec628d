// The view of changes with the caller's draft of a review, and the way of the draft to the agent.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { readPatch, type FileChange } from '../../../data/tasks/changes.ts';
import type { Task } from '../../../data/tasks/tasks.ts';
import { setDisplay, useDisplay } from '../../../display/display.ts';
import type { ChangedFile } from '../../../parts/diff/changed-file.ts';
import { ChangesView } from '../../../parts/diff/changes-view.tsx';
import { notifyError } from '../../../parts/states/notices.tsx';
import { useLack } from '../../../session/use-me.ts';
import { useStore } from '../../../store.ts';
import { changesWords } from '../../../words/tasks/en-changes.ts';
import { reviewWords as words } from '../../../words/tasks/en-review.ts';
import { ReviewBar } from './review-bar.tsx';
import { reviewDraft, type ReviewDraft } from './review-draft.ts';
import { SendSheet } from './send-sheet.tsx';

export interface ReviewedChangesProps {
  readonly task: Task;
  readonly runId: string | undefined;
  readonly files: readonly FileChange[];
  /** The caller, whose draft it is. */
  readonly subject: string;
}

type Sheet = { readonly kind: 'review' } | { readonly kind: 'explain'; readonly path: string };

export function ReviewedChanges({ task, runId, files, subject }: ReviewedChangesProps): ReactNode {
  const navigate = useNavigate();
  const { wrap } = useDisplay();
  const lack = useLack('tasks:write');
  const review = reviewDraft(task.id, subject);
  const state = useReview(review);
  const [sheet, setSheet] = useState<Sheet>();
  const shown = useMemo(() => files.map(fileOf), [files]);
  const loadPatch = useMemo(() => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    return (path: string) => readPatch(task.id, runId, byPath.get(path) ?? { path, hash: '' });
  }, [task.id, runId, files]);
  const at = usePlace();
  const comments = review.comments();
  const ready = comments.filter(({ text }) => text.trim() !== '');
  const open = (): void => {
    if (lack === undefined && ready.length > 0) setSheet({ kind: 'review' });
  };
  const goTo = (place: { readonly file: string; readonly at: string | undefined }): void =>
    void navigate({
      to: '/v1/monitor/tasks/$id/$part',
      params: { id: task.id, part: 'changes' },
      search: (before) => ({ ...before, ...place }),
      replace: true,
      resetScroll: false,
    });
  const mayWrite = (): boolean => {
    if (lack !== undefined) notifyError(lack);
    return lack === undefined;
  };
  return (
    <div className="flex h-[calc(100dvh-6rem)] min-h-120 flex-col md:h-[calc(100dvh-3rem)]">
      <div className="min-h-0 flex-1">
        <ChangesView
          files={shown}
          loadPatch={loadPatch}
          words={changesWords}
          comments={state.comments}
          draft={state.draft}
          onDraft={(draft) => mayWrite() && review.write(draft)}
          onSave={(comment) => review.save(comment)}
          onDrop={(id) => review.drop(id)}
          viewed={state.viewed}
          onViewed={(path, isViewed) => mayWrite() && review.mark(path, isViewed)}
          isWrapped={wrap}
          onWrap={(isWrapped) => setDisplay({ wrap: isWrapped })}
          at={at}
          onFile={(path) => goTo({ file: path, at: undefined })}
          onLine={(path, side, line) => goTo({ file: path, at: `${side === 'old' ? 'L' : 'R'}${line}` })}
          onSend={open}
        />
      </div>
      <ReviewBar
        task={task}
        runId={runId}
        comments={ready.length}
        saving={state.saving}
        lack={lack}
        file={at?.path ?? shown[0]?.path}
        onSend={open}
        onExplain={(path) => setSheet({ kind: 'explain', path })}
        onSaveNow={() => review.saveNow()}
      />
      {sheet === undefined ? null : (
        <SendSheet
          task={task}
          comments={sheet.kind === 'review' ? ready : []}
          word={sheet.kind === 'review' ? '' : words.explainPrompt(sheet.path)}
          sendBy={(send) => (sheet.kind === 'review' ? review.sendBy(send) : review.keepThrough(send))}
          onSent={(next) => void navigate({ to: '/v1/monitor/tasks/$id', params: { id: next.id } })}
          onClose={() => setSheet(undefined)}
        />
      )}
    </div>
  );
}

/** Reads the draft of the service, and brings it there again when the connection is back. */
function useReview(review: ReviewDraft) {
  const load = useCallback((): void => {
    review.load().catch((error: unknown) => {
      notifyError(error instanceof Error ? `${words.loadFailed} ${error.message}` : words.loadFailed);
    });
  }, [review]);
  useEffect(() => {
    load();
    const onOnline = (): void => {
      load();
      review.saveNow();
    };
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [review, load]);
  return useStore(review.state);
}

/** The file and the line of the address; the same value while they are the same. */
function usePlace() {
  const { file, at } = useSearch({ strict: false });
  return useMemo(() => {
    if (file === undefined) return undefined;
    if (at === undefined) return { path: file };
    return { path: file, side: at.startsWith('L') ? ('old' as const) : ('new' as const), line: Number(at.slice(1)) };
  }, [file, at]);
}

function fileOf({ path, old_path: oldPath, status, added, removed }: FileChange): ChangedFile {
  return { path, oldPath, status, added, removed };
}
