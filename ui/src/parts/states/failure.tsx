// An error in the place of what could not be shown: what is wrong, its code, the request to ask about, another try.
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useMe } from '../../session/use-me.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/code-line.tsx';

/** @param onRetry called by the button, and once by itself when the time of `Retry-After` is over */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode {
  const requestId = error instanceof ApiError ? error.problem?.request_id : undefined;
  const mayReadAudit = useMe()?.permissions.includes('audit:read') === true;
  const left = useCountdown(error instanceof ApiError ? error.retryAfter : undefined, onRetry);
  return (
    <div role="alert" className="m-(--page) max-w-[72ch] rounded-sm border border-bad bg-paper p-4">
      <p className="font-semibold">{failureText(error)}</p>
      {error instanceof ApiError ? <p className="text-sm text-soft">{words.errorCode(error.code)}</p> : null}
      {left === undefined ? null : <p className="text-sm text-soft">{words.retryIn(left)}</p>}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {onRetry === undefined ? null : <Button onClick={onRetry}>{words.tryAgain}</Button>}
        {requestId === undefined ? null : (
          <CopyButton text={requestId} label={words.requestId(requestId)} copiedLabel={words.copied} />
        )}
        {requestId === undefined || !mayReadAudit ? null : (
          <Link
            to="/v1/monitor/audit"
            search={{ request: requestId }}
            className="inline-flex min-h-6 items-center text-sm text-accent underline"
          >
            {words.inAudit}
          </Link>
        )}
      </div>
    </div>
  );
}

/** The error as a sentence. */
export function failureText(error: unknown): string {
  if (error instanceof Error && !(error instanceof TypeError) && error.name !== 'TimeoutError') return error.message;
  return words.networkError;
}

function useCountdown(seconds: number | undefined, onEnd: (() => void) | undefined): number | undefined {
  const [left, setLeft] = useState(seconds);
  useEffect(() => setLeft(seconds), [seconds]);
  useEffect(() => {
    if (left === undefined) return;
    if (left <= 0) {
      setLeft(undefined);
      onEnd?.();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, onEnd]);
  return left;
}
