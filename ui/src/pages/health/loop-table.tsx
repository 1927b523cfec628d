// The background loops: who leads each, when it last ticked, and its last error.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { loopsQuery } from '../../data/fleet/loops.ts';
import type { ServiceHealth } from '../../data/fleet/service-health.ts';
import { FactTable, type FactColumn } from '../../parts/fact-table.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { Ago } from '../../parts/marks/time.tsx';
import { Section } from '../../parts/section.tsx';
import { number } from '../../words/catalogue.ts';
import { commonWords } from '../../words/en-common.ts';
import { healthWords as words } from '../../words/service/en-health.ts';
import { HealthMark } from './health-mark.tsx';

type Loop = ServiceHealth['loops'][number];

const names = words.loopColumns;

export function LoopTable({ loops }: { readonly loops: readonly Loop[] }): ReactNode {
  const { data: statuses = [] } = useQuery(loopsQuery());
  const statusOf = (name: string) => statuses.find((status) => status.name === name);
  const columns: readonly FactColumn<Loop>[] = [
    {
      id: 'name',
      label: names.name,
      cell: ({ name, reason }) => {
        const error = reason ?? statusOf(name)?.last_error ?? '';
        return (
          <>
            <FreeText text={name.replaceAll('_', ' ')} />
            {error === '' ? null : (
              <span className="block text-sm text-bad">
                <FreeText text={error} />
              </span>
            )}
          </>
        );
      },
    },
    { id: 'status', label: names.status, cell: ({ status }) => <HealthMark status={status} /> },
    {
      id: 'leader',
      label: names.leader,
      from: 'lg',
      cell: ({ leader }) => <FreeText text={leader ?? words.noLeader} className="font-mono text-xs text-soft" />,
    },
    {
      id: 'interval',
      label: names.interval,
      from: 'md',
      cell: ({ interval_seconds: seconds }) =>
        seconds < 1 ? commonWords.seconds(seconds) : durationText(seconds * 1_000, commonWords),
      atEnd: true,
    },
    {
      id: 'ticks',
      label: names.ticks,
      from: 'md',
      cell: ({ name }) => {
        const ticks = statusOf(name)?.ticks;
        return ticks === undefined ? '' : number(ticks);
      },
      atEnd: true,
    },
    {
      id: 'tick',
      label: names.tick,
      cell: ({ last_tick_at }) => (
        <span className="text-sm text-soft">{last_tick_at === null ? words.notYet : <Ago at={last_tick_at} />}</span>
      ),
      atEnd: true,
    },
  ];
  return (
    <Section title={words.loops}>
      <FactTable label={words.loopsTable} columns={columns} rows={loops} keyOf={({ name }) => name} />
    </Section>
  );
}
