// A form in a dialog: it is sent by its button or by the platform's key and Enter, and shows what the service refused.
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useLatest } from '../../parts/use-latest.ts';

export interface FormState {
  /** The form was sent once: what is missing is said. */
  readonly isTried: boolean;
  readonly errorOf: (path: string) => string | undefined;
}

export interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly isReady: boolean;
  readonly onClose: () => void;
  /** Closes the form when it is done. What it throws is shown at its field, and below. */
  readonly onSave: () => Promise<void>;
  readonly children: (state: FormState) => ReactNode;
  readonly wide?: boolean;
  /** A action that ends something. */
  readonly danger?: boolean;
}

export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submit, isReady, onClose, onSave, children, wide = false, danger = false } = props;
  const [error, setError] = useState<unknown>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setTried(true);
    if (isBusy || !isReady) return;
    setBusy(true);
    try {
      await onSave();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const latest = useLatest(save);
  useActions(
    useMemo(
      () => [
        { id: 'save', label: submit, keys: 'mod+Enter', group: 'page' as const, run: () => void latest.current() },
      ],
      [latest, submit],
    ),
  );
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  return (
    <Dialog title={title} open onClose={onClose} wide={wide}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {children({ isTried, errorOf })}
        {error === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(error)}
          </p>
        )}
        <DialogActions>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
