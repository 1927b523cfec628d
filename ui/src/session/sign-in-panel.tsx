// The sign-in panel: over the page when the session ended, in its place when there is none. The page keeps its state.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Button } from '../parts/controls/button.tsx';
import { Dialog } from '../parts/controls/dialog.tsx';
import { TextField } from '../parts/controls/field.tsx';
import { failureText } from '../parts/states/failure.tsx';
import { sessionWords as words } from '../words/en-session.ts';
import { signIn } from './sign-in.ts';

/** @param isOver over the page of a session that ended; else in the place of a page */
export function SignInPanel({ isOver }: { readonly isOver: boolean }): ReactNode {
  return (
    <Dialog title={isOver ? words.expiredTitle : words.title} open onClose={() => undefined}>
      <SignInForm />
    </Dialog>
  );
}

/** @param onDone called once the new session is in use */
export function SignInForm({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await signIn(token.trim());
      onDone?.();
    } catch (error) {
      setRefusal(error instanceof ApiError && error.status === 401 ? words.invalidToken : failureText(error));
    }
    setBusy(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p className="mb-4 text-soft">{words.text}</p>
      <TextField
        label={words.token}
        type="password"
        autoComplete="current-password"
        value={token}
        onChange={setToken}
        error={refusal}
        autoFocus
        required
      />
      <Button type="submit" kind="primary" busy={isBusy} className="mt-4 w-full">
        {words.signIn}
      </Button>
    </form>
  );
}
