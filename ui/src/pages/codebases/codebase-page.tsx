// The page of one codebase: its tasks, the sessions of agents in it, and who has it.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Codebase } from '../../data/fleet/fleet.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button, buttonClass } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { codebaseWords as words } from '../../words/service/en-codebases.ts';
import { CodebaseRail } from './codebase-rail.tsx';
import { AgentSessions, TasksPart } from './codebase-parts.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

const permission = 'codebases:read';
const globalId = 'global';

function codebaseQuery(id: string) {
  return queryOptions({
    queryKey: ['codebases', 'one', id],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/codebases/{id}', { params: { path: { id } } }))).codebase,
  });
}

export function CodebasePage(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const lack = useLack(permission);
  const query = useQuery({ ...codebaseQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedCodebase codebase={query.data} />;
  return (
    <Page title={words.title} focusKey={id}>
      <Waiting query={query} />
    </Page>
  );
}

function LoadedCodebase({ codebase }: { readonly codebase: Codebase }): ReactNode {
  const { codebase_id: id, name, path } = codebase;
  const { part = 'tasks' } = useSearch({ from: '/v1/monitor/codebases/$id' });
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const lackDelete = useLack('codebases:delete');
  const maySeeSessions = useLack('sessions:read') === undefined;
  useRowKeys();
  return (
    <Page
      title={name}
      focusKey={id}
      actions={
        <>
          <Link
            to="/v1/monitor/tasks/new"
            search={{ codebase: id === globalId ? undefined : id }}
            className={buttonClass('primary')}
          >
            {words.newTask}
          </Link>
          <Button kind="danger" disabledReason={lackDelete} onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
          <CopyMenu
            link={`/v1/monitor/codebases/${id}`}
            id={id}
            call={{ method: 'GET', path: `/v1/agent/codebases/${id}` }}
            json={codebase}
          />
        </>
      }
      below={
        <>
          <p className="pb-2 font-mono text-mono break-all text-soft">
            <FreeText text={path} />
          </p>
          <Tabs
            label={words.partsLabel}
            current={part}
            tabs={(maySeeSessions ? (['tasks', 'sessions'] as const) : (['tasks'] as const)).map((tab) => ({
              id: tab,
              label: words.parts[tab],
              link: {
                to: '/v1/monitor/codebases/$id',
                params: { id },
                search: { part: tab === 'sessions' ? tab : undefined },
              },
            }))}
          />
        </>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0">
          {part === 'sessions' ? <AgentSessions codebaseId={id} /> : <TasksPart codebaseId={id} />}
        </div>
        <CodebaseRail codebase={codebase} />
      </div>
      {isRemoving ? (
        <RemoveDialog
          codebase={codebase}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate({ to: '/v1/monitor/codebases' })}
        />
      ) : null}
    </Page>
  );
}
