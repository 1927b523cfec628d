// The bar under the changes: how the draft is kept, what to do with the changes, and the way to the agent.
import { useMemo, type ReactNode } from 'react';
import { downloadDiff } from '../../../data/tasks/artifacts.ts';
import { isEnded, type Task } from '../../../data/tasks/tasks.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { copyText } from '../../../parts/controls/copy.ts';
import { Menu } from '../../../parts/controls/menu.tsx';
import { failureText } from '../../../parts/states/failure.tsx';
import { notify, notifyError } from '../../../parts/states/notices.tsx';
import { commonWords } from '../../../words/en-common.ts';
import { reviewWords as words } from '../../../words/tasks/en-review.ts';
import type { ReviewState } from './review-draft.ts';

export interface ReviewBarProps {
  readonly task: Task;
  readonly runId: string | undefined;
  readonly comments: number;
  readonly saving: ReviewState['saving'];
  /** Why the caller may not send. */
  readonly lack: string | undefined;
  /** Path of the file that "Explain this file" is about. */
  readonly file: string | undefined;
  readonly onSend: () => void;
  readonly onExplain: (path: string) => void;
  readonly onSaveNow: () => void;
}

export function ReviewBar(props: ReviewBarProps): ReactNode {
  const { task, runId, comments, lack, file } = props;
  const reason = lack ?? (isEnded(task) ? undefined : words.notFinished);
  const entries = useMemo(() => {
    const copy = (text: string): void =>
      void copyText(text).then((done) => (done ? notify(commonWords.copied) : notifyError(commonWords.copyFailed)));
    return [
      { id: 'merge', label: words.copyMerge, onSelect: () => copy(`git merge switchyard/${task.id}`) },
      {
        id: 'apply',
        label: words.copyApply,
        onSelect: () => copy(`switchyard task show ${task.id} --diff | git apply`),
      },
      {
        id: 'download',
        label: words.download,
        onSelect: () =>
          void downloadDiff(task.id, runId).then((done) => (done ? undefined : notifyError(words.noDiff)), notifyError),
      },
    ];
  }, [task.id, runId]);
  return (
    <div className="sticky bottom-14 z-20 flex flex-wrap items-center gap-2 border-y border-line bg-ground px-2 py-2 md:bottom-0">
      <SavingText {...props} />
      <div className="ms-auto flex flex-wrap items-center gap-2">
        {file === undefined ? null : (
          <Button kind="quiet" disabledReason={reason} onClick={() => props.onExplain(file)}>
            {words.explain}
          </Button>
        )}
        <Menu label={words.more} kind="quiet" entries={entries} />
        <Button
          kind="primary"
          keys="Control+Enter"
          label={words.send}
          disabledReason={reason ?? (comments === 0 ? words.noComments : undefined)}
          onClick={props.onSend}
        >
          {comments === 0 ? words.send : words.sendCount(comments)}
        </Button>
      </div>
    </div>
  );
}

function SavingText({ comments, saving, onSaveNow }: ReviewBarProps): ReactNode {
  const count = comments === 0 ? null : <span>{words.comments(comments)}</span>;
  if (typeof saving === 'object') {
    return (
      <p role="status" className="flex min-w-0 flex-wrap items-center gap-2 text-sm text-bad">
        {words.notSaved(failureText(saving.error))}
        <Button onClick={onSaveNow}>{commonWords.tryAgain}</Button>
      </p>
    );
  }
  return (
    <p role="status" className="flex gap-2 text-sm text-soft">
      {count}
      {saving === 'waiting' ? words.waiting : comments === 0 ? null : words.saved}
    </p>
  );
}
