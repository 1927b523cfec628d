// The dialogs of a task that may be opened from any page: cancel it, tell its agent something.
import { useState, type ReactNode } from 'react';
import { cancelTask, intervene } from '../../data/task-deeds.ts';
import type { Task } from '../../data/tasks.ts';
import { createStore, useStore } from '../../store.ts';
import { taskWords as words } from '../../words/en-task.ts';
import { Button } from '../controls/button.tsx';
import { Dialog, DialogActions } from '../controls/dialog.tsx';
import { TextArea } from '../controls/field.tsx';
import { notifyError } from '../states/notices.tsx';
import { failureText } from '../states/failure.tsx';

interface Opened {
  readonly kind: 'cancel' | 'tell';
  readonly task: Pick<Task, 'id' | 'title' | 'status'>;
}

const opened = createStore<Opened | undefined>(undefined);

export function openTaskDialog(dialog: Opened): void {
  opened.set(dialog);
}

export function TaskDialogs(): ReactNode {
  const dialog = useStore(opened);
  if (dialog === undefined) return null;
  const close = (): void => opened.set(undefined);
  return dialog.kind === 'cancel' ? (
    <CancelDialog key={dialog.task.id} task={dialog.task} onClose={close} />
  ) : (
    <TellDialog key={dialog.task.id} task={dialog.task} onClose={close} />
  );
}

function CancelDialog({ task, onClose }: { readonly task: Opened['task']; readonly onClose: () => void }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    await cancelTask(task.id).catch(notifyError);
    onClose();
  };
  return (
    <Dialog title={words.cancelTitle(task.title)} open onClose={onClose} alert>
      <p>{task.status === 'pending' ? words.cancelPendingText : words.cancelText}</p>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keepIt}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void cancel()}>
          {words.cancelTask}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function TellDialog({ task, onClose }: { readonly task: Opened['task']; readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    if (text.trim() === '') return;
    setBusy(true);
    try {
      await intervene(task.id, 'message', text);
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? failureText(error) : undefined);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.tellTitle(task.title)} open onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
        }}
      >
        <TextArea
          label={words.message}
          value={text}
          onChange={setText}
          error={problem}
          hint={words.tellHint}
          autoFocus
        />
        <DialogActions>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
