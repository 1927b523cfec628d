// The state of a task by shape and colour, with its word beside it or for screen readers alone.
import type { ReactNode } from 'react';

export type MarkState = 'pending' | 'running' | 'needs_input' | 'completed' | 'failed' | 'cancelled' | 'paused';

const colours: Readonly<Record<MarkState, string>> = {
  pending: 'text-waiting',
  running: 'text-running',
  needs_input: 'text-ask',
  completed: 'text-ok',
  failed: 'text-bad',
  cancelled: 'text-waiting',
  paused: 'text-waiting',
};

/** @param word the name of the state */
export function StateMark({
  state,
  word,
  hideWord = false,
}: {
  readonly state: MarkState;
  readonly word: string;
  readonly hideWord?: boolean;
}): ReactNode {
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle font-semibold whitespace-nowrap ${colours[state]}`}>
      <svg
        viewBox="0 0 16 16"
        className="size-4 shrink-0"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden
      >
        {shapeOf(state)}
      </svg>
      <span className={hideWord ? 'sr-only' : ''}>{word}</span>
    </span>
  );
}

function shapeOf(state: MarkState): ReactNode {
  switch (state) {
    case 'pending':
      return <circle cx="8" cy="8" r="5.5" />;
    case 'running':
      return (
        <>
          <circle cx="8" cy="8" r="5.5" className="opacity-40" />
          <path d="M8 2.5a5.5 5.5 0 0 1 5.5 5.5" className="origin-center animate-[ring_2.4s_linear_infinite]" />
        </>
      );
    case 'needs_input':
      return <path d="M8 1.5 14.5 8 8 14.5 1.5 8Z" fill="currentColor" stroke="none" />;
    case 'completed':
      return <path d="m3 8.5 3.5 3.5L13 4.5" />;
    case 'failed':
      return (
        <>
          <rect x="2.5" y="2.5" width="11" height="11" fill="currentColor" stroke="none" />
          <path d="m5.5 5.5 5 5m0-5-5 5" stroke="var(--paper)" />
        </>
      );
    case 'cancelled':
      return (
        <>
          <circle cx="8" cy="8" r="5.5" />
          <path d="m4.2 4.2 7.6 7.6" />
        </>
      );
    case 'paused':
      return <path d="M5.5 3v10M10.5 3v10" />;
  }
}
