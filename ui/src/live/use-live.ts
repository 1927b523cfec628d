// Follows the monitor while somebody is signed in.
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { notifyError } from '../parts/states/notices.tsx';
import { useSession } from '../session/session.ts';
import { useActingTenant } from '../session/tenant.ts';
import { useMe } from '../session/use-me.ts';
import { setConnection } from './connection.ts';
import { announceFrame } from './frames.ts';
import { followAsOneOfMany } from './leader.ts';
import { applyFrame } from './patch.ts';

export function useLive(): void {
  const session = useSession();
  const tenant = useActingTenant();
  const me = useMe();
  const isSignedIn = session.kind === 'signed-in';
  const subject = me?.subject;
  const shownTenant = tenant ?? me?.tenant_id;
  useEffect(() => {
    if (!isSignedIn || subject === undefined || shownTenant === undefined) return;
    const ended = new AbortController();
    followAsOneOfMany({
      client: api(),
      name: `${shownTenant}:${subject}`,
      signal: ended.signal,
      onFrame: (frame) => {
        applyFrame(frame);
        announceFrame(frame);
      },
      onState: (state) =>
        setConnection(state.name === 'stale' ? { kind: 'stale', since: state.since } : { kind: state.name }),
    }).catch(notifyError);
    return () => ended.abort();
  }, [isSignedIn, subject, shownTenant]);
}
