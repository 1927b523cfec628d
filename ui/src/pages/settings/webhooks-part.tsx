// Webhooks of the tenant: the secret that signs them, and those that were given up, over all tasks.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/answer-of.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CopyIconMenu } from '../../parts/controls/copy-menu.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { notify, notifyError } from '../../parts/states/notices.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { WebhookSecret } from './webhook-secret.tsx';

type DeadDelivery = AnswerOf<'deliveries.list_dead'>['deliveries'][number];
const words = settingsWords.webhooks;

export function WebhooksPart(): ReactNode {
  const mayReadTenants = useMe()?.permissions.includes('tenants:read') === true;
  const lack = useLack('automation:write');
  const query = useCursorPages(['dead-deliveries'], async (cursor) => {
    const { deliveries, next_cursor } = await dataOf(
      api().GET('/v1/automation/deliveries', { params: { query: { status: 'dead', limit: 100, cursor } } }),
    );
    return { rows: deliveries, next: next_cursor };
  });
  const columns: readonly Column<DeadDelivery>[] = [
    { id: 'url', head: words.columns.url, cell: ({ url }) => <FreeText text={url} className="break-all" /> },
    {
      id: 'task',
      head: words.columns.task,
      cell: ({ task_id }) => (
        <Link
          to="/v1/monitor/tasks/$id/$part"
          params={{ id: task_id, part: 'deliveries' }}
          className="font-mono text-mono text-accent underline"
        >
          {task_id.slice(0, 8)}
        </Link>
      ),
    },
    { id: 'error', head: words.columns.error, cell: (delivery) => <LastError delivery={delivery} /> },
    {
      id: 'at',
      head: words.columns.at,
      cell: ({ attempts, created_at }) => <Ago at={attempts.at(-1)?.at ?? created_at} />,
    },
    { id: 'tries', head: words.columns.tries, atEnd: true, cell: ({ attempts }) => words.tries(attempts.length) },
    {
      id: 'actions',
      head: words.actions,
      hideHead: true,
      atEnd: true,
      cell: (delivery) => (
        <span className="flex justify-end gap-1">
          <Button disabledReason={lack} onClick={() => void sendAgain(delivery).catch(notifyError)}>
            {words.sendAgain}
          </Button>
          <CopyIconMenu
            label={commonWords.copyOf(delivery.delivery_id)}
            link={`/v1/monitor/tasks/${delivery.task_id}/deliveries`}
            id={delivery.delivery_id}
            call={{ method: 'GET', path: `/v1/automation/tasks/${delivery.task_id}/deliveries` }}
            json={delivery}
          />
        </span>
      ),
    },
  ];
  return (
    <div className="grid gap-8 py-4">
      {mayReadTenants ? <WebhookSecret /> : null}
      <section>
        <h2 className="px-(--page) font-bold">{words.dead}</h2>
        <PagedAnswer query={query}>
          {(deliveries) => (
            <div className="px-(--page) pb-4">
              <p className="mb-3 text-soft">{deliveries.length === 0 ? words.none : words.deadText}</p>
              {deliveries.length === 0 ? null : (
                <DataTable
                  label={words.table}
                  columns={columns}
                  rows={deliveries}
                  rowKey={({ delivery_id }) => delivery_id}
                  grid="md:grid-cols-[minmax(8rem,2fr)_auto_minmax(6rem,1fr)_auto_auto_auto]"
                />
              )}
            </div>
          )}
        </PagedAnswer>
      </section>
    </div>
  );
}

function LastError({ delivery }: { readonly delivery: DeadDelivery }): ReactNode {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return null;
  if (last.error !== null) return <FreeText text={last.error} className="text-bad" />;
  return last.status_code === null ? null : <span className="text-bad">{words.answered(last.status_code)}</span>;
}

async function sendAgain({ task_id, delivery_id }: DeadDelivery): Promise<void> {
  requireOnline();
  const path = { id: task_id, delivery_id };
  await dataOf(api().POST('/v1/automation/tasks/{id}/deliveries/{delivery_id}/redeliver', { params: { path } }));
  notify(words.sentAgain);
  const keys = [['dead-deliveries'], ['attention'], ['task', task_id]];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
