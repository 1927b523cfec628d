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

export interface StateMarkProps {
  readonly state: MarkState;
  /** The name of the state. */
  readonly word: string;
  readonly hideWord?: boolean;
  /** The mark is a cell of a table itself. */
  readonly role?: 'cell';
}

/** Long lists have one in each row: it has as few elements as can be. */
export function StateMark({ state, word, hideWord = false, role }: StateMarkProps): ReactNode {
  return (
    <span
      role={hideWord ? 'img' : role}
      aria-label={hideWord ? word : undefined}
      className={`inline-flex items-center gap-1.5 align-middle font-semibold whitespace-nowrap ${colours[state]}`}
    >
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
      {hideWord ? null : word}
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
      // The cross is cut out of the square.
      return (
        <path
          d="M2.5 2.5h11v11h-11zM8 6.9 5.9 4.8 4.8 5.9 6.9 8 4.8 10.1l1.1 1.1L8 9.1l2.1 2.1 1.1-1.1L9.1 8l2.1-2.1-1.1-1.1z"
          fill="currentColor"
          fillRule="evenodd"
          stroke="none"
        />
      );
    case 'cancelled':
      return <path d="M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M4.2 4.2l7.6 7.6" />;
    case 'paused':
      return <path d="M5.5 3v10M10.5 3v10" />;
  }
}
