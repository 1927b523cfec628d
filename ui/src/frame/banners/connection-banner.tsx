// Says that the service is away and since when. What was read before stays on the page.
import type { ReactNode } from 'react';
import { useConnection } from '../../live/connection.ts';
import { timeOfDay } from '../../parts/marks/duration.ts';
import { frameWords as words } from '../../words/en-frame.ts';

export function ConnectionBanner(): ReactNode {
  const connection = useConnection();
  if (connection.kind !== 'stale') return <div role="status" />;
  return (
    <div role="status" className="border-b border-ask bg-ask-ground px-(--page) py-2 text-ask">
      {words.offline(timeOfDay(connection.since))}
    </div>
  );
}
