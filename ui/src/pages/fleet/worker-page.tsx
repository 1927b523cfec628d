// The page of one worker: what it runs, what it ran, what it could run, and why it is idle.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Worker } from '../../data/fleet/fleet.ts';
import { taskListQuery } from '../../data/tasks/task-lists.ts';
import { workerSignals, workerStateOf } from '../../data/fleet/worker-state.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useActions } from '../../keys/actions.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { SlotSquares } from '../../parts/marks/slot-squares.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { TaskTable } from '../../parts/task/task-table.tsx';
import { useLack } from '../../session/use-me.ts';
import { fleetWords as words } from '../../words/service/en-fleet.ts';
import { DrainDialog } from './drain-dialog.tsx';
import { WhyIdle } from './why-idle.tsx';
import { CouldRun, MissingAgents, SessionsOfWorker } from './worker-parts.tsx';

const permission = 'workers:read';
const readMs = 10_000;
const lastTasks = 20;

function workerQuery(id: string) {
  return queryOptions({
    queryKey: ['workers', 'one', id],
    queryFn: async () => (await dataOf(api().GET('/v1/agent/workers/{id}', { params: { path: { id } } }))).worker,
    refetchInterval: readMs,
  });
}

export function WorkerPage(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const lack = useLack(permission);
  const query = useQuery({ ...workerQuery(id), enabled: lack === undefined });
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFound id={id} />;
  if (query.data !== undefined) return <LoadedWorker worker={query.data} />;
  return (
    <Page title={words.title} focusKey={id}>
      <Waiting query={query} />
    </Page>
  );
}

function LoadedWorker({ worker }: { readonly worker: Worker }): ReactNode {
  const { worker_id: id, name, running, slots } = worker;
  const [isDraining, setDraining] = useState(false);
  const reason = useNoDrainReason(worker);
  const state = workerStateOf(worker);
  useRowKeys();
  useActions(
    useMemo(
      () => [
        {
          id: 'drain',
          label: words.drainKey,
          keys: 'd',
          group: 'page' as const,
          run: () => setDraining(true),
          disabledReason: reason,
        },
      ],
      [reason],
    ),
  );
  return (
    <Page
      title={name}
      focusKey={id}
      mark={<SignalMark signal={workerSignals[state]} word={words.states[state]} />}
      actions={
        <>
          <Button keys="d" disabledReason={reason} onClick={() => setDraining(true)}>
            {words.drain}
          </Button>
          <CopyMenu
            link={`/v1/monitor/fleet/${id}`}
            id={id}
            call={{ method: 'GET', path: `/v1/agent/workers/${id}` }}
            json={worker}
          />
        </>
      }
      below={
        <p className="flex flex-wrap items-center gap-x-4 pb-3 text-soft">
          <span>
            {words.heartbeat} <Ago at={worker.last_heartbeat} />
          </span>
          <SlotSquares busy={running} slots={slots} label={words.slots(running, slots)} />
        </p>
      }
    >
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_380px]">
        <div className="min-w-0">
          <TasksOfWorker worker={worker} />
        </div>
        <div className="min-w-0 lg:border-s lg:border-line">
          <CouldRun worker={worker} />
          <MissingAgents worker={worker} />
        </div>
      </div>
      {isDraining ? <DrainDialog worker={worker} onClose={() => setDraining(false)} /> : null}
    </Page>
  );
}

function useNoDrainReason({ status, drained_at }: Worker): string | undefined {
  const lack = useLack('workers:write');
  if (lack !== undefined) return lack;
  if (status === 'unregistered') return words.notOnline;
  return drained_at === null ? undefined : words.alreadyDrained;
}

function TasksOfWorker({ worker }: { readonly worker: Worker }): ReactNode {
  const { worker_id } = worker;
  const mayRead = useLack('tasks:read') === undefined;
  const running = useQuery({
    ...taskListQuery({ worker_id, status: 'running', steps: true, limit: 100 }),
    enabled: mayRead,
  });
  const ended = useQuery({
    ...taskListQuery({ worker_id, status: ['completed', 'failed', 'cancelled', 'needs_input'], limit: lastTasks }),
    enabled: mayRead,
  });
  return (
    <>
      {mayRead ? (
        <Section title={words.now}>
          <Answer query={running} rows={2}>
            {(tasks) =>
              tasks.length === 0 ? (
                <p className="text-soft">{words.nothingNow}</p>
              ) : (
                <TaskTable tasks={tasks} label={words.now} />
              )
            }
          </Answer>
        </Section>
      ) : null}
      {worker.running < worker.slots ? <WhyIdle worker={worker} /> : null}
      {mayRead ? (
        <Section title={words.last}>
          <Answer query={ended}>
            {(tasks) =>
              tasks.length === 0 ? (
                <p className="text-soft">{words.nothingYet}</p>
              ) : (
                <TaskTable tasks={tasks} label={words.last} />
              )
            }
          </Answer>
        </Section>
      ) : null}
      <SessionsOfWorker worker={worker} />
    </>
  );
}
