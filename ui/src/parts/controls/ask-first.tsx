// The dialog before something is lost: its first button, which has the focus, keeps it.
import { useState, type ReactNode } from 'react';
import { failureText } from '../states/failure.tsx';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

export interface AskFirstProps {
  readonly title: string;
  /** The loss that the person confirms. */
  readonly text: string;
  readonly keep: string;
  readonly action: string;
  readonly onClose: () => void;
  /** The dialog shows the error that it throws. */
  readonly onDo: () => Promise<void>;
}

export function AskFirst({ title, text, keep, action, onClose, onDo }: AskFirstProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const carryOut = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onDo();
      onClose();
    } catch (error) {
      setProblem(failureText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} open onClose={onClose} alert>
      <p>{text}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {keep}
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void carryOut()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
