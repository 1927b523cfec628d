// The cluster that the service runs in: its Deployment, its pods, and why an unhealthy one is not restarted.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clusterQuery, type ClusterStatus } from '../../data/cluster.ts';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { SignalMark } from '../../parts/marks/signal-mark.tsx';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { useMe } from '../../session/use-me.ts';
import { number } from '../../words/catalogue.ts';
import { healthWords as words } from '../../words/service/en-health.ts';

/** Nothing for callers that may not read it: the parts of the service say how it is. */
export function ClusterOfService(): ReactNode {
  return useMe()?.permissions.includes('k8s:read') === true ? <Cluster /> : null;
}

function Cluster(): ReactNode {
  const query = useQuery(clusterQuery());
  return (
    <Section title={words.cluster}>
      <Answer query={query} rows={3}>
        {(status) => (
          <>
            <Facts facts={factsOf(status)} />
            {status.pods.length === 0 ? null : <Pods status={status} />}
          </>
        )}
      </Answer>
    </Section>
  );
}

function factsOf({ namespace, deployment, autoscaler, permissions, last_reconcile: last }: ClusterStatus): Fact[] {
  const names = words.clusterFacts;
  const facts: Fact[] = [
    { name: names.namespace, value: <FreeText text={namespace} /> },
    {
      name: names.deployment,
      value:
        deployment === null ? (
          words.noDeployment
        ) : (
          <>
            <FreeText text={deployment.name} />, {words.clusterReady(deployment.ready, deployment.replicas)}
          </>
        ),
    },
  ];
  if (autoscaler !== null) {
    const bounds = words.clusterBounds(autoscaler.min, autoscaler.max);
    facts.push({ name: names.autoscaler, value: <FreeText text={`${autoscaler.name}, ${bounds}`} /> });
  }
  if (permissions.missing.length > 0) {
    facts.push({ name: names.missing, value: <FreeText text={permissions.missing.join(', ')} /> });
  }
  if (last !== null) {
    const value = (
      <>
        {words.outcomes[last.outcome]}, <Ago at={last.at} />
      </>
    );
    facts.push({ name: names.last, value });
  }
  return facts;
}

type Pod = ClusterStatus['pods'][number];

function Pods({ status: { pods, last_reconcile: last } }: { readonly status: ClusterStatus }): ReactNode {
  const names = words.podColumns;
  const holdOf = (name: string) => last?.held_back.find(({ pod }) => pod === name)?.reason;
  const columns: readonly FactColumn<Pod>[] = [
    {
      id: 'name',
      label: names.name,
      cell: ({ name, current, unhealthy_reason: illness }) => {
        const hold = illness === null ? undefined : holdOf(name);
        return (
          <>
            <FreeText text={name} className="font-mono text-xs break-all" />
            {current ? null : <span className="ms-2 text-xs text-soft">{words.otherTemplate}</span>}
            {hold === undefined ? null : <span className="block text-sm text-soft">{words.holds[hold]}</span>}
          </>
        );
      },
    },
    { id: 'state', label: names.state, cell: (pod) => <PodMark pod={pod} /> },
    { id: 'restarts', label: names.restarts, from: 'md', cell: ({ restarts }) => number(restarts), atEnd: true },
    { id: 'node', label: names.node, from: 'lg', cell: ({ node }) => <FreeText text={node ?? ''} /> },
    {
      id: 'started',
      label: names.started,
      cell: ({ started_at }) => (started_at === null ? '' : <Ago at={started_at} />),
      atEnd: true,
    },
  ];
  return (
    <div className="mt-3">
      <FactTable label={words.podsTable} columns={columns} rows={pods} keyOf={({ name }) => name} />
    </div>
  );
}

function PodMark({ pod: { ready, unhealthy_reason: illness } }: { readonly pod: Pod }): ReactNode {
  if (illness !== null) return <SignalMark signal="bad" word={words.illnesses[illness]} />;
  return <SignalMark signal={ready ? 'ok' : 'off'} word={ready ? words.podStates.ready : words.podStates.starting} />;
}
