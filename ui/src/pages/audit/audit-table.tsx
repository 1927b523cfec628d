// The entries as a table that draws only the rows that are seen; older pages are read as one comes near to their end.
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { ExactTime } from '../../parts/marks/time.tsx';
import { auditWords as words } from '../../words/service/en-audit.ts';
import type { AuditEntry, useAudit } from './audit-query.ts';

const grid =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-(--page) lg:grid-cols-[180px_84px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,2fr)]';
const columns = ['at', 'outcome', 'actor', 'action', 'resource'] as const;
/** Rows before the end at which the next page is read. */
const ahead = 30;

export interface AuditTableProps {
  readonly query: ReturnType<typeof useAudit>;
  readonly entries: readonly AuditEntry[];
  /** The row that gets the focus: again with each new object. */
  readonly wanted: { readonly index: number } | undefined;
  readonly onFocus: (index: number) => void;
}

export function AuditTable({ query, entries, wanted, onFocus }: AuditTableProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const rows = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => (innerWidth > 1_100 ? 33 : 61),
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => entries[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= entries.length - ahead) void fetchNextPage();
  }, [last, entries.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useEffect(() => {
    if (wanted === undefined) return;
    rows.scrollToIndex(wanted.index, { align: 'auto' });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${wanted.index}"]`)?.focus());
  }, [wanted, rows]);
  return (
    <>
      <div role="table" aria-label={words.table} aria-rowcount={hasNextPage ? -1 : entries.length + 1}>
        <div
          role="row"
          aria-rowindex={1}
          className={`${grid} sticky top-12 z-10 hidden min-h-8 items-center border-b border-edge bg-ground text-xs text-soft lg:grid`}
        >
          {columns.map((column) => (
            <div key={column} role="columnheader">
              {words.columns[column]}
            </div>
          ))}
        </div>
        <div ref={list} role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {items.map((item) => {
            const entry = entries[item.index];
            if (entry === undefined) return null;
            return (
              <div
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                role="presentation"
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start - rows.options.scrollMargin}px)` }}
              >
                <AuditRow entry={entry} index={item.index} onFocus={onFocus} />
              </div>
            );
          })}
        </div>
      </div>
      {hasNextPage ? null : <p className="px-(--page) py-4 text-sm text-soft">{words.end}</p>}
    </>
  );
}

function AuditRow({
  entry,
  index,
  onFocus,
}: {
  readonly entry: AuditEntry;
  readonly index: number;
  readonly onFocus: (index: number) => void;
}): ReactNode {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${grid} min-h-(--row) items-center border-b border-line py-1 focus-within:bg-sunk`}
      onFocus={() => onFocus(index)}
    >
      <div role="cell" className="order-2 text-sm text-soft lg:order-none">
        <ExactTime at={entry.timestamp} />
      </div>
      <div role="cell" className="order-4 lg:order-none">
        <OutcomeMark outcome={entry.outcome} />
      </div>
      <div role="cell" className="order-3 truncate text-sm lg:order-none">
        <FreeText text={entry.actor} />
      </div>
      <div role="cell" className="order-1 min-w-0 truncate lg:order-none">
        <Link
          to="/v1/monitor/audit"
          search={(search) => ({ ...search, entry: entry.id })}
          resetScroll={false}
          data-row={index}
          className="rounded-sm font-mono text-mono hover:underline"
        >
          <FreeText text={entry.action} />
        </Link>
      </div>
      <div role="cell" className="hidden truncate font-mono text-xs text-soft lg:block">
        <FreeText text={entry.resource} />
      </div>
    </div>
  );
}

const marks = { success: '✓', failure: '■', denied: '⊘' } as const;

/** Shape and word; denied ones stand out. */
export function OutcomeMark({ outcome }: { readonly outcome: AuditEntry['outcome'] }): ReactNode {
  return (
    <span className={`text-sm ${outcome === 'success' ? 'text-soft' : 'font-semibold text-bad'}`}>
      <span aria-hidden>{marks[outcome]} </span>
      {words.outcomes[outcome]}
    </span>
  );
}
