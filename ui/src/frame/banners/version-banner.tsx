// Says that the service has a newer build of the pages than the one that runs here.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useConnection } from '../../live/connection.ts';
import { Button } from '../../parts/controls/button.tsx';
import { useSession } from '../../session/session.ts';
import { frameWords as words } from '../../words/en-frame.ts';

/** Undefined where Vite serves the pages: they bring their own news. */
const ownBuild: unknown = import.meta.env['VITE_BUILD'];
const askMs = 10 * 60_000;
const deadlineMs = 10_000;

export function VersionBanner(): ReactNode {
  const { kind } = useConnection();
  const isSignedIn = useSession().kind === 'signed-in';
  const { data: build, refetch } = useQuery({
    queryKey: ['build'],
    queryFn: ({ signal }) => readBuild(signal),
    enabled: isSignedIn && typeof ownBuild === 'string',
    // The page was just loaded: what it runs is what the service has.
    initialData: typeof ownBuild === 'string' ? ownBuild : null,
    staleTime: 60_000,
    refetchInterval: askMs,
    retry: false,
  });
  const isLive = kind === 'live';
  const wasAway = useRef(false);
  useEffect(() => {
    // A service that was away may have come back as another version.
    if (isLive && wasAway.current && typeof ownBuild === 'string') void refetch({ cancelRefetch: false });
    wasAway.current = !isLive;
  }, [isLive, refetch]);
  return (
    <div role="status">
      {build === null || build === ownBuild ? null : (
        <div className="flex flex-wrap items-center gap-3 border-b border-line bg-sunk px-(--page) py-1.5">
          {words.newVersion}
          <Button onClick={() => location.reload()}>{words.reload}</Button>
        </div>
      )}
    </div>
  );
}

/** The build that the service serves; null if it is unknown. The cookie opens it, as it does every page file. */
async function readBuild(signal: AbortSignal): Promise<string | null> {
  const response = await fetch('/v1/monitor/build.json', {
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
  });
  if (!response.ok) return null;
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null || !('build' in answer)) return null;
  return typeof answer.build === 'string' ? answer.build : null;
}
