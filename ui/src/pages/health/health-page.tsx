// The health of the service: what does not work and why, its parts, the queue, replicas, versions and loops.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { serviceHealthQuery, type ServiceHealth } from '../../data/fleet/service-health.ts';
import { waitingQuery } from '../../data/fleet/waiting-routes.ts';
import { Page } from '../../frame/page.tsx';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { commonWords } from '../../words/en-common.ts';
import { healthWords as words } from '../../words/service/en-health.ts';
import { ClusterOfService } from './cluster-of-service.tsx';
import { HealthMark, type HealthStatus } from './health-mark.tsx';
import { LoopTable } from './loop-table.tsx';

const permission = 'monitor:read';

export function HealthPage(): ReactNode {
  const lack = useLack(permission);
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  return <ServiceHealthView />;
}

function ServiceHealthView(): ReactNode {
  const query = useQuery(serviceHealthQuery());
  return (
    <Page
      title={words.title}
      mark={query.data === undefined ? undefined : <HealthMark status={query.data.status} />}
      below={query.data === undefined ? null : <Verdict health={query.data} />}
    >
      <Answer query={query}>
        {(health) => (
          <>
            <div className="lg:grid lg:grid-cols-2">
              <PartsOfService health={health} />
              <div>
                <Queue />
                <Versions health={health} />
              </div>
            </div>
            <Replicas health={health} />
            {health.cluster.status === 'off' ? null : <ClusterOfService />}
            <LoopTable loops={health.loops} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Verdict({ health: { reasons } }: { readonly health: ServiceHealth }): ReactNode {
  if (reasons.length === 0) return <p className="pb-3 text-soft">{words.allWell}</p>;
  return (
    <div role="status" className="pb-3">
      <p>{words.degraded}</p>
      <ul className="list-disc ps-5">
        {reasons.map((reason) => (
          <li key={reason}>
            <FreeText text={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const partNames = ['store', 'broker', 'policy', 'sandbox', 'audit', 'backup', 'sends', 'cluster', 'versions'] as const;

interface PartRow {
  readonly name: (typeof partNames)[number];
  readonly status: HealthStatus;
  readonly reason: string | null;
}

const partColumns: readonly FactColumn<PartRow>[] = [
  { id: 'part', label: words.columns.part, cell: ({ name }) => words.partNames[name] },
  { id: 'status', label: words.columns.status, cell: ({ status }) => <HealthMark status={status} /> },
  {
    id: 'reason',
    label: words.columns.reason,
    cell: ({ reason }) => <FreeText text={reason ?? ''} className="text-sm text-soft" />,
  },
];

function PartsOfService({ health }: { readonly health: ServiceHealth }): ReactNode {
  const rows = partNames.map((name) => ({ name, status: health[name].status, reason: health[name].reason }));
  return (
    <Section title={words.parts}>
      <FactTable label={words.partsTable} columns={partColumns} rows={rows} keyOf={({ name }) => name} />
    </Section>
  );
}

function Queue(): ReactNode {
  const query = useQuery(waitingQuery());
  return (
    <Section title={words.queue}>
      <Answer query={query} rows={2}>
        {({ routes, capped }) => {
          const waiting = routes.reduce((sum, route) => sum + route.count, 0);
          const oldest = routes.map(({ oldest_at }) => oldest_at).toSorted()[0];
          if (oldest === undefined) return <p className="text-soft">{words.queueEmpty}</p>;
          return (
            <Facts
              facts={[
                { name: words.queueWaiting, value: capped ? words.atLeast(waiting) : number(waiting) },
                { name: words.queueOldest, value: <Ago at={oldest} /> },
              ]}
            />
          );
        }}
      </Answer>
    </Section>
  );
}

function Versions({ health: { versions } }: { readonly health: ServiceHealth }): ReactNode {
  const names = words.versionNames;
  return (
    <Section title={words.versions}>
      <Facts
        facts={[
          { name: names.service, value: versions.service },
          { name: names.node, value: versions.node },
          { name: names.database, value: versions.database ?? commonWords.unknown },
          { name: names.schema, value: versions.schema ?? commonWords.unknown },
          {
            name: names.workers,
            value:
              versions.workers.length === 0 ? (
                commonWords.none
              ) : (
                <FreeText
                  text={versions.workers.map(({ version, workers }) => words.workersOf(version, workers)).join(', ')}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}

type Replica = ServiceHealth['replicas'][number];

function Replicas({ health: { replicas, replica: own } }: { readonly health: ServiceHealth }): ReactNode {
  const names = words.replicaColumns;
  const columns: readonly FactColumn<Replica>[] = [
    {
      id: 'name',
      label: names.name,
      cell: ({ name, reasons }) => (
        <>
          <FreeText text={name} className="font-mono text-xs break-all" />
          {name === own ? <span className="ms-2 text-xs text-soft">{words.thisReplica}</span> : null}
          {reasons.map((reason) => (
            <span key={reason} className="block text-sm text-bad">
              <FreeText text={reason} />
            </span>
          ))}
        </>
      ),
    },
    { id: 'status', label: names.status, cell: ({ status }) => <HealthMark status={status} /> },
    { id: 'version', label: names.version, from: 'md', cell: ({ version }) => <FreeText text={version} /> },
    { id: 'host', label: names.host, from: 'md', cell: ({ host }) => <FreeText text={host} /> },
    { id: 'started', label: names.started, from: 'md', cell: ({ started_at }) => <Ago at={started_at} />, atEnd: true },
    { id: 'seen', label: names.seen, cell: ({ last_seen_at }) => <Ago at={last_seen_at} />, atEnd: true },
  ];
  return (
    <Section title={words.replicas}>
      <FactTable label={words.replicasTable} columns={columns} rows={replicas} keyOf={({ name }) => name} />
    </Section>
  );
}
