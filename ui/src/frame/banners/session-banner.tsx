// Warns five minutes before the session ends, and continues in place: the page, its drafts and its place stay.
import { useState, type ReactNode } from 'react';
import { useNow } from '../../api/use-now.ts';
import { Button } from '../../parts/controls/button.tsx';
import { Dialog } from '../../parts/controls/dialog.tsx';
import { notify } from '../../parts/states/notices.tsx';
import { useSession } from '../../session/session.ts';
import { SignInForm } from '../../session/sign-in-panel.tsx';
import { useMe } from '../../session/use-me.ts';
import { sessionWords as words } from '../../words/en-session.ts';

const warnMs = 5 * 60_000;
const stepMs = 15_000;

export function SessionBanner(): ReactNode {
  const { kind } = useSession();
  const end = useMe()?.session?.expires_at;
  const left = (end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end)) - useNow(stepMs);
  const [isRenewing, setRenewing] = useState(false);
  // After its end the service refuses the next call, and the sign-in panel takes over.
  const isSoon = kind === 'signed-in' && left <= warnMs && left > 0;
  return (
    <>
      <div role="status">
        {isSoon ? (
          <div className="flex flex-wrap items-center gap-3 border-b border-ask bg-ask-ground px-(--page) py-1.5 text-ask">
            {words.endsSoon(Math.max(1, Math.floor(left / 60_000)))}
            <Button onClick={() => setRenewing(true)}>{words.stay}</Button>
          </div>
        ) : null}
      </div>
      {isRenewing && kind === 'signed-in' ? (
        <Dialog title={words.renewTitle} open onClose={() => setRenewing(false)}>
          <SignInForm
            onDone={() => {
              setRenewing(false);
              notify(words.renewed);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}
