// The dialogs of a run: cancel it, pause it, tell it something.
import { useState, type ReactNode } from 'react';
import { cancelRun, pauseRun, tellRun } from '../../data/runs/run-actions.ts';
import type { Run } from '../../data/runs/runs.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { TextArea, TextField } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import type { RunDialog } from './use-run-actions.ts';

interface DialogProps {
  readonly run: Run;
  readonly onClose: () => void;
}

export function RunDialogs({ dialog, ...props }: DialogProps & { readonly dialog: RunDialog | undefined }): ReactNode {
  if (dialog === 'cancel') return <CancelDialog {...props} />;
  if (dialog === 'pause') return <PauseDialog {...props} />;
  return dialog === 'tell' ? <TellDialog {...props} /> : null;
}

function CancelDialog({ run, onClose }: DialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    await cancelRun(run.run_id, reason).catch(notifyError);
    onClose();
  };
  return (
    <Dialog title={words.cancelTitle(cleanTitle(run.project))} open onClose={onClose} alert>
      <p className="mb-3">{words.cancelText}</p>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {words.keepIt}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void cancel()}>
          {words.cancelRun}
        </Button>
      </DialogActions>
      <TextField className="mt-4" label={words.cancelReason} value={reason} onChange={setReason} />
    </Dialog>
  );
}

function PauseDialog({ run, onClose }: DialogProps): ReactNode {
  const [busy, setBusy] = useState<'after_step' | 'now'>();
  const pause = async (mode: 'after_step' | 'now'): Promise<void> => {
    setBusy(mode);
    await pauseRun(run.run_id, mode).catch(notifyError);
    onClose();
  };
  return (
    <Dialog title={words.pauseTitle(cleanTitle(run.project))} open onClose={onClose}>
      <p>{words.pauseText}</p>
      <DialogActions>
        <Button busy={busy === 'after_step'} onClick={() => void pause('after_step')} autoFocus>
          {words.pauseAfterStep}
        </Button>
        <Button kind="danger" busy={busy === 'now'} onClick={() => void pause('now')}>
          {words.pauseNow}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function TellDialog({ run, onClose }: DialogProps): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await tellRun(run.run_id, text, undefined);
      onClose();
    } catch (error) {
      setProblem(failureText(error));
      setBusy(false);
    }
  };
  useActions([{ id: 'send', label: words.send, keys: 'mod+Enter', group: 'page', run: () => void send() }]);
  return (
    <Dialog title={words.tellTitle(cleanTitle(run.project))} open onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
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
