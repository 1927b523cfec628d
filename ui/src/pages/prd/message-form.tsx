// The field for the next message of a PRD chat, and its button.
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextArea } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useLack } from '../../session/use-me.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';

interface MessageFormProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly isBusy: boolean;
  readonly error: unknown;
}

export function MessageForm({ text, onText, onSend, isBusy, error }: MessageFormProps): ReactNode {
  const lack = useLack('ralph:write');
  useActions([{ id: 'send', label: words.send, keys: 'mod+Enter', group: 'page', run: onSend }]);
  const problem =
    error === undefined
      ? undefined
      : error instanceof ApiError && error.code === 'ralph_disabled'
        ? words.off
        : failureText(error);
  return (
    <form
      className="sticky bottom-16 mt-auto grid gap-2 border-t border-line bg-ground p-(--page) md:bottom-0"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <TextArea label={words.message} rows={2} value={text} onChange={onText} error={problem} />
      <div className="flex justify-end">
        <Button type="submit" kind="primary" busy={isBusy} disabledReason={lack}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}
