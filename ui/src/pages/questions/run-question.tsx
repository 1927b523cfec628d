// The question of a run: its options as buttons, with a field beside those that take one.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { api, dataOf, succeed } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { useActions, type Action } from '../../keys/actions.ts';
import { useLatest } from '../../parts/use-latest.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { KeyCap } from '../../parts/marks/key-cap.tsx';
import { StateMark } from '../../parts/marks/state-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import {
  bodyOfOption,
  fieldKey,
  fieldsOf,
  isNumeric,
  optionLabel,
  type AnswerFields,
  type RunAnswerBody,
} from '../../parts/run/run-answer.ts';
import { Answer } from '../../parts/states/answer.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { questionWords as words } from '../../words/en-questions.ts';
import { useAnswerDraft } from './answer-draft.ts';
import { AnswerForm } from './answer-form.tsx';
import { Folded } from './question-context.tsx';
import type { QuestionProps } from './task-question.tsx';

async function readRun(id: string) {
  return (await dataOf(api().GET('/v1/ralph/runs/{id}', { params: { path: { id } } }))).run;
}

type Run = Awaited<ReturnType<typeof readRun>>;
type RunQuestion = Run['questions'][number];

export function RunQuestionView({ id, runId, onNext }: QuestionProps & { readonly runId: string }): ReactNode {
  const query = useQuery({ queryKey: ['runs', runId, 'questions'], queryFn: () => readRun(runId) });
  const [isSent, setSent] = useState(false);
  return (
    <Answer query={query}>
      {(run) => {
        const question = run.questions.find(({ question_id }) => question_id === id);
        return question === undefined || isSent ? (
          <Gone text={isSent ? words.answered : words.answeredElsewhere} runId={runId} onNext={onNext} />
        ) : (
          <OpenRunQuestion run={run} question={question} onSent={() => setSent(true)} onNext={onNext} />
        );
      }}
    </Answer>
  );
}

function Gone({
  text,
  runId,
  onNext,
}: {
  readonly text: string;
  readonly runId: string;
  readonly onNext: () => void;
}): ReactNode {
  return (
    <div className="grid gap-3 border-s-4 border-line bg-paper px-3 py-2">
      <p role="status">{text}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={onNext}>
          {words.next}
        </Button>
        <OpenRun id={runId} />
      </div>
    </div>
  );
}

interface OpenProps {
  readonly run: Run;
  readonly question: RunQuestion;
  readonly onSent: () => void;
  readonly onNext: () => void;
}

const goneCodes: readonly string[] = ['question_answered', 'no_question', 'not_found'];

function OpenRunQuestion({ run, question, onSent, onNext }: OpenProps): ReactNode {
  const lack = useLack('ralph:write');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const send = async (body: RunAnswerBody, goesOn: boolean): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      requireOnline();
      await succeed(api().POST('/v1/ralph/runs/{id}/answer', { params: { path: { id: run.run_id } }, body }));
      notify(words.answered);
      onSent();
      if (goesOn) onNext();
      await refresh();
    } catch (failure) {
      setBusy(false);
      setError(failure);
      if (!(failure instanceof ApiError) || !goneCodes.includes(failure.code)) return;
      notifyError(words.answeredElsewhere);
      await refresh();
      onNext();
    }
  };
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
        <StateMark state="needs_input" word={words.groups.asking} />
        <span>{words.runKinds[question.kind]}</span>
        {question.story_id === null ? null : <span>{words.story(question.story_id)}</span>}
        <span>
          {words.asked} <Ago at={question.asked_at} />
        </span>
      </p>
      <section aria-label={words.question} className="border-s-4 border-ask bg-ask-ground px-3 py-2">
        <div className="max-w-[72ch]">
          <MarkdownText text={question.text} />
        </div>
      </section>
      {question.options.length === 0 ? (
        <FreeAnswer question={question} error={error} isBusy={isBusy} lack={lack} send={send}>
          <OpenRun id={run.run_id} />
        </FreeAnswer>
      ) : (
        <OptionAnswer question={question} error={error} isBusy={isBusy} lack={lack} send={send}>
          <OpenRun id={run.run_id} />
        </OptionAnswer>
      )}
      {Object.keys(question.data).length === 0 ? null : (
        <Folded title={words.context}>
          <JsonTree value={question.data} />
        </Folded>
      )}
    </div>
  );
}

