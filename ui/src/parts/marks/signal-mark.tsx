// Whether a part of the plant works, by shape and colour, with its word.
import type { ReactNode } from 'react';

/** `held`: it works and takes nothing new. `off`: it is not there, or not wanted. */
export type Signal = 'ok' | 'held' | 'bad' | 'off';

const colours: Readonly<Record<Signal, string>> = {
  ok: 'text-ok',
  held: 'text-ask',
  bad: 'text-bad',
  off: 'text-waiting',
};

const shapes: Readonly<Record<Signal, ReactNode>> = {
  ok: <circle cx="8" cy="8" r="5" fill="currentColor" stroke="none" />,
  held: <path d="M5.5 3v10M10.5 3v10" />,
  bad: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" fill="currentColor" stroke="none" />
      <path d="m5.5 5.5 5 5m0-5-5 5" stroke="var(--paper)" />
    </>
  ),
  off: <circle cx="8" cy="8" r="5" />,
};

export function SignalMark({ signal, word }: { readonly signal: Signal; readonly word: string }): ReactNode {
  return (
    <span
      className={`inline-flex items-center gap-1.5 align-middle font-semibold whitespace-nowrap ${colours[signal]}`}
    >
      <svg
        viewBox="0 0 16 16"
        className="size-3.5 shrink-0"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden
      >
        {shapes[signal]}
      </svg>
      <span>{word}</span>
    </span>
  );
}
