// The exchange between people and the agent, from its end: messages, questions, answers, and the delivery of each message.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import type { AnswerOf } from '../../api/answer-of.ts';
import { exchangeQuery, messageText, type TaskEvent } from '../../data/tasks/task-events.ts';
import { isEnded, type Task } from '../../data/tasks/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { ExchangeBlock } from '../../parts/task/exchange-block.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';

type Intervention = AnswerOf<'monitor.interventions'>['interventions'][number];

interface Said {
  readonly id: string;
  readonly at: string;
  readonly name: string;
  readonly text: string;
  readonly note: string | undefined;
}

export function ExchangePart({ task }: { readonly task: Task }): ReactNode {
  const query = useInfiniteQuery(exchangeQuery(task.id));
  const interventions = useInterventions(task);
  if (query.data === undefined) return <Waiting query={query} />;
  const events = query.data.pages.toReversed().flat();
  const isWhole = !query.hasNextPage;
  // Interventions before the first loaded event belong above it.
  const begin = isWhole ? '' : (events[0]?.at ?? '');
  const said = [
    ...events.flatMap((event) => saidBy(event)),
    ...interventions.flatMap((one) => (one.created_at < begin ? [] : saidByIntervention(one))),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  // The prompt is the first message of the exchange too; a message to a running agent is one of the exchange and an
  // intervention, whose delivery is shown.
  const told = new Set(interventions.map(({ id }) => id));
  const shown = said.filter(
    ({ id, text, note }) => (note !== undefined || !told.has(id)) && (!isWhole || text !== task.prompt),
  );
  return (
    <div className="grid max-w-[90ch] gap-4 p-(--page)">
      <ol className="grid gap-4">
        <SaidItem
          said={{ id: 'prompt', at: task.created_at, name: task.created_by, text: task.prompt, note: undefined }}
        />
        {isWhole ? null : (
          <li>
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {words.earlier}
            </Button>
          </li>
        )}
        {shown.map((one) => (
          <SaidItem key={one.id} said={one} />
        ))}
      </ol>
      {shown.length === 0 ? <p className="text-soft">{words.noExchange}</p> : null}
    </div>
  );
}

/** An item out of sight costs no layout: an exchange may be long. */
function SaidItem({ said: { name, at, text, note } }: { readonly said: Said }): ReactNode {
  return (
    <li className="[contain-intrinsic-size:auto_5rem] [content-visibility:auto]">
      <ExchangeBlock name={name} at={at} text={text} note={note} />
    </li>
  );
}

const deliveryMs = 3_000;

function useInterventions(task: Task): readonly Intervention[] {
  const { data = [] } = useQuery({
    queryKey: ['task', task.id, 'interventions'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/monitor/interventions', { params: { query: { task_id: task.id, limit: 100 } } })))
        .interventions,
    // Their way to the agent is no frame of the stream.
    refetchInterval: ({ state }) => (!isEnded(task) && state.data?.some(isUnderWay) === true ? deliveryMs : false),
  });
  return data;
}

function isUnderWay({ status }: Intervention): boolean {
  return status === 'queued' || status === 'sent';
}

function saidBy(event: TaskEvent): Said[] {
  if (event.type === 'message') {
    const { message_id: id, role, by } = event.data;
    return [{ id, at: event.at, name: by ?? words.roles[role], text: messageText(event), note: undefined }];
  }
  if (event.type !== 'status' || event.data.question === undefined) return [];
  const { question } = event.data;
  return [{ id: `question ${event.seq}`, at: event.at, name: words.roles.agent, text: question, note: words.asked }];
}

function saidByIntervention({ id, created_at, created_by, message, action, status }: Intervention): Said[] {
  if (action === 'message' && message === null) return [];
  const note = words.interventionState(status);
  return [{ id, at: created_at, name: words.interventionBy(created_by), text: message ?? action, note }];
}
