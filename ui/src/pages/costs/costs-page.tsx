// The cost of ended tasks: sums, a chart by day, and a table by model, agent, codebase, person, worker, run or day.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { saveBlob } from '../../api/download.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { SelectField } from '../../parts/controls/field.tsx';
import { Tabs } from '../../parts/controls/tabs.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { costsWords as words } from '../../words/service/en-costs.ts';
import { CostsChart } from './costs-chart.tsx';
import { groupings, measures } from './costs-search.ts';
import { CostsTable } from './costs-table.tsx';
import { RangeForm } from './range-form.tsx';
import { rangeOf, sumOf, usageCsv, usageQuery, type UsageRow } from './usage.ts';

export function CostsPage(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/costs' });
  const navigate = useNavigate();
  const lack = useLack('monitor:read');
  const { by = 'model', measure = 'cost' } = search;
  const { from, to } = rangeOf(search);
  const range = useMemo(() => ({ from, to }), [from, to]);
  const isWrong = from > to;
  const enabled = useMe() !== undefined && lack === undefined && !isWrong;
  const days = useQuery({ ...usageQuery(range, 'day'), enabled });
  const groups = useQuery({ ...usageQuery(range, by), enabled });
  if (lack !== undefined) return <NoRead title={words.title} permission="monitor:read" />;
  const saveCsv = (): void => {
    const text = usageCsv(groups.data ?? []);
    saveBlob(`usage-by-${by}-${from}-${to}.csv`, new Blob([text], { type: 'text/csv;charset=utf-8' }));
  };
  return (
    <Page title={words.title} actions={<Button onClick={saveCsv}>{words.csv}</Button>}>
      <RangeForm key={`${from} ${to}`} search={search} range={range} />
      {isWrong ? (
        <p role="alert" className="px-(--page) text-bad">
          {words.wrongRange}
        </p>
      ) : (
        <Answer query={days}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty text={words.empty} />
            ) : (
              <>
                <Sums sum={sumOf(rows, words.total)} />
                <section className="px-(--page) pt-5">
                  <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
                    <h2 className="font-bold">{words.byDay}</h2>
                    <SelectField
                      className="w-36"
                      label={words.measure}
                      hideLabel
                      value={measure}
                      onChange={(value) =>
                        void navigate({ to: '/v1/monitor/costs', search: { ...search, measure: value }, replace: true })
                      }
                      choices={measures.map((value) => ({ value, label: words.measures[value] }))}
                    />
                  </div>
                  <CostsChart rows={rows} range={range} measure={measure} />
                </section>
                <section className="pt-6 pb-8">
                  <h2 className="sr-only">{words.table(words.groupings[by])}</h2>
                  <div className="px-(--page)">
                    <Tabs
                      label={words.by}
                      current={by}
                      tabs={groupings.map((id) => ({
                        id,
                        label: words.groupings[id],
                        link: { to: '/v1/monitor/costs', search: { ...search, by: id }, resetScroll: false },
                      }))}
                    />
                  </div>
                  <Answer query={groups}>{(table) => <CostsTable rows={table} by={by} range={range} />}</Answer>
                </section>
              </>
            )
          }
        </Answer>
      )}
    </Page>
  );
}

function Sums({ sum }: { readonly sum: UsageRow }): ReactNode {
  const facts: readonly (readonly [string, string])[] = [
    [words.facts.cost, sum.cost_usd === null ? words.unpriced : words.cost(sum.cost_usd)],
    [words.facts.unpriced, words.number(sum.unpriced_tasks)],
    [words.facts.tasks, words.number(sum.tasks)],
    [words.facts.tokens, words.tokensOf(sum.input_tokens, sum.output_tokens, sum.cached_tokens)],
    [words.facts.first, sum.tasks === 0 ? words.nothing : words.percent(sum.first_attempt / sum.tasks)],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-y border-line px-(--page) py-3 md:flex md:flex-wrap">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-soft">{name}</dt>
            <dd className="font-bold">{value}</dd>
          </div>
        ))}
      </dl>
      {sum.unpriced_tasks === 0 ? null : <p className="px-(--page) pt-2 text-xs text-soft">{words.unpricedHint}</p>}
    </>
  );
}
