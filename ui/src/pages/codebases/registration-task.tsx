// The task that asks the workers for a path, as it goes on.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { isEnded, taskQuery, type Task } from '../../data/tasks/tasks.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { TaskMark, TaskSentence } from '../../parts/task/task-state.tsx';
import { cleanText } from '../../text/clean.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';

const readMs = 2_000;

export function RegistrationTask({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const query = useQuery({
    ...taskQuery(id),
    // A refusal of one worker is no change of status in a stream.
    refetchInterval: ({ state: { data } }) => (data !== undefined && isEnded(data) ? false : readMs),
  });
  const status = query.data?.status;
  useEffect(() => {
    if (status === 'completed') void queryClient.invalidateQueries({ queryKey: ['codebases'] });
  }, [status]);
  return (
    <section aria-label={words.registering} className="m-(--page) rounded-sm border border-edge bg-paper p-3">
      <Answer query={query} rows={2}>
        {(task) => (
          <div className="grid gap-1">
            <h2 className="flex flex-wrap items-center gap-2 font-semibold">
              <TaskMark task={task} /> {words.registering}
            </h2>
            <p role="status">{sentenceOf(task)}</p>
            <p className="text-sm text-soft">
              <TaskSentence task={task} />
            </p>
            {task.error === null ? null : (
              <p dir="auto" className="text-sm whitespace-pre-wrap text-bad">
                {cleanText(task.error.message)}
              </p>
            )}
          </div>
        )}
      </Answer>
      <div className="mt-2 flex flex-wrap gap-2">
        <Link to="/v1/monitor/tasks/$id" params={{ id }} className={buttonClass()}>
          {words.openTask}
        </Link>
        <Button kind="quiet" onClick={onClose}>
          {words.dismiss}
        </Button>
      </div>
    </section>
  );
}

function sentenceOf(task: Task): string {
  if (task.status === 'completed') return words.registerDone;
  return isEnded(task) ? words.registerFailed : words.registerWaits;
}
