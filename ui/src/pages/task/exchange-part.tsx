// What was said between people and the agent: messages, questions, answers, and how far each message came.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { taskEventsQuery, type TaskEvent } from '../../data/task-events.ts';
import type { Task } from '../../data/tasks.ts';
import { ExchangeBlock } from '../../parts/task/exchange-block.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { taskPageWords as words } from '../../words/en-task-page.ts';

export function ExchangePart({ task }: { readonly task: Task }): ReactNode {
  const events = useQuery(taskEventsQuery(task.id));
  return (
    <div className="max-w-[90ch] p-(--page)">
      <Answer query={events}>{(all) => <Exchange task={task} events={all} />}</Answer>
    </div>
  );
}

/** The words of a message event: its texts, and the names of its files. */
export function messageText(event: Extract<TaskEvent, { type: 'message' }>): string {
  return event.data.parts
    .map((part) =>
      'text' in part
        ? part.text
        : 'file' in part
          ? `[${part.file.name ?? part.file.uri ?? ''}]`
          : JSON.stringify(part.data),
    )
    .join('\n');
}

function Exchange({ task, events }: { readonly task: Task; readonly events: readonly TaskEvent[] }): ReactNode {
  const { data: interventions = [] } = useQuery({
    queryKey: ['task', task.id, 'interventions'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/monitor/interventions', { params: { query: { task_id: task.id, limit: 100 } } })))
        .interventions,
  });
  const said = [
    { id: 'prompt', at: task.created_at, name: task.created_by, text: task.prompt, note: undefined },
    ...events
      .filter((event) => event.type === 'message')
      .map((event) => ({
        id: event.data.message_id,
        at: event.at,
        name: words.roles[event.data.role],
        text: messageText(event),
        note: undefined,
      })),
    ...events.flatMap((event) =>
      event.type === 'status' && event.data.question !== undefined
        ? [
            {
              id: `question ${event.seq}`,
              at: event.at,
              name: words.roles.agent,
              text: event.data.question,
              note: words.asked,
            },
          ]
        : [],
    ),
    ...interventions
      .filter(({ action, message }) => action !== 'message' || message !== null)
      .map(({ id, created_at, created_by, message, action, status }) => ({
        id,
        at: created_at,
        name: words.interventionBy(created_by),
        text: message ?? action,
        note: words.interventionState(status),
      })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  // The prompt is the first message of the exchange too.
  const shown = said.filter((one, index) => index === 0 || one.text !== task.prompt);
  if (shown.length === 0) return <Empty text={words.noExchange} />;
  return (
    <ol className="grid gap-4">
      {shown.map(({ id, at, name, text, note }) => (
        <li key={id}>
          <ExchangeBlock name={name} at={at} text={text} note={note} />
        </li>
      ))}
    </ol>
  );
}
