// Says that runs are turned off on the service: what there is can be read, and nothing new starts.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { runsQuery } from '../../../data/runs/runs.ts';
import { runWords as words } from '../../../words/runs/en-runs.ts';

/** False until the service has answered. */
export function useRunsAreOff(): boolean {
  const { data } = useInfiniteQuery(runsQuery({}));
  return data?.pages[0]?.isOff === true;
}

export function RunsOff(): ReactNode {
  if (!useRunsAreOff()) return null;
  return (
    <p role="status" className="mb-3 border-s-4 border-ask bg-ask-ground px-3 py-2">
      {words.off}
    </p>
  );
}
