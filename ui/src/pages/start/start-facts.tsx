// The three facts of the first minute: the service runs, a worker is here, a codebase is bound.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/api.ts';
import { codebasesQuery, workersQuery, type Worker } from '../../data/fleet/fleet.ts';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { StateMark, type MarkState } from '../../parts/marks/state-mark.tsx';
import { useLack } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { startWords as words } from '../../words/en-start.ts';
import { boundCodebases } from './first-task.ts';

const readMs = 5_000;

export function StartFacts(): ReactNode {
  return (
    <section aria-label={words.facts}>
      <h2 className="mb-2 font-semibold">{words.facts}</h2>
      <ul className="grid gap-3">
        <ServiceFact />
        <WorkerFact />
        <CodebaseFact />
      </ul>
    </section>
  );
}

function Fact({
  state,
  title,
  children,
}: {
  readonly state: 'yes' | 'no' | 'unknown';
  readonly title: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const mark: Record<typeof state, MarkState> = { yes: 'completed', no: 'failed', unknown: 'pending' };
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-t border-line pt-2">
      <StateMark state={mark[state]} word={words[state]} hideWord />
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        <div className="grid gap-1 text-sm text-soft">{children}</div>
      </div>
    </li>
  );
}

function ServiceFact(): ReactNode {
  const lack = useLack('monitor:read');
  const { data } = useQuery({
    queryKey: ['service-health'],
    queryFn: () => dataOf(api().GET('/v1/monitor/service-health')),
    enabled: lack === undefined,
  });
  const isDegraded = data?.status === 'degraded';
  return (
    <Fact state={isDegraded ? 'no' : 'yes'} title={isDegraded ? words.serviceDegraded : words.service}>
      <p className="break-words">{isDegraded ? data.reasons.join(' ') : words.serviceAt(location.origin)}</p>
    </Fact>
  );
}

function WorkerFact(): ReactNode {
  const lack = useLack('workers:read');
  const { data } = useQuery({ ...workersQuery(), refetchInterval: readMs, enabled: lack === undefined });
  if (lack !== undefined || data === undefined) return <Fact state="unknown" title={lack ?? commonWords.loading} />;
  const online = data.filter(({ status }) => status === 'active');
  const [first] = online;
  if (first === undefined) {
    return (
      <Fact state="no" title={words.noWorker}>
        <p>{words.noWorkerHint}</p>
        <WorkerCommand />
      </Fact>
    );
  }
  return (
    <Fact
      state={first.agents.length > 0 ? 'yes' : 'no'}
      title={
        <>
          <FreeText text={words.worker(first.name)} />
          {online.length > 1 ? ` ${words.moreWorkers(online.length - 1)}` : null}
        </>
      }
    >
      <Agents worker={first} />
    </Fact>
  );
}

function Agents({ worker }: { readonly worker: Worker }): ReactNode {
  return (
    <>
      <p>
        <FreeText text={worker.agents.length > 0 ? words.agents(worker.agents.join(', ')) : words.noAgents} />
      </p>
      {worker.agents_missing.length === 0 ? null : (
        <ul className="grid gap-0.5">
          {worker.agents_missing.map(({ name, reason }) => (
            <li key={name}>
              <FreeText text={words.missing(name, reason)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Starts a worker for the folder that one is in. */
export function WorkerCommand(): ReactNode {
  return (
    <CodeLine
      text={`A2A_SERVER_URL=${location.origin} SWITCHYARD_TOKEN=… switchyard worker --codebase .`}
      copyLabel={commonWords.copy}
      copiedLabel={commonWords.copied}
    />
  );
}

function CodebaseFact(): ReactNode {
  const lack = useLack('codebases:read');
  const { data } = useQuery({ ...codebasesQuery(), refetchInterval: readMs, enabled: lack === undefined });
  if (lack !== undefined || data === undefined) return <Fact state="unknown" title={lack ?? commonWords.loading} />;
  const bound = boundCodebases(data);
  const [first] = bound;
  if (first === undefined) {
    return (
      <Fact state="no" title={words.noCodebase}>
        <p>{words.noCodebaseHint}</p>
        <WorkerCommand />
      </Fact>
    );
  }
  return (
    <Fact
      state="yes"
      title={
        <>
          <FreeText text={words.codebase(first.name)} />
          {bound.length > 1 ? ` ${words.moreCodebases(bound.length - 1)}` : null}
        </>
      }
    >
      <p className="font-mono text-mono break-all">
        <FreeText text={first.path} />
      </p>
    </Fact>
  );
}
