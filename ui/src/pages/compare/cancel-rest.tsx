// Asks before the tasks that were not taken are cancelled.
import { useState, type ReactNode } from 'react';
import { cancelTask } from '../../data/tasks/task-actions.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { compareWords as words } from '../../words/tasks/en-compare.ts';

export function CancelRest({
  tasks,
  onClose,
}: {
  readonly tasks: readonly Task[];
  readonly onClose: () => void;
}): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      await Promise.all(tasks.map(({ id }) => cancelTask(id)));
    } catch (error) {
      notifyError(error);
    }
    onClose();
  };
  return (
    <Dialog title={words.cancelTitle(tasks.length)} open alert onClose={onClose}>
      <p>{words.cancelText}</p>
      <ul className="mt-2 list-disc ps-5">
        {tasks.map(({ id, title }) => (
          <li key={id}>
            <FreeText text={title} />
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {words.keepThem}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void cancel()}>
          {words.cancelThem(tasks.length)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
