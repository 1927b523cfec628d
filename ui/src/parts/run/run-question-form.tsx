// The question of a run: its text, one button for each option, and the field that an option takes.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { answerRun } from '../../data/runs/run-actions.ts';
import type { RunQuestion } from '../../data/runs/runs.ts';
import { useLack } from '../../session/use-me.ts';
import { cleanText } from '../../text/clean.ts';
import { questionWords } from '../../words/en-questions.ts';
import { runWords as words } from '../../words/runs/en-runs.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, TextArea, TextField } from '../controls/field.tsx';
import { JsonTree } from '../json-tree.tsx';
import { FreeText } from '../marks/free-text.tsx';
import { Ago } from '../marks/time.tsx';
import { failureText } from '../states/failure.tsx';
import {
  askedCriteria,
  bodyOfOption,
  fieldKey,
  fieldsOf,
  isNumeric,
  optionLabel,
  type AnswerField,
  type AnswerFields,
  type RunAnswerBody,
} from './run-answer.ts';

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
        {questionWords.runKinds[kind]}
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
          <summary className="min-h-6 cursor-pointer text-sm text-soft">{questionWords.context}</summary>
          <JsonTree value={data} />
        </details>
      ) : null}
      <AnswerForm runId={runId} question={question} />
    </div>
  );
}

function AnswerForm({ runId, question }: QuestionProps): ReactNode {
  const lack = useLack('ralph:write');
  const [written, setWritten] = useState<AnswerFields>(new Map());
  const [error, setError] = useState<unknown>();
  /** The option that was sent; empty: the answer without one. */
  const [sent, setSent] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const answer = async (option: string, body: RunAnswerBody): Promise<void> => {
    if (isBusy) return;
    setSent(option);
    setBusy(true);
    setError(undefined);
    try {
      await answerRun(runId, body);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const props = { question, written, setWritten, lack, answer };
  return (
    <div className="mt-3 grid gap-3">
      {question.options.length === 0 ? <FreeAnswer {...props} isBusy={isBusy} /> : null}
      {askedCriteria(question).length > 1 ? <CriteriaAnswer {...props} /> : null}
      <div role="group" aria-label={questionWords.options} className="flex flex-wrap items-end gap-x-3 gap-y-2">
        {question.options.map((option, index) => (
          <OptionAnswer
            key={option}
            {...props}
            option={option}
            isFirst={index === 0}
            isBusy={isBusy && sent === option}
            error={sent === option ? error : undefined}
          />
        ))}
      </div>
      {error === undefined ? null : (
        <p role="alert" className="text-bad">
          {failureText(error)}
        </p>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly question: RunQuestion;
  readonly written: AnswerFields;
  readonly setWritten: (change: (before: AnswerFields) => AnswerFields) => void;
  readonly lack: string | undefined;
  readonly answer: (option: string, body: RunAnswerBody) => Promise<void>;
}

interface OptionProps extends AnswerProps {
  readonly option: string;
  readonly isFirst: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** The button of an option, and beside it the fields that it takes. */
function OptionAnswer({ option, isFirst, isBusy, error, ...props }: OptionProps): ReactNode {
  const { question, written, setWritten, lack, answer } = props;
  const fields = fieldsOf(option);
  const errorOf = (field: AnswerField): string | undefined =>
    error instanceof ApiError ? error.fieldError(`/${field === 'reason' ? 'text' : field}`) : undefined;
  const isEnd = option === 'cancel' || option === 'give_up';
  return (
    <div className={`flex flex-wrap items-end gap-2 ${fields.length > 0 ? 'w-full' : ''}`}>
      <Button
        kind={isEnd ? 'danger' : isFirst ? 'primary' : 'plain'}
        busy={isBusy}
        disabledReason={lack}
        onClick={() => void answer(option, bodyOfOption(question.question_id, option, written))}
        className={fields.length > 0 ? 'min-w-28' : ''}
      >
        <FreeText text={optionLabel(option)} />
      </Button>
      {fields.map((field) => (
        <TextField
          key={field}
          className={isNumeric(field) ? 'w-36' : 'max-w-xl min-w-48 flex-1'}
          label={questionWords.fieldOf(questionWords.fields[field], optionLabel(option))}
          type={isNumeric(field) ? 'number' : 'text'}
          value={written.get(fieldKey(option, field)) ?? ''}
          onChange={(text) => setWritten((before) => new Map([...before, [fieldKey(option, field), text]]))}
          error={errorOf(field)}
        />
      ))}
    </div>
  );
}

/** An agent within the run asks: any text answers it. */
function FreeAnswer({ question, lack, answer, isBusy }: AnswerProps & { readonly isBusy: boolean }): ReactNode {
  const [text, setText] = useState('');
  return (
    <>
      <TextArea label={questionWords.yourAnswer} rows={2} value={text} onChange={setText} />
      <div>
        <Button
          kind="primary"
          busy={isBusy}
          disabledReason={lack}
          onClick={() => void answer('', { question_id: question.question_id, text })}
        >
          {questionWords.answer}
        </Button>
      </div>
    </>
  );
}

/** A choice for each criterion; the buttons of the options answer for all at once. */
function CriteriaAnswer({ question, lack, answer }: AnswerProps): ReactNode {
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>({});
  const [first = ''] = question.options;
  const criteria = askedCriteria(question);
  const choices = Object.fromEntries(criteria.map(({ index }) => [String(index), chosen[index] ?? first]));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">{words.criteria}</legend>
      {criteria.map(({ index, text }) => (
        <SelectField
          key={index}
          className="max-w-xl"
          label={`${index + 1}. ${cleanText(text)}`}
          value={chosen[index] ?? first}
          onChange={(choice) => setChosen((before) => ({ ...before, [index]: choice }))}
          choices={question.options.map((value) => ({ value, label: optionLabel(value) }))}
        />
      ))}
      <div>
        <Button disabledReason={lack} onClick={() => void answer('', { question_id: question.question_id, choices })}>
          {words.answerAll}
        </Button>
      </div>
    </fieldset>
  );
}