async function refresh(): Promise<void> {
  await Promise.all(['attention', 'runs'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}

interface FormProps {
  readonly question: RunQuestion;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly lack: string | undefined;
  readonly send: (body: RunAnswerBody, goesOn: boolean) => Promise<void>;
  readonly children: ReactNode;
}

/** An agent within a run asks: any text answers it. */
function FreeAnswer({ question, error, isBusy, lack, send, children }: FormProps): ReactNode {
  const [draft, setDraft] = useAnswerDraft(question.question_id);
  return (
    <AnswerForm
      options={[]}
      draft={draft}
      onDraft={setDraft}
      error={error === undefined ? undefined : failureText(error)}
      isBusy={isBusy}
      lack={lack}
      onAnswer={(answer, goesOn) => {
        if (!('message' in answer)) return;
        void send({ question_id: question.question_id, text: answer.message }, goesOn);
        setDraft('');
      }}
    >
      {children}
    </AnswerForm>
  );
}

function OptionAnswer({ question, error, isBusy, lack, send, children }: FormProps): ReactNode {
  const [written, setWritten] = useState<AnswerFields>(new Map());
  const [chosen, setChosen] = useState<string>();
  const choose = (option: string): void => {
    setChosen(option);
    void send(bodyOfOption(question.question_id, option, written), false);
  };
  useOptionKeys(question.options, lack, choose);
  const errorOf = (option: string, field: string): string | undefined =>
    option === chosen && error instanceof ApiError
      ? error.fieldError(`/${field === 'reason' ? 'text' : field}`)
      : undefined;
  return (
    <div role="group" aria-label={words.options} className="grid gap-3">
      {question.options.map((option, index) => (
        <div key={option} className="flex flex-wrap items-end gap-2">
          <Button
            kind={isEnding(option) ? 'danger' : 'plain'}
            disabledReason={lack}
            busy={isBusy}
            onClick={() => choose(option)}
            className="min-w-36"
          >
            {optionLabel(option)}
            {isEnding(option) ? null : (
              <span aria-hidden className="hidden lg:inline">
                <KeyCap keys={String(index + 1)} />
              </span>
            )}
          </Button>
          {fieldsOf(option).map((field) => (
            <TextField
              key={field}
              className={isNumeric(field) ? 'w-32' : 'min-w-48 flex-1'}
              label={words.fieldOf(words.fields[field], optionLabel(option))}
              type={isNumeric(field) ? 'number' : 'text'}
              value={written.get(fieldKey(option, field)) ?? ''}
              onChange={(text) => setWritten(new Map([...written, [fieldKey(option, field), text]]))}
              error={errorOf(option, field)}
            />
          ))}
        </div>
      ))}
      {error === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {failureText(error)}
        </p>
      )}
      <div>{children}</div>
    </div>
  );
}

/** An option that ends a story or the run has no key: a slip would end it. */
function isEnding(option: string): boolean {
  return option === 'cancel' || option === 'give_up' || option === 'remove_story';
}

function useOptionKeys(options: readonly string[], lack: string | undefined, choose: (option: string) => void): void {
  const now = useLatest(choose);
  useActions(
    useMemo(
      () =>
        options.slice(0, 9).map((option, index): Action => ({
          id: `option-${index + 1}`,
          label: words.option(index + 1, optionLabel(option)),
          ...(!isEnding(option) && { keys: String(index + 1) }),
          group: 'page',
          disabledReason: lack,
          run: () => now.current(option),
        })),
      [options, lack, now],
    ),
  );
}

function OpenRun({ id }: { readonly id: string }): ReactNode {
  return (
    <Link to="/dashboard/ralph/$id" params={{ id }} className={buttonClass()}>
      {words.openRun}
    </Link>
  );
}
