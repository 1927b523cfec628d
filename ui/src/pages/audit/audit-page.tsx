// The audit: who did what, newest first, with filters, one entry's panel, and whether the chains are whole.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { useActions, type Action } from '../../keys/actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Empty } from '../../parts/states/empty.tsx';
import { Waiting } from '../../parts/states/waiting.tsx';
import { NoRead } from '../../parts/states/no-read.tsx';
import { useLack, useMe } from '../../session/use-me.ts';
import { auditWords as words } from '../../words/service/en-audit.ts';
import { AuditEntryPanel } from './audit-entry-panel.tsx';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { AuditTable } from './audit-table.tsx';
import { AuditVerdict } from './audit-verdict.tsx';
import { useAudit, type AuditEntry } from './audit-query.ts';
import { filterNames, auditFilterOf, isFiltered, type AuditFilter } from './audit-search.ts';

export function AuditPage(): ReactNode {
  const search = useSearch({ from: '/v1/monitor/audit' });
  const navigate = useNavigate();
  const lack = useLack('audit:read');
  const filter = useMemo(() => auditFilterOf(search), [search]);
  const query = useAudit(filter, useMe() !== undefined && lack === undefined);
  const entries = query.data ?? [];
  if (lack !== undefined) return <NoRead title={words.title} permission="audit:read" />;
  const show = (entry: string | undefined): void =>
    void navigate({ to: '/v1/monitor/audit', search: { ...search, entry }, resetScroll: false });
  const opened = entries.find(({ id }) => id === search.entry);
  return (
    <Page title={words.title} actions={<AuditVerdict />}>
      <AuditFilterForm key={JSON.stringify(filter)} filter={filter} />
      <FilterChips filter={filter} />
      {query.data === undefined ? <Waiting query={query} rows={12} /> : null}
      {query.isSuccess && entries.length === 0 ? (
        <Empty text={isFiltered(filter) ? words.emptyFiltered : words.empty} />
      ) : null}
      {entries.length === 0 ? null : <Entries query={query} entries={entries} />}
      {opened === undefined ? null : <AuditEntryPanel entry={opened} filter={filter} onClose={() => show(undefined)} />}
    </Page>
  );
}

function Entries({
  query,
  entries,
}: {
  readonly query: ReturnType<typeof useAudit>;
  readonly entries: readonly AuditEntry[];
}): ReactNode {
  const [current, setCurrent] = useState(-1);
  const [wanted, setWanted] = useState<{ readonly index: number }>();
  useActions(
    useMemo((): readonly Action[] => {
      const to = (index: number): void => setWanted({ index: Math.max(0, Math.min(entries.length - 1, index)) });
      return [
        { id: 'older', label: words.older, keys: 'j', group: 'page', run: () => to(current + 1) },
        { id: 'newer', label: words.newer, keys: 'k', group: 'page', run: () => to(current - 1) },
        {
          id: 'focus-filter',
          label: words.focusFilter,
          keys: '/',
          group: 'page',
          run: () => document.querySelector<HTMLElement>('[data-filter] input')?.focus(),
        },
      ];
    }, [entries.length, current]),
  );
  return <AuditTable query={query} entries={entries} wanted={wanted} onFocus={setCurrent} />;
}

/** The filters in use, each with a button that drops it. */
function FilterChips({ filter }: { readonly filter: AuditFilter }): ReactNode {
  const navigate = useNavigate();
  if (!isFiltered(filter)) return null;
  return (
    <ul aria-label={words.chips} className="flex flex-wrap gap-2 px-(--page) pb-3">
      {filterNames.map((name) => {
        const value = filter[name];
        if (value === undefined) return null;
        const chip = words.chip(words.filters[name], value);
        return (
          <li key={name}>
            <Button
              label={words.drop(chip)}
              onClick={() => void navigate({ to: '/v1/monitor/audit', search: { ...filter, [name]: undefined } })}
            >
              <bdi className="max-w-60 truncate">{chip}</bdi>
              <span aria-hidden>×</span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
