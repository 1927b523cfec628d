// A life as a railway track: stations in order, waits as dashed stretches, lost attempts as sidings that end at a buffer,
// other lives as switches to their lines.
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ExactTime } from './time.tsx';

export interface Station {
  readonly id: string;
  readonly kind: 'begin' | 'wait' | 'now' | 'ask' | 'done' | 'lost' | 'end' | 'switch';
  readonly text: string;
  readonly at?: string;
  /** The other line that a switch leads to. */
  readonly link?: { readonly label: string; readonly to: LinkProps };
  /** Length of a wait. */
  readonly ms?: number;
}

const shortest = 20;
const longest = 72;

/** A stretch grows with the logarithm of its time: a day is not a page long. */
function lengthOf({ kind, ms = 0 }: Station): number {
  return kind === 'wait' ? Math.min(longest, shortest + Math.log10(Math.max(1, ms / 1_000)) * 12) : 28;
}

/** The same in words is the list itself. */
export function Track({
  label,
  stations,
}: {
  readonly label: string;
  readonly stations: readonly Station[];
}): ReactNode {
  return (
    <ol aria-label={label}>
      {stations.map((station, index) => (
        <li key={station.id} className="flex gap-2" style={{ minHeight: lengthOf(station) }}>
          <span className="relative w-6 shrink-0" aria-hidden>
            <svg className="absolute inset-0 size-full">
              <Rails station={station} isLast={index === stations.length - 1} />
            </svg>
          </span>
          <span className="min-w-0 pb-1">
            {station.text}
            {station.link === undefined ? null : (
              <>
                {' '}
                <Link {...station.link.to} className="inline-flex min-h-6 items-center underline">
                  {station.link.label}
                </Link>
              </>
            )}
            {station.at === undefined ? null : (
              <span className="block text-xs text-soft">
                <ExactTime at={station.at} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Rails({ station, isLast }: { readonly station: Station; readonly isLast: boolean }): ReactNode {
  const { kind } = station;
  const colour = {
    begin: 'text-ink',
    wait: 'text-waiting',
    now: 'text-running',
    ask: 'text-ask',
    done: 'text-ok',
    lost: 'text-bad',
    end: 'text-waiting',
    switch: 'text-accent',
  }[kind];
  return (
    <>
      {isLast ? null : (
        <line
          x1="8"
          y1={kind === 'wait' ? 0 : 10}
          x2="8"
          y2="100%"
          stroke="var(--edge)"
          strokeWidth="2"
          strokeDasharray={kind === 'wait' ? '3 4' : undefined}
        />
      )}
      {kind === 'wait' ? null : (
        <line
          x1="8"
          y1="0"
          x2="8"
          y2="10"
          stroke="var(--edge)"
          strokeWidth="2"
          className={kind === 'begin' ? 'hidden' : ''}
        />
      )}
      <g className={colour}>
        {kind === 'lost' ? (
          <>
            <path d="M8 2 18 12" stroke="currentColor" strokeWidth="2" fill="none" />
            <rect x="15" y="11" width="7" height="4" fill="currentColor" />
          </>
        ) : kind === 'wait' ? null : kind === 'switch' ? (
          <path d="M8 0 C8 8 16 4 20 12" stroke="currentColor" strokeWidth="2" fill="none" />
        ) : kind === 'now' ? (
          <circle cx="8" cy="9" r="4.5" fill="var(--ground)" stroke="currentColor" strokeWidth="2" />
        ) : kind === 'ask' ? (
          <path d="M8 3.5 13.5 9 8 14.5 2.5 9Z" fill="currentColor" />
        ) : (
          <circle cx="8" cy="9" r="4.5" fill="currentColor" />
        )}
      </g>
    </>
  );
}
