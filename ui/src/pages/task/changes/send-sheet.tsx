// The sheet before a review is sent: all comments, a word to the agent, and who should do it.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { workersQuery } from '../../../data/fleet/fleet.ts';
import { followUp } from '../../../data/tasks/task-actions.ts';
import type { Task } from '../../../data/tasks/tasks.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../../parts/controls/dialog.tsx';
import { SelectField, TextArea } from '../../../parts/controls/field.tsx';
import type { ReviewComment } from '../../../parts/diff/changed-file.ts';
import { failureText } from '../../../parts/states/failure.tsx';
import { useMe } from '../../../session/use-me.ts';
import { cleanTitle } from '../../../text/clean.ts';
import { reviewWords as words } from '../../../words/tasks/en-review.ts';
import { CommentText } from './comment-text.tsx';
import { toWire } from './review-wire.ts';

type FollowUp = Parameters<typeof followUp>[1];

export interface SendSheetProps {
  readonly task: Task;
  readonly comments: readonly ReviewComment[];
  /** The first text of the field. */
  readonly word: string;
  /** Makes the call, so that no save of the draft comes after it. */
  readonly sendBy: (send: () => Promise<Task>) => Promise<Task>;
  readonly onSent: (task: Task) => void;
  readonly onClose: () => void;
}

export function SendSheet(props: SendSheetProps): ReactNode {
  const { task, comments } = props;
  const [word, setWord] = useState(props.word);
  const [worker, setWorker] = useState('');
  const [agent, setAgent] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const idempotencyKey = useKeyOf();
  const send = async (): Promise<void> => {
    if (isBusy || (comments.length === 0 && word.trim() === '')) return;
    setBusy(true);
    const body: FollowUp = {
      comments: comments.map(toWire),
      ...(word.trim() !== '' && { message: word.trim() }),
      ...(worker !== '' && { worker }),
      ...(agent !== '' && { agent }),
    };
    try {
      props.onSent(await props.sendBy(() => followUp(task.id, body, idempotencyKey(body))));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.sheetTitle} open wide onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
        }}
      >
        <p className="mb-3 text-sm text-soft">{words.sheetHint}</p>
        {comments.length === 0 ? null : (
          <ol
            aria-label={words.comments(comments.length)}
            tabIndex={0}
            className="mb-3 max-h-[40dvh] overflow-y-auto border-y border-line"
          >
            {comments.map((comment) => (
              <li key={comment.id} className="border-b border-line py-2 last:border-b-0">
                <CommentText comment={comment} />
              </li>
            ))}
          </ol>
        )}
        <TextArea
          label={words.word}
          hint={words.wordHint}
          rows={2}
          value={word}
          onChange={setWord}
          error={problem === undefined ? undefined : problemText(problem)}
          autoFocus
        />
        <Who task={task} worker={worker} agent={agent} onWorker={setWorker} onAgent={setAgent} />
        <DialogActions>
          <Button onClick={props.onClose}>{words.keep}</Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            {words.sendNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Who({
  task,
  worker,
  agent,
  onWorker,
  onAgent,
}: {
  readonly task: Task;
  readonly worker: string;
  readonly agent: string;
  readonly onWorker: (id: string) => void;
  readonly onAgent: (name: string) => void;
}): ReactNode {
  const mayRead = useMe()?.permissions.includes('workers:read') === true;
  const { data: workers = [] } = useQuery({ ...workersQuery(), enabled: mayRead });
  const able = workers.filter(
    ({ status, codebases }) => status === 'active' && codebases.some((one) => one === task.codebase_id),
  );
  const agents = [...new Set(able.flatMap((one) => one.agents))].toSorted();
  return (
    <div className="mt-3 grid gap-3 md:grid-cols-2">
      <SelectField
        label={words.worker}
        value={worker}
        onChange={onWorker}
        choices={[
          { value: '', label: words.sameWorker },
          ...able.map(({ worker_id, name }) => ({ value: worker_id, label: cleanTitle(name) })),
        ]}
      />
      <SelectField
        label={words.agent}
        value={agent}
        onChange={onAgent}
        choices={[
          { value: '', label: words.sameAgent },
          ...agents.map((name) => ({ value: name, label: cleanTitle(name) })),
        ]}
      />
    </div>
  );
}

/** One key for as long as the body is the same: a repeat after a lost answer makes no second task. */
function useKeyOf(): (body: FollowUp) => string {
  const known = useRef<{ readonly body: string; readonly key: string }>(undefined);
  return (body) => {
    const text = JSON.stringify(body);
    if (known.current?.body !== text) known.current = { body: text, key: crypto.randomUUID() };
    return known.current.key;
  };
}

function problemText(problem: unknown): string {
  const field = problem instanceof ApiError ? problem.problem?.errors?.[0]?.message : undefined;
  return field === undefined ? failureText(problem) : `${failureText(problem)} ${field}`;
}
