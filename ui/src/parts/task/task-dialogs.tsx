// The dialogs of a task that may be opened from any page: cancel it, tell its agent something.
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { cancelTask, followUp, intervene } from '../../data/tasks/task-actions.ts';
import { taskWords as words } from '../../words/tasks/en-task.ts';
import { Button } from '../controls/button.tsx';
import { Dialog, DialogActions } from '../controls/dialog.tsx';
import { TextArea } from '../controls/field.tsx';
import { notifyError } from '../states/notices.tsx';
import { failureText } from '../states/failure.tsx';
import { closeTaskDialog, type OpenedTaskDialog } from './opened-task-dialog.ts';

export function TaskDialogs({ dialog }: { readonly dialog: OpenedTaskDialog }): ReactNode {
  const { kind, task } = dialog;
  if (kind === 'cancel') return <CancelDialog key={task.id} task={task} onClose={closeTaskDialog} />;
  if (kind === 'tell') return <TellDialog key={task.id} task={task} onClose={closeTaskDialog} />;
  return <FollowUpDialog key={task.id} task={task} onClose={closeTaskDialog} />;
}

function CancelDialog({
  task,
  onClose,
}: {
  readonly task: OpenedTaskDialog['task'];
  readonly onClose: () => void;
}): ReactNode {
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

function TellDialog({
  task,
  onClose,
}: {
  readonly task: OpenedTaskDialog['task'];
  readonly onClose: () => void;
}): ReactNode {
  const send = async (text: string): Promise<void> => {
    await intervene(task.id, 'message', text);
    onClose();
  };
  return (
    <Dialog title={words.tellTitle(task.title)} open onClose={onClose}>
      <MessageForm hint={words.tellHint} send={send} />
    </Dialog>
  );
}

function FollowUpDialog({
  task,
  onClose,
}: {
  readonly task: OpenedTaskDialog['task'];
  readonly onClose: () => void;
}): ReactNode {
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const send = async (message: string): Promise<void> => {
    const next = await followUp(task.id, { message }, key);
    onClose();
    await navigate({ to: '/v1/monitor/tasks/$id', params: { id: next.id } });
  };
  return (
    <Dialog title={words.followUpTitle(task.title)} open onClose={onClose}>
      <MessageForm hint={words.followUpHint} send={send} />
    </Dialog>
  );
}

interface MessageFormProps {
  readonly hint: string;
  /** Rejects when the message was not taken. */
  readonly send: (text: string) => Promise<void>;
}

function MessageForm({ hint, send }: MessageFormProps): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await send(text);
    } catch (error) {
      setProblem(failureText(error));
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
      }}
    >
      <TextArea label={words.message} value={text} onChange={setText} error={problem} hint={hint} autoFocus />
      <DialogActions>
        <Button type="submit" kind="primary" busy={isBusy}>
          {words.send}
        </Button>
      </DialogActions>
    </form>
  );
}
