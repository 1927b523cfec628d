// The chat of a PRD: its messages, the questions with their lettered options, one field for the next message.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { sendToChat, turnsQuery, type PrdChat, type PrdTurn } from '../../data/runs/prd-chats.ts';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { MarkdownText } from '../../parts/markdown.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { prdWords as words } from '../../words/runs/en-prd.ts';
import { MessageForm } from './message-form.tsx';

type Question = PrdTurn['questions'][number];
type Option = Question['options'][number];

export function ChatColumn({ chat }: { readonly chat: PrdChat }): ReactNode {
  const query = useQuery(turnsQuery(chat.id, chat.status));
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const send = async (message: string): Promise<void> => {
    if (message.trim() === '' || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await sendToChat(chat.id, message, crypto.randomUUID());
      setText('');
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const choose = (question: Question, option: Option, isOnlyQuestion: boolean): void => {
    const choice = words.option(option.key, option.text);
    if (isOnlyQuestion) void send(choice);
    else setText((before) => withChoice(before, question.id, choice));
  };
  const isAnswering = isBusy || chat.status === 'answering';
  return (
    <section aria-labelledby="prd-chat" className="flex min-w-0 flex-col border-line lg:border-e">
      <h2 id="prd-chat" className="px-(--page) pt-4 font-semibold">
        {words.chat}
      </h2>
      <Answer query={query}>{(turns) => <Turns turns={turns} isAnswering={isAnswering} onChoose={choose} />}</Answer>
      <MessageForm text={text} onText={setText} onSend={() => void send(text)} isBusy={isAnswering} error={error} />
    </section>
  );
}

/** One line for each question: a second choice takes the place of the first. */
function withChoice(before: string, question: string, choice: string): string {
  const lines = before.split('\n').filter((line) => line !== '' && !line.startsWith(`${question}: `));
  return [...lines, `${question}: ${choice}`].join('\n');
}

interface TurnsProps {
  readonly turns: readonly PrdTurn[];
  readonly isAnswering: boolean;
  readonly onChoose: (question: Question, option: Option, isOnlyQuestion: boolean) => void;
}

function Turns({ turns, isAnswering, onChoose }: TurnsProps): ReactNode {
  const last = turns.at(-1);
  return (
    <>
      {turns.length === 0 ? <p className="px-(--page) py-4 text-soft">{words.chatEmpty}</p> : null}
      <ol className="grid gap-4 px-(--page) py-4">
        {turns.map((turn) => (
          <li key={`${turn.n} ${turn.role}`}>
            <Turn turn={turn} />
            {turn === last && !isAnswering ? <Questions turn={turn} onChoose={onChoose} /> : null}
          </li>
        ))}
      </ol>
      <p role="status" className="px-(--page) text-sm text-soft">
        {isAnswering ? words.answering : ''}
      </p>
    </>
  );
}

function Turn({ turn }: { readonly turn: PrdTurn }): ReactNode {
  const { role, source, text, at, status, task_id: task, version, warnings, attachments } = turn;
  const name = role === 'user' ? words.you : source === 'interview' ? words.interviewer : words.assistant;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-soft">
        <span className="font-semibold text-ink">{name}</span>
        <Ago at={at} />
        {version === null || version === turn.base_version ? null : <span>{words.turnVersion(version)}</span>}
        {task === null ? null : (
          <Link to="/v1/monitor/tasks/$id" params={{ id: task }} className="text-accent underline">
            {words.showTask}
          </Link>
        )}
      </p>
      <MarkdownText text={text} />
      {attachments.length === 0 ? null : (
        <p className="text-sm text-soft">
          <FreeText text={words.attachments(attachments.map((file) => file.name).join(', '))} />
        </p>
      )}
      {status === 'failed' ? <p className="text-sm text-bad">{words.failed}</p> : null}
      {warnings.map((warning) => (
        <p key={warning} className="text-sm text-ask">
          <FreeText text={warningText(warning)} />
        </p>
      ))}
    </>
  );
}

function warningText(warning: string): string {
  return warning === 'draft_rejected' ? words.warnings.draft_rejected : words.warning(warning);
}

interface QuestionsProps {
  readonly turn: PrdTurn;
  readonly onChoose: TurnsProps['onChoose'];
}

function Questions({ turn, onChoose }: QuestionsProps): ReactNode {
  if (turn.questions.length === 0) return null;
  return (
    <ol className="mt-2 grid gap-3">
      {turn.questions.map((question) => (
        <li key={question.id} className="border-s-4 border-ask ps-3">
          {question.text === turn.text ? null : (
            <p dir="auto" className="font-semibold">
              <FreeText text={question.text} />
            </p>
          )}
          <div role="group" aria-label={cleanTitle(question.text)} className="mt-1 flex flex-wrap gap-2">
            {question.options.map((option) => (
              <Button key={option.key} onClick={() => onChoose(question, option, turn.questions.length === 1)}>
                <FreeText text={words.option(option.key, option.text)} />
              </Button>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
