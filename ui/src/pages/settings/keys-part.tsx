// API keys: what each may do, until when, when it was last used; new ones, and revoking them.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Schemas } from '../../../../src/client/client.ts';
import { api, dataOf } from '../../api/api.ts';
import { useCursorPages } from '../../api/cursor-pages.ts';
import { queryClient } from '../../api/query-client.ts';
import { useNow } from '../../api/use-now.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { AskFirst } from '../../parts/controls/ask-first.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { CopyIconMenu } from '../../parts/controls/copy-menu.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { CheckBox } from '../../parts/controls/field.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { PagedAnswer } from '../../parts/states/paged-answer.tsx';
import { DataTable, type Column } from '../../parts/table.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { settingsWords } from '../../words/service/en-settings.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

type ApiKey = Schemas['ApiKey'];
const words = settingsWords.keys;

export function KeysPart(): ReactNode {
  const { all } = useSearch({ from: '/v1/monitor/settings/$part' });
  const navigate = useNavigate();
  const mayAll = useMe()?.permissions.includes('api_keys:admin') === true;
  const lack = useLack('api_keys:write');
  const [isNew, setNew] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const query = useCursorPages(['api-keys', all ?? false], async (cursor) => {
    const { api_keys, next_cursor } = await dataOf(
      api().GET('/v1/auth/api-keys', { params: { query: { limit: 100, cursor, ...(all && { all }) } } }),
    );
    return { rows: api_keys, next: next_cursor };
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-(--page) py-4">
        <p className="max-w-[60ch] text-soft">{words.text}</p>
        <div className="flex flex-wrap items-center gap-4 md:ms-auto">
          {mayAll ? (
            <CheckBox
              label={settingsWords.everybody}
              checked={all === true}
              onChange={(isOn) =>
                void navigate({
                  to: '/v1/monitor/settings/$part',
                  params: { part: 'keys' },
                  search: { all: isOn ? true : undefined },
                })
              }
            />
          ) : null}
          <Button kind="primary" disabledReason={lack} onClick={() => setNew(true)}>
            {words.newKey}
          </Button>
        </div>
      </div>
      <PagedAnswer query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty text={words.empty}>
              <CodeLine text={words.emptyCommand} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
            </Empty>
          ) : (
            <KeyTable keys={keys} onRevoke={setRevoking} />
          )
        }
      </PagedAnswer>
      {isNew ? <NewKeyDialog onClose={() => setNew(false)} /> : null}
      {revoking === undefined ? null : (
        <AskFirst
          title={words.revokeTitle(revoking.name)}
          text={words.revokeText(revoking.prefix)}
          keep={words.keep}
          action={words.revokeKey}
          onClose={() => setRevoking(undefined)}
          onDo={() => revoke(revoking.id)}
        />
      )}
    </>
  );
}

async function revoke(id: string): Promise<void> {
  requireOnline();
  await dataOf(api().DELETE('/v1/auth/api-keys/{id}', { params: { path: { id } } }));
  notify(words.revoked);
  await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
}

function KeyTable({
  keys,
  onRevoke,
}: {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}): ReactNode {
  const lack = useLack('api_keys:delete');
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', head: words.columns.name, cell: (key) => <KeyName apiKey={key} /> },
    { id: 'scopes', head: words.columns.scopes, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { id: 'owner', head: words.columns.owner, cell: ({ user_id }) => <FreeText text={user_id} /> },
    { id: 'created', head: words.columns.created, cell: ({ created_at }) => <Ago at={created_at} /> },
    { id: 'expires', head: words.columns.expires, cell: ({ expires_at }) => <MaybeAgo at={expires_at} /> },
    { id: 'used', head: words.columns.used, cell: ({ last_used_at }) => <MaybeAgo at={last_used_at} /> },
    {
      id: 'actions',
      head: words.actions,
      hideHead: true,
      atEnd: true,
      cell: (key) => (
        <span className="flex justify-end gap-1">
          {key.revoked_at === null ? (
            <Button kind="danger" disabledReason={lack} onClick={() => onRevoke(key)}>
              {words.revoke}
            </Button>
          ) : null}
          <CopyIconMenu
            label={commonWords.copyOf(key.name)}
            link="/v1/monitor/settings/keys"
            id={key.id}
            call={{ method: 'GET', path: '/v1/auth/api-keys' }}
            command="switchyard key list"
            json={key}
          />
        </span>
      ),
    },
  ];
  return (
    <div className="px-(--page) pb-6">
      <DataTable
        label={words.table}
        columns={columns}
        rows={keys}
        rowKey={({ id }) => id}
        grid="md:grid-cols-[minmax(8rem,2fr)_minmax(6rem,2fr)_minmax(4rem,1fr)_auto_auto_auto_auto]"
      />
    </div>
  );
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const now = useNow(60_000);
  const state =
    apiKey.revoked_at !== null
      ? words.revokedState
      : apiKey.expires_at !== null && Date.parse(apiKey.expires_at) <= now
        ? words.expiredState
        : undefined;
  return (
    <>
      <FreeText text={apiKey.name} className={state === undefined ? '' : 'text-soft line-through'} />
      <span className="block font-mono text-xs font-normal text-soft">
        {apiKey.prefix}…{state === undefined ? null : ` · ${state}`}
      </span>
    </>
  );
}

const shownScopes = 3;

function ScopeList({ scopes }: { readonly scopes: readonly string[] }): ReactNode {
  if (scopes.length <= shownScopes) return <span className="font-mono text-xs">{scopes.join(' ')}</span>;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-sm">{words.scopeCount(scopes.length)}</summary>
      <span className="font-mono text-xs">{scopes.join(' ')}</span>
    </details>
  );
}

function MaybeAgo({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? <span className="text-soft">{commonWords.never}</span> : <Ago at={at} />;
}
