// The first lines of an answer: status, time, size, headers.
import type { ReactNode } from 'react';
import type { RawAnswer } from '../../api/raw-call.ts';
import { cleanTitle } from '../../text/clean.ts';
import { inspectorWords as words } from '../../words/service/en-inspector.ts';

/** The status by number and by colour; 0 is a redirect that was not followed. */
export function StatusText({ status }: { readonly status: number }): ReactNode {
  const look = status >= 200 && status < 300 ? 'text-ok' : status >= 400 ? 'text-bad' : 'text-ask';
  return <span className={`font-semibold ${look}`}>{status === 0 ? words.redirected : status}</span>;
}

export function AnswerHead({
  answer,
  isRunning,
}: {
  readonly answer: RawAnswer;
  readonly isRunning: boolean;
}): ReactNode {
  const { status, ms, bytes, frames, end, headers } = answer;
  return (
    <>
      <p role="status" className="flex flex-wrap gap-x-4 gap-y-1">
        <span>
          <span className="sr-only">{words.statusLabel} </span>
          <StatusText status={status} />
        </span>
        {isRunning ? <span>{words.streaming(frames.length)}</span> : <span>{words.time(ms)}</span>}
        {isRunning ? null : <span>{words.size(bytes)}</span>}
        {isRunning || end === 'whole' ? null : <span className="text-ask">{words.ends[end]}</span>}
      </p>
      <Headers label={words.headersShown(headers.length)} headers={headers} />
    </>
  );
}

/** Headers as a folded list. */
export function Headers({
  label,
  headers,
}: {
  readonly label: string;
  readonly headers: readonly (readonly [string, string])[];
}): ReactNode {
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-sm text-soft">{label}</summary>
      <dl className="mt-1 grid gap-x-3 font-mono text-mono md:grid-cols-[auto_minmax(0,1fr)]">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{cleanTitle(name)}</dt>
            <dd className="break-all">
              <bdi>{cleanTitle(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
