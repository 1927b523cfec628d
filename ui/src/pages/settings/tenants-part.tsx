// The tenants of this service, for administrators: new ones, and acting in one.
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { ApiError } from '../../api/api-error.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { queryClient } from '../../api/query-client.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { Dialog, DialogActions } from '../../parts/controls/dialog.tsx';
import { TextField } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { ExactTime } from '../../parts/marks/time.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { failureText } from '../../parts/states/failure.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { settingsWords } from '../../words/service/en-settings.ts';

type Tenant = Schemas['Tenant'];
const words = settingsWords.tenants;

export function TenantsPart(): ReactNode {
  const own = useMe()?.tenant_id;
  const lack = useLack('tenants:write');
  const [isNew, setNew] = useState(false);
  const query = useCursorPages(['tenants', 'pages'], async (cursor) => {
    const { tenants, next_cursor } = await dataOf(
      api().GET('/v1/auth/tenants', { params: { query: { limit: 100, cursor } } }),
    );
    return { rows: tenants, next: next_cursor };
  });
  const columns: readonly Column<Tenant>[] = [
    { id: 'name', head: words.columns.name, cell: ({ name }) => <FreeText text={name} /> },
    {
      id: 'id',
      head: words.columns.id,
      cell: ({ tenant_id }) => <FreeText text={tenant_id} className="font-mono text-mono" />,
    },
    { id: 'created', head: words.columns.created, cell: ({ created_at }) => <ExactTime at={created_at} /> },
    {
      id: 'actions',
      head: words.actions,
      hideHead: true,
      atEnd: true,
      cell: ({ tenant_id }) =>
        tenant_id === own ? (
          <span className="text-soft">{words.own}</span>
        ) : (
          <Link to="/v1/monitor/tasks" search={{ tenant: tenant_id }} className={buttonClass()}>
            {words.act}
          </Link>
        ),
    },
  ];
  return (
    <>
      <div className="flex justify-end px-(--page) py-4">
        <Button kind="primary" disabledReason={lack} onClick={() => setNew(true)}>
          {words.newTenant}
        </Button>
      </div>
      <PagedAnswer query={query}>
        {(tenants) =>
          tenants.length === 0 ? (
            <Empty text={words.empty} />
          ) : (
            <div className="px-(--page) pb-6">
              <DataTable
                label={words.table}
                columns={columns}
                rows={tenants}
                rowKey={({ tenant_id }) => tenant_id}
                grid="md:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_auto_auto]"
              />
            </div>
          )
        }
      </PagedAnswer>
      {isNew ? <NewTenantDialog onClose={() => setNew(false)} /> : null}
    </>
  );
}

function NewTenantDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      requireOnline();
      const body = { tenant_id: id.trim(), name: name.trim() === '' ? id.trim() : name.trim() };
      await dataOf(api().POST('/v1/auth/tenants', { body }));
      notify(words.created);
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.newTenant} open onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextField
          label={words.id}
          hint={words.idHint}
          value={id}
          onChange={setId}
          error={problem instanceof ApiError ? problem.fieldError('/tenant_id') : undefined}
          mono
          required
          autoFocus
        />
        <TextField label={words.name} value={name} onChange={setName} />
        {problem === undefined ? null : (
          <p role="alert" className="text-bad">
            {failureText(problem)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{words.close}</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {words.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
