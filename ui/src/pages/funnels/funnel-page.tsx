// The page of one funnel: how many people began it in the last days, and how far they came.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { funnelReportQuery, funnelsQuery, type Funnel, type FunnelReport } from '../../data/funnels.ts';
import { NotFound } from '../../frame/not-found.tsx';
import { Page } from '../../frame/page.tsx';
import { useActions } from '../../keys/actions.ts';
import { buttonClass } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { CopyMenu } from '../../parts/controls/copy-menu.tsx';
import { durationText } from '../../parts/marks/duration.ts';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { Section } from '../../parts/section.tsx';
import { Answer } from '../../parts/states/answer.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Failure } from '../../parts/states/failure.tsx';
import { Loading } from '../../parts/states/loading.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { commonWords } from '../../words/en-common.ts';
import { funnelWords as words } from '../../words/en-funnels.ts';
import { FunnelPicture } from './funnel-picture.tsx';
import { dayChoices, defaultDays } from './funnels-search.ts';

const permission = 'analytics:read';

export function FunnelPage({ id }: { readonly id: string }): ReactNode {
  const lack = useLack(permission);
  const enabled = useMe() !== undefined && lack === undefined;
  const query = useQuery({ ...funnelsQuery, enabled });
  if (lack !== undefined) return <NoRead title={words.title} permission={permission} />;
  const funnel = query.data?.find(({ funnel_id }) => funnel_id === id);
  if (funnel !== undefined) return <LoadedFunnel funnel={funnel} />;
  if (query.data !== undefined) return <NotFound id={id} />;
  return (
    <Page title={words.title} focusKey={id}>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </Page>
  );
}

function LoadedFunnel({ funnel }: { readonly funnel: Funnel }): ReactNode {
  const { funnel_id: id, name, window_hours } = funnel;
  const { days = defaultDays } = useSearch({ from: '/v1/monitor/funnels/{-$id}' });
  const lack = useLack('analytics:admin');
  const query = useQuery({ ...funnelReportQuery(id, days), enabled: lack === undefined });
  useRangeKeys(id, days);
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound id={id} />;
  return (
    <Page
      title={name}
      focusKey={id}
      actions={
        <CopyMenu
          link={`/v1/monitor/funnels/${id}?days=${days}`}
          id={id}
          call={{ method: 'GET', path: `/v1/analytics/funnel?funnel_id=${encodeURIComponent(id)}&days=${days}` }}
          command={`switchyard analytics funnel show ${id} --days ${days}`}
          json={query.data ?? funnel}
        />
      }
    >
      {lack === undefined ? (
        <>
          <RangeLinks id={id} days={days} />
          <Answer query={query}>{(report) => <Report report={report} />}</Answer>
        </>
      ) : (
        <>
          <p className="px-(--page) pt-4">{words.mayNotCount(lack)}</p>
          <Definition funnel={funnel} />
        </>
      )}
      <p className="px-(--page) py-3 text-sm text-soft">
        {words.facts.window}: {words.window(window_hours)}
      </p>
    </Page>
  );
}

/** `[` and `]` take fewer and more days. */
function useRangeKeys(id: string, days: number): void {
  const navigate = useNavigate();
  useActions(
    useMemo(() => {
      const go = (to: number | undefined): void => {
        if (to !== undefined) void navigate({ to: '/v1/monitor/funnels/{-$id}', params: { id }, search: { days: to } });
      };
      return [
        {
          id: 'fewer-days',
          label: words.previousRange,
          keys: '[',
          group: 'page' as const,
          run: () => go(dayChoices.findLast((choice) => choice < days)),
        },
        {
          id: 'more-days',
          label: words.nextRange,
          keys: ']',
          group: 'page' as const,
          run: () => go(dayChoices.find((choice) => choice > days)),
        },
      ];
    }, [id, days, navigate]),
  );
}

function RangeLinks({ id, days }: { readonly id: string; readonly days: number }): ReactNode {
  return (
    <nav aria-label={words.range} className="flex flex-wrap items-center gap-1 px-(--page) py-3">
      <span className="me-2 text-sm text-soft" aria-hidden>
        {words.range}
      </span>
      {dayChoices.map((choice) => (
        <Link
          key={choice}
          to="/v1/monitor/funnels/{-$id}"
          params={{ id }}
          search={{ days: choice }}
          aria-current={choice === days ? 'true' : undefined}
          className={`${buttonClass('quiet')} aria-[current=true]:bg-sunk aria-[current=true]:font-semibold`}
        >
          {words.last(choice)}
        </Link>
      ))}
    </nav>
  );
}

function Report({ report }: { readonly report: FunnelReport }): ReactNode {
  if (report.total_entered === 0) return <NobodyBegan report={report} />;
  return (
    <>
      <Facts report={report} />
      <div className="px-(--page) pt-4">
        <FunnelPicture report={report} />
      </div>
    </>
  );
}

function NobodyBegan({ report }: { readonly report: FunnelReport }): ReactNode {
  const event = report.steps[0]?.event_type ?? '';
  // A name of any other form would have to be quoted for a shell.
  const isPlain = /^[\w.-]+$/.test(event);
  return (
    <Empty text={words.empty}>
      {isPlain ? (
        <CodeLine
          text={`switchyard analytics track ${event} --user ada`}
          copyLabel={commonWords.copy}
          copiedLabel={commonWords.copied}
        />
      ) : null}
    </Empty>
  );
}

function Facts({ report }: { readonly report: FunnelReport }): ReactNode {
  const { total_entered, total_converted, overall_conversion_rate: rate, median_seconds_to_convert: median } = report;
  const facts: readonly (readonly [string, string])[] = [
    [words.facts.entered, words.number(total_entered)],
    [words.facts.converted, words.number(total_converted)],
    [words.facts.rate, rate === null ? words.noRate : words.percent(rate)],
    [words.facts.median, median === null ? words.nothing : durationText(median * 1_000, commonWords)],
    [words.facts.from, words.day(report.date_range_start)],
    [words.facts.to, words.day(report.date_range_end)],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-y border-line px-(--page) py-3 md:flex md:flex-wrap">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="font-bold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Definition({ funnel: { steps } }: { readonly funnel: Funnel }): ReactNode {
  return (
    <Section title={words.definition}>
      <ol className="list-decimal ps-5">
        {steps.map(({ name, event, where = {} }, i) => (
          <li key={i} className="py-0.5">
            <FreeText text={name ?? event} />
            {Object.entries(where).map(([key, value]) => (
              <span key={key} className="ms-2 font-mono text-mono text-soft">
                <FreeText text={words.where(key, JSON.stringify(value))} />
              </span>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  );
}
