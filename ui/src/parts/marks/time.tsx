// Times: relative text with the exact time on focus and hover, and durations that grow.
import type { ReactNode } from 'react';
import { useNow } from '../../api/use-now.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { durationText, exactTime } from './duration.ts';

/** How long ago, or in how long. @param isStop the focus stops at it: nothing around it takes the focus */
export function Ago({ at, isStop = false }: { readonly at: string; readonly isStop?: boolean }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time is shown on focus
    <time
      dateTime={at}
      title={exactTime(at)}
      tabIndex={isStop ? 0 : undefined}
      className="whitespace-nowrap rounded-sm"
    >
      {useAgo(at)}
    </time>
  );
}

/** "3 min ago", "in 2 h", "now". */
export function useAgo(at: string): string {
  const age = useNow() - Date.parse(at);
  const text = durationText(Math.abs(age), words);
  if (Math.abs(age) < 1_000) return words.justNow;
  return age < 0 ? words.inFuture(text) : words.ago(text);
}

/** The time that has passed since, without the word "ago". */
export function Age({ since, until }: { readonly since: string; readonly until?: string | null }): ReactNode {
  const now = useNow();
  const end = until === null || until === undefined ? now : Date.parse(until);
  return (
    <time dateTime={since} title={exactTime(since)} className="whitespace-nowrap">
      {durationText(end - Date.parse(since), words)}
    </time>
  );
}

export function ExactTime({ at }: { readonly at: string }): ReactNode {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {exactTime(at)}
    </time>
  );
}
