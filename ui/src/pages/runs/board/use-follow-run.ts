// Follows the events of a run while its page is seen: each reads the run again, at most three times a second.
import { useEffect } from 'react';
import { FollowError, followRun } from '../../../../../src/client/follow.ts';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { isRunEnded, type Run } from '../../../data/runs/runs.ts';
import { useIsSeen } from '../../../live/use-is-seen.ts';
import { whenOnline } from '../../../live/when-online.ts';
import { notifyError } from '../../../parts/states/notices.tsx';
import { useSession } from '../../../session/session.ts';

const readMs = 300;
/** The last event that this page has seen of each run: on return the stream goes on there. */
const lastSeen = new Map<string, number>();

export function useFollowRun(run: Run): void {
  const isSeen = useIsSeen();
  const id = run.run_id;
  const session = useSession();
  // A stream ends with its session: that of the next one goes on where it was.
  const token = session.kind === 'signed-in' ? session.session.access_token : undefined;
  const isWanted = isSeen && !isRunEnded(run);
  useEffect(() => {
    if (!isWanted || token === undefined) return;
    const ended = new AbortController();
    follow(id, ended.signal).catch((error: unknown) => {
      // A run that was deleted meanwhile is shown by the page itself.
      if (!ended.signal.aborted && !(error instanceof FollowError)) notifyError(error);
    });
    return () => ended.abort();
  }, [id, isWanted, token]);
}

async function follow(id: string, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readLater = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: ['runs', id] });
    }, readMs);
  };
  const after = lastSeen.get(id) ?? 0;
  const settings = { retryWhen: whenOnline, giveUpMs: Number.POSITIVE_INFINITY };
  for await (const { seq } of followRun({ ...settings, client: api(), runId: id, signal, after })) {
    lastSeen.set(id, seq);
    readLater();
  }
}
