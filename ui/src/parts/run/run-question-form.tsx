// What a run asks: the question, one button for each option, and the field that an option takes.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { answerRun } from '../../data/run-deeds.ts';
import type { RunQuestion } from '../../data/runs.ts';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { runWords as words } from '../../words/en-runs.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, TextArea, TextField } from '../controls/field.tsx';
import { JsonTree } from '../json-tree.tsx';
import { FreeText } from '../marks/free-text.tsx';
import { Ago } from '../marks/time.tsx';
import { failureText } from '../states/failure.tsx';
import { answerBody, askedCriteria, fieldsOf, optionWords, type AnswerDraft, type AnswerField } from './run-answer.ts';

interface QuestionProps {
  readonly runId: string;
  readonly question: RunQuestion;
}

export function RunQuestionForm({ runId, question }: QuestionProps): ReactNode {
  const { kind, story_id: story, text, data, asked_at } = question;
  const hasMore = Object.keys(data).length > 0;
  return (
    <div className="border-s-4 border-ask bg-ask-ground px-4 py-3">
      <h3 className="font-semibold text-ask">
        {words.questionKinds[kind]}
        {story === null ? null : (
          <span className="font-normal">
            {' '}
            <FreeText text={words.questionAbout(story)} />
          </span>
        )}
        <span className="ms-3 text-sm font-normal text-soft">
          <Ago at={asked_at} />
        </span>
      </h3>
      <p dir="auto" className="mt-1 max-w-[90ch] whitespace-pre-wrap">
        {cleanText(text)}
      </p>
      {hasMore ? (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer text-sm text-soft">{words.moreAbout}</summary>
          <JsonTree value={data} />
        </details>
      ) : null}
      <AnswerForm runId={runId} question={question} />
    </div>
  );
}

function AnswerForm({ runId, question }: QuestionProps): ReactNode {
  const lack = useLack('ralph:write');
  const [draft, setDraft] = useState<AnswerDraft>({});
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState<string>();
  const criteria = askedCriteria(question);
  const set = (field: AnswerField, value: string): void => setDraft((before) => ({ ...before, [field]: value }));
  const errorOf = (path: string): string | undefined =>
    error instanceof ApiError ? error.fieldError(path) : undefined;
  const answer = async (choice: string | undefined): Promise<void> => {
    setBusy(choice ?? '');
    setError(undefined);
    try {
      await answerRun(runId, answerBody(question, choice, draft));
    } catch (failure) {
      setError(failure);
    }
    setBusy(undefined);
  };
  return (
    <div className="mt-3 grid gap-3">
      <div className="grid gap-3 md:grid-cols-3">
        {fieldsOf(question).map((field) => (
          <AnswerInput
            key={field}
            field={field}
            value={draft[field] ?? ''}
            onChange={(value) => set(field, value)}
            error={errorOf(field === 'minutes' ? '/seconds' : `/${field}`)}
          />
        ))}
      </div>
      {criteria.length > 1 ? (
        <CriteriaChoices
          question={question}
          draft={draft}
          setDraft={setDraft}
          onAnswer={() => void answer(undefined)}
        />
      ) : null}
      {error === undefined ? null : (
        <p role="alert" className="text-bad">
          {failureText(error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {question.options.map((option, index) => (
          <Button
            key={option}
            kind={option === 'cancel' || option === 'give_up' ? 'danger' : index === 0 ? 'primary' : 'plain'}
            busy={busy === option}
            disabledReason={lack}
            onClick={() => void answer(option)}
          >
            <FreeText text={optionWords(option)} />
          </Button>
        ))}
        {question.options.length === 0 ? (
          <Button kind="primary" busy={busy === ''} disabledReason={lack} onClick={() => void answer(undefined)}>
            {words.answer}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface AnswerInputProps {
  readonly field: AnswerField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

function AnswerInput({ field, ...props }: AnswerInputProps): ReactNode {
  const isNumber = field === 'usd' || field === 'tokens' || field === 'minutes' || field === 'iterations';
  if (field === 'text')
    return <TextArea className="md:col-span-3" rows={2} label={words.answerFields.text} {...props} />;
  return (
    <TextField
      label={words.answerFields[field]}
      type={isNumber ? 'number' : 'text'}
      mono={field === 'commit' || field === 'branch'}
      {...props}
    />
  );
}

interface CriteriaChoicesProps {
  readonly question: RunQuestion;
  readonly draft: AnswerDraft;
  readonly setDraft: (change: (before: AnswerDraft) => AnswerDraft) => void;
  readonly onAnswer: () => void;
}

/** A choice for each criterion; the buttons of the options answer for all at once. */
function CriteriaChoices({ question, draft, setDraft, onAnswer }: CriteriaChoicesProps): ReactNode {
  const criteria = askedCriteria(question);
  const lack = useLack('ralph:write');
  const [first = ''] = question.options;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">{words.criteria}</legend>
      {criteria.map(({ index, text }) => (
        <SelectField
          key={index}
          className="max-w-xl"
          label={`${index + 1}. ${cleanText(text)}`}
          value={draft.choices?.[index] ?? first}
          onChange={(choice) => setDraft((before) => ({ ...before, choices: { ...before.choices, [index]: choice } }))}
          choices={question.options.map((value) => ({ value, label: optionWords(value) }))}
        />
      ))}
      <div>
        <Button disabledReason={lack} onClick={onAnswer}>
          {words.answerAll}
        </Button>
      </div>
    </fieldset>
  );
}
