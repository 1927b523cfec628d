// Follows the monitor while somebody is signed in.
import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { notify, notifyError } from '../parts/states/notices.tsx';
import { useSession } from '../session/session.ts';
import { useActingTenant } from '../session/tenant.ts';
import { useMe } from '../session/use-me.ts';
import { frameWords as words } from '../words/en-frame.ts';
import { setConnection } from './connection.ts';
import { announceFrame } from './frames.ts';
import { followAsOneOfMany } from './leader.ts';
import { applyFrame, readWhatCameBefore } from './patch.ts';

export function useLive(): void {
  const session = useSession();
  const tenant = useActingTenant();
  const me = useMe();
  const token = session.kind === 'signed-in' ? session.session.access_token : undefined;
  const subject = me?.subject;
  const shownTenant = tenant ?? me?.tenant_id;
  useEffect(() => {
    if (token === undefined || subject === undefined || shownTenant === undefined) return;
    const ended = new AbortController();
    let hasBegun = false;
    followAsOneOfMany({
      client: api(),
      name: `${shownTenant}:${subject}`,
      signal: ended.signal,
      onFrame: (frame) => {
        applyFrame(frame);
        announceFrame(frame);
        if (frame.type === 'resync') notify(words.resynced);
      },
      onState: (state) => {
        if (state.name === 'live' && !hasBegun) {
          hasBegun = true;
          readWhatCameBefore();
        }
        setConnection(state.name === 'stale' ? { kind: 'stale', since: state.since } : { kind: state.name });
      },
    }).catch(notifyError);
    return () => ended.abort();
  }, [token, subject, shownTenant]);
}
