// Tabs that are addresses: a list of links, the current one marked.
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface TabLink {
  readonly id: string;
  readonly label: string;
  readonly count?: number | string | undefined;
  readonly link: LinkProps;
}

/** @param label name of the navigation for screen readers */
export function Tabs({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  readonly tabs: readonly TabLink[];
  readonly current: string;
}): ReactNode {
  return (
    <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]">
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          {...tab.link}
          activeOptions={{ exact: true }}
          aria-current={tab.id === current ? 'page' : undefined}
          className="flex min-h-(--control) shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm font-semibold text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="text-xs font-normal text-soft">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
