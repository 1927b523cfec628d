// The answer to a question: a field, and one button for each option, which answers at once.
import { useMemo, useRef, type ReactNode } from 'react';
import { useActions, type Action } from '../../keys/actions.ts';
import { useLatest } from '../../parts/use-latest.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextArea } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { KeyCap } from '../../parts/marks/key-cap.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { questionWords as words } from '../../words/en-questions.ts';

export type GivenAnswer = { readonly message: string } | { readonly option: string };

interface AnswerFormProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly lack: string | undefined;
  /** @param goesOn the next question is opened afterwards */
  readonly onAnswer: (answer: GivenAnswer, goesOn: boolean) => void;
  /** More buttons, after those that answer. */
  readonly children?: ReactNode;
}

export function AnswerForm(props: AnswerFormProps): ReactNode {
  const { options, draft, onDraft, error, isBusy, lack, onAnswer } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const send = (goesOn: boolean): void => onAnswer({ message: draft }, goesOn);
  useAnswerActions({ options, lack, onAnswer, send, focus: () => area.current?.focus() });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
    >
      <TextArea
        label={words.yourAnswer}
        rows={3}
        areaRef={area}
        value={draft}
        onChange={onDraft}
        error={error}
        readOnly={isBusy}
      />
      {options.length === 0 ? null : (
        <div role="group" aria-label={words.options} className="flex flex-wrap gap-2">
          {options.map(({ value, label }, index) => (
            <Button key={value} disabledReason={lack} busy={isBusy} onClick={() => onAnswer({ option: value }, false)}>
              <FreeText text={label === '' ? value : label} />
              <span aria-hidden className="hidden lg:inline">
                <KeyCap keys={String(index + 1)} />
              </span>
            </Button>
          ))}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabledReason={lack} busy={isBusy} onClick={() => send(true)} className="max-md:w-full">
          {words.answerNext}
        </Button>
        <Button type="submit" disabledReason={lack} busy={isBusy}>
          {words.answer}
        </Button>
        {props.children}
      </div>
    </form>
  );
}

function useAnswerActions({
  options,
  lack,
  onAnswer,
  send,
  focus,
}: Pick<AnswerFormProps, 'options' | 'lack' | 'onAnswer'> & {
  readonly send: (goesOn: boolean) => void;
  readonly focus: () => void;
}): void {
  // The actions change with each key that is typed: the actions call the current ones.
  const now = useLatest({ onAnswer, send, focus });
  useActions(
    useMemo(
      (): readonly Action[] => [
        { id: 'focus-answer', label: words.focusAnswer, keys: 'a', group: 'page', run: () => now.current.focus() },
        {
          id: 'answer-next',
          label: words.answerNext,
          keys: 'mod+Enter',
          group: 'page',
          disabledReason: lack,
          run: () => now.current.send(true),
        },
        ...options.slice(0, 9).map(({ value, label }, index): Action => ({
          id: `option-${index + 1}`,
          label: words.option(index + 1, cleanTitle(label === '' ? value : label)),
          keys: String(index + 1),
          group: 'page',
          disabledReason: lack,
          run: () => now.current.onAnswer({ option: value }, false),
        })),
      ],
      [options, lack, now],
    ),
  );
}
