// The webhook deliveries of a task, with their tries; a dead one can be sent again.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Task } from '../../data/tasks/tasks.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CopyIconMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { ExactTime } from '../../parts/marks/time.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { taskPageWords as words } from '../../words/tasks/en-task-page.ts';

export function DeliveriesPart({ task }: { readonly task: Task }): ReactNode {
  const lack = useLack('automation:read');
  return lack === undefined ? <Deliveries task={task} /> : <Empty text={lack} />;
}

function Deliveries({ task }: { readonly task: Task }): ReactNode {
  const lack = useLack('automation:write');
  const query = useQuery({
    queryKey: ['task', task.id, 'deliveries'],
    queryFn: async () =>
      (await dataOf(api().GET('/v1/automation/tasks/{id}/deliveries', { params: { path: { id: task.id } } })))
        .deliveries,
  });
  const sendAgain = async (deliveryId: string): Promise<void> => {
    const path = { id: task.id, delivery_id: deliveryId };
    await dataOf(api().POST('/v1/automation/tasks/{id}/deliveries/{delivery_id}/redeliver', { params: { path } }));
    notify(words.sentAgain);
    await queryClient.invalidateQueries({ queryKey: ['task', task.id, 'deliveries'] });
  };
  return (
    <Answer query={query}>
      {(deliveries) =>
        deliveries.length === 0 ? (
          <Empty text={words.noDeliveries} />
        ) : (
          <ul className="grid gap-3 p-(--page)">
            {deliveries.map((delivery) => (
              <li key={delivery.delivery_id} className="rounded-sm border border-line bg-paper p-3">
                <h3 className="font-semibold">
                  {words.deliveryKinds[delivery.kind]}{' '}
                  <span className="font-normal text-soft">{words.deliveryStatuses[delivery.status]}</span>
                </h3>
                <p className="text-sm break-all text-soft">
                  <FreeText text={delivery.url} />
                </p>
                <ol className="mt-1 text-sm text-soft">
                  {delivery.attempts.map(({ at, status_code, error }) => (
                    <li key={at}>
                      <ExactTime at={at} /> {status_code ?? ''} <FreeText text={error ?? ''} className="text-bad" />
                    </li>
                  ))}
                </ol>
                <div className="mt-2 flex gap-1">
                  {delivery.status === 'pending' ? null : (
                    <Button
                      disabledReason={lack}
                      onClick={() => void sendAgain(delivery.delivery_id).catch(notifyError)}
                    >
                      {words.sendAgain}
                    </Button>
                  )}
                  <CopyIconMenu
                    label={commonWords.copyOf(delivery.delivery_id)}
                    link={`/v1/monitor/tasks/${task.id}/deliveries`}
                    id={delivery.delivery_id}
                    call={{ method: 'GET', path: `/v1/automation/tasks/${task.id}/deliveries` }}
                    json={delivery}
                  />
                </div>
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
