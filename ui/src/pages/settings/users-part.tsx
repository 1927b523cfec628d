// The users of the tenant: their roles and status, new ones, and removing them.
import { useState, type ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { useLack } from '../../session/use-me.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { UserDialog } from './user-dialog.tsx';

type User = Schemas['User'];
const words = settingsWords.users;

export function UsersPart(): ReactNode {
  const lack = useLack('users:write');
  const lackDelete = useLack('users:delete');
  const [edited, setEdited] = useState<User | 'new'>();
  const [deleted, setDeleted] = useState<User>();
  const query = useCursorPages(['users'], async (cursor) => {
    const { users, next_cursor } = await dataOf(
      api().GET('/v1/auth/users', { params: { query: { limit: 100, cursor } } }),
    );
    return { rows: users, next: next_cursor };
  });
  const columns: readonly Column<User>[] = [
    {
      id: 'name',
      head: words.columns.name,
      cell: ({ name, user_id }) => (
        <>
          <FreeText text={name} />
          <FreeText text={user_id} className="block font-mono text-xs font-normal text-soft" />
        </>
      ),
    },
    { id: 'roles', head: words.columns.roles, cell: ({ roles }) => roles.join(', ') },
    {
      id: 'status',
      head: words.columns.status,
      cell: ({ status }) => <span className={status === 'disabled' ? 'text-bad' : ''}>{words.statuses[status]}</span>,
    },
    { id: 'source', head: words.columns.source, cell: ({ source }) => words.sources[source] },
    { id: 'updated', head: words.columns.updated, cell: ({ updated_at }) => <Ago at={updated_at} /> },
    {
      id: 'actions',
      head: words.actions,
      hideHead: true,
      atEnd: true,
      cell: (user) => (
        <div className="flex gap-2 md:justify-end">
          <Button disabledReason={lack} onClick={() => setEdited(user)}>
            {words.edit}
          </Button>
          <Button kind="danger" disabledReason={lackDelete} onClick={() => setDeleted(user)}>
            {words.delete}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      <div className="flex justify-end px-(--page) py-4">
        <Button kind="primary" disabledReason={lack} onClick={() => setEdited('new')}>
          {words.newUser}
        </Button>
      </div>
      <PagedAnswer query={query}>
        {(users) =>
          users.length === 0 ? (
            <Empty text={words.empty} />
          ) : (
            <div className="px-(--page) pb-6">
              <DataTable
                label={words.table}
                columns={columns}
                rows={users}
                rowKey={({ user_id }) => user_id}
                grid="md:grid-cols-[minmax(8rem,2fr)_minmax(5rem,1fr)_auto_minmax(5rem,1fr)_auto_auto]"
              />
            </div>
          )
        }
      </PagedAnswer>
      {edited === undefined ? null : (
        <UserDialog user={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {deleted === undefined ? null : (
        <AskFirst
          title={words.deleteTitle(deleted.name)}
          text={words.deleteText}
          keep={words.keep}
          action={words.deleteUser}
          onClose={() => setDeleted(undefined)}
          onDo={() => deleteUser(deleted.user_id)}
        />
      )}
    </>
  );
}

async function deleteUser(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().DELETE('/v1/auth/users/{id}', { params: { path: { id } } }));
  notify(words.deleted);
  await queryClient.invalidateQueries({ queryKey: ['users'] });
}
