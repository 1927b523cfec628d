// The question of a task: who asks, the question, its answer, and what became of the answer.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { serviceNow } from '../../api/clock.ts';
import { answerStateOf, findAnswerer, followAnswer, openQuestion } from '../../data/tasks/answers.ts';
import { useWorkerName } from '../../data/fleet/fleet.ts';
import { answerTask, refreshTask } from '../../data/tasks/task-actions.ts';
import { taskQuery, type Task } from '../../data/tasks/tasks.ts';
import { useLatest } from '../../parts/use-latest.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { openTaskDialog } from '../../parts/task/opened-task-dialog.ts';
import { TaskMark } from '../../parts/task/task-state.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { questionWords as words } from '../../words/en-questions.ts';
import { taskWords } from '../../words/tasks/en-task.ts';
import { hasDraft, useAnswerDraft } from './answer-draft.ts';
import { AnswerForm, type GivenAnswer } from './answer-form.tsx';
import { QuestionContext } from './question-context.tsx';

export interface QuestionProps {
  readonly id: string;
  /** Opens the next question, if there is one. */
  readonly onNext: () => void;
}

const sentMs = 1_500;

export function TaskQuestion({ id, onNext }: QuestionProps): ReactNode {
  const [sent, setSent] = useState<string>();
  const query = useQuery({ ...taskQuery(id), refetchInterval: sent === undefined ? false : sentMs });
  return (
    <Answer query={query}>
      {(task) => (
        <div className="grid gap-4">
          <TaskLine task={task} />
          <QuestionNow task={task} sent={sent} onSent={setSent} onNext={onNext} />
          <QuestionContext task={task} />
        </div>
      )}
    </Answer>
  );
}

/** The agent that asks, its worker, and since when. */
function TaskLine({ task }: { readonly task: Task }): ReactNode {
  const workerName = useWorkerName();
  const worker = task.worker_id === null ? '' : workerName(task.worker_id);
  const who = [task.agent_type ?? task.target_agent ?? '', worker].filter(Boolean).join(' @ ');
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <TaskMark task={task} />
      {who === '' ? null : <FreeText text={who} />}
      {openQuestion(task) === null ? null : (
        <span>
          {words.asked} <Ago at={task.question?.asked_at ?? task.updated_at} />
        </span>
      )}
      {task.attempt > 0 ? <span>{words.attempt(task.attempt, task.max_attempts)}</span> : null}
    </p>
  );
}

interface NowProps {
  readonly task: Task;
  /** The question that this page has answered. */
  readonly sent: string | undefined;
  readonly onSent: (questionId: string) => void;
  readonly onNext: () => void;
}

function QuestionNow({ task, sent, onSent, onNext }: NowProps): ReactNode {
  const asked = openQuestion(task);
  /** The question that is being answered here, or that was refused because it is not asked any more. */
  const own = useRef<string>(undefined);
  const setOwn = useCallback((questionId: string | undefined) => {
    own.current = questionId;
  }, []);
  const gone = useGone(task, own, onNext);
  if (asked !== null && asked.question_id !== sent) {
    return (
      <OpenQuestion
        key={asked.question_id}
        task={task}
        question={asked}
        setOwn={setOwn}
        onSent={onSent}
        onNext={onNext}
      />
    );
  }
  return (
    <div className="grid gap-3 border-s-4 border-line bg-paper px-3 py-2">
      <p role="status">{sent === undefined ? gone : <SentText task={task} questionId={sent} />}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={onNext}>
          {words.next}
        </Button>
        <OpenTask id={task.id} />
      </div>
    </div>
  );
}

function SentText({ task, questionId }: { readonly task: Task; readonly questionId: string }): ReactNode {
  const workerName = useWorkerName();
  if (answerStateOf(task, questionId) === 'queued') return words.queued;
  return task.worker_id === null ? words.delivered : words.deliveredTo(workerName(task.worker_id));
}

/** Tells of a question that was asked while the page was there, and is not any more without this page: by whom, then the next. */
function useGone(task: Task, own: RefObject<string | undefined>, onNext: () => void): string {
  const seen = useRef<string>(undefined);
  const [text, setText] = useState<string>();
  const asked = openQuestion(task)?.question_id;
  const { id } = task;
  const next = useLatest(onNext);
  useEffect(() => {
    const before = seen.current;
    seen.current = asked;
    if (before === undefined || before === asked || before === own.current) return;
    const tell = async (): Promise<void> => {
      const told = await answererText(id);
      setText(told);
      notify(told);
      if (asked === undefined && !hasDraft(before)) next.current();
    };
    void tell();
  }, [asked, id, own, next]);
  return text ?? words.ended(commonWords.states[task.status]);
}

async function answererText(id: string): Promise<string> {
  const who = await findAnswerer(id).catch(() => undefined);
  if (who === undefined) return words.answeredElsewhere;
  return words.answeredBy(who.actor, durationText(serviceNow() - Date.parse(who.at), commonWords));
}

const goneCodes: readonly string[] = ['question_changed', 'no_question', 'task_finished', 'not_found'];

function OpenQuestion({
  task,
  question,
  setOwn,
  onSent,
  onNext,
}: Omit<NowProps, 'sent'> & {
  readonly question: NonNullable<Task['question']>;
  readonly setOwn: (questionId: string | undefined) => void;
}): ReactNode {
  const lack = useLack('tasks:write');
  const [draft, setDraft] = useAnswerDraft(question.question_id);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (answer: GivenAnswer, goesOn: boolean): Promise<void> => {
    if (isBusy) return;
    if ('message' in answer && answer.message.trim() === '') return setError(words.emptyAnswer);
    setBusy(true);
    setError(undefined);
    setOwn(question.question_id);
    try {
      await answerTask(task.id, answer, question.question_id);
      setDraft('');
      onSent(question.question_id);
      if (!goesOn) return;
      notify(words.queued);
      void followAnswer(task.id, question.question_id).catch(notifyError);
      onNext();
    } catch (failure) {
      setBusy(false);
      if (failure instanceof ApiError && goneCodes.includes(failure.code)) {
        notifyError(await answererText(task.id));
        await refreshTask(task.id);
        onNext();
        return;
      }
      setOwn(undefined);
      setError(failureText(failure));
    }
  };
  return (
    <>
      <section aria-label={words.question} className="border-s-4 border-ask bg-ask-ground px-3 py-2">
        {question.kind === 'permission' ? <p className="text-sm font-semibold text-ask">{words.permission}</p> : null}
        <div className="max-w-[72ch]">
          <MarkdownText text={question.text} />
        </div>
      </section>
      <AnswerForm
        options={question.options}
        draft={draft}
        onDraft={setDraft}
        error={error}
        isBusy={isBusy}
        lack={lack}
        onAnswer={(answer, goesOn) => void send(answer, goesOn)}
      >
        <Button
          kind="danger"
          disabledReason={lack}
          onClick={() => openTaskDialog({ kind: 'cancel', task })}
          className="md:ms-auto"
        >
          {taskWords.cancelTask}
        </Button>
        <OpenTask id={task.id} />
      </AnswerForm>
    </>
  );
}

function OpenTask({ id }: { readonly id: string }): ReactNode {
  return (
    <Link to="/v1/monitor/tasks/$id" params={{ id }} className={buttonClass()}>
      {words.openTask}
    </Link>
  );
}
