// Continues a conversation: answers its question, tells its agent, or makes the next task.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { answerTask, followUp, intervene } from '../../data/tasks/task-actions.ts';
import { isEnded, type Task } from '../../data/tasks/tasks.ts';
import { useActions } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { TextArea } from '../../parts/controls/field.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { useLack } from '../../session/use-me.ts';
import { cleanText, cleanTitle } from '../../text/clean.ts';
import { conversationWords as words } from '../../words/en-conversations.ts';

type Way = 'answer' | 'tell' | 'next';

interface Target {
  readonly way: Way;
  readonly task: Task;
}

/** A question is answered before all else; an open task gets a message; else the last task is followed up. @param tasks newest first */
function targetOf(tasks: readonly Task[]): Target | undefined {
  const asking = tasks.find(({ status }) => status === 'needs_input');
  if (asking !== undefined) return { way: 'answer', task: asking };
  const open = tasks.find((task) => !isEnded(task));
  if (open !== undefined) return { way: 'tell', task: open };
  const last = tasks[0];
  return last === undefined ? undefined : { way: 'next', task: last };
}

const labels = { answer: words.answer, tell: words.tell, next: words.next } as const;
const actions = { answer: words.answerDo, tell: words.tellDo, next: words.nextDo } as const;

export function ContinueBox({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  const target = targetOf(tasks);
  return target === undefined ? null : <ContinueForm target={target} />;
}

function ContinueForm({ target: { way, task } }: { readonly target: Target }): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // A repeat of a message that may have arrived makes no second task.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const area = useRef<HTMLTextAreaElement>(null);
  const lackWrite = useLack('tasks:write');
  const lackMonitor = useLack('monitor:write');
  const lack = way === 'tell' ? lackMonitor : lackWrite;
  useActions(
    useMemo(
      () => [
        {
          id: 'focus-answer',
          label: words.focusAnswer,
          keys: 'a',
          group: 'page' as const,
          run: () => area.current?.focus(),
        },
      ],
      [],
    ),
  );
  const send = async (): Promise<void> => {
    if (isBusy || lack !== undefined) return;
    if (text.trim() === '') return setProblem(words.missing);
    setBusy(true);
    setProblem(undefined);
    try {
      await carryOn(way, task, text, key);
      setText('');
      setKey(crypto.randomUUID());
      await queryClient.invalidateQueries({ queryKey: ['threads'] });
    } catch (error) {
      setProblem(failureText(error));
    }
    setBusy(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the field bubble to its form
    <form
      className="mt-6 grid gap-2 border-t border-edge pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
      }}
    >
      {way === 'answer' && task.question !== null ? (
        <p dir="auto" className="border-s-4 border-ask bg-ask-ground px-3 py-2 whitespace-pre-wrap">
          {cleanText(task.question.text)}
        </p>
      ) : null}
      <TextArea
        label={labels[way]}
        hint={hintOf(way, task)}
        value={text}
        onChange={setText}
        error={problem}
        areaRef={area}
        rows={3}
      />
      <div>
        <Button type="submit" kind="primary" busy={isBusy} disabledReason={lack}>
          {actions[way]}
        </Button>
      </div>
    </form>
  );
}

function hintOf(way: Way, { title }: Task): string {
  if (way === 'next') return words.nextHint;
  return way === 'answer' ? words.answerHint(cleanTitle(title)) : words.tellHint(cleanTitle(title));
}

async function carryOn(way: Way, task: Task, message: string, key: string): Promise<void> {
  if (way === 'answer') return answerTask(task.id, { message }, task.question?.question_id);
  if (way === 'tell') return intervene(task.id, 'message', message);
  await followUp(task.id, { message }, key);
}
