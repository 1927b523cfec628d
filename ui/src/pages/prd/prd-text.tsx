// The PRD as text to edit; saving it makes a version of its own.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { putPrd, type PrdChat } from '../../data/runs/prd-chats.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextArea } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { prdWords as words } from '../../words/runs/en-prd.ts';

interface PrdTextProps {
  readonly chat: PrdChat;
  readonly prd: Readonly<Record<string, unknown>> | undefined;
  readonly onDone: () => void;
}

export function PrdText({ chat, prd, onDone }: PrdTextProps): ReactNode {
  const [text, setText] = useState(() => (prd === undefined ? '' : JSON.stringify(prd, null, 2)));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await putPrd(chat.id, text, chat.version);
      notify(words.saved);
      onDone();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <form
      className="grid gap-3 p-(--page)"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextArea
        label={words.editLabel}
        rows={20}
        value={text}
        onChange={setText}
        error={error === undefined ? undefined : problemText(error)}
        mono
        autoFocus
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{words.keep}</Button>
        <Button type="submit" kind="primary" busy={isBusy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

/** The sentence, and the places in the document where there are any. */
function problemText(error: unknown): string {
  const places = error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  return [failureText(error), ...places.map(({ path, message }) => `${path}: ${message}`)].join(' ');
}
