// Opens the pages on a phone: a one-time code as a QR code, with its address as text beside it.
import { useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../api/answer-of.ts';
import { api, dataOf } from '../../api/api.ts';
import { useNow } from '../../api/use-now.ts';
import { requireOnline } from '../../data/tasks/task-actions.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CodeLine } from '../../parts/controls/code-line.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { notifyError } from '../../parts/states/notices.tsx';
import { commonWords } from '../../words/en-common.ts';
import { settingsWords } from '../../words/service/en-settings.ts';

type SignInCode = AnswerOf<'sign_in_codes.create'>;
const words = settingsWords.sessions;

export function PhoneCode(): ReactNode {
  // In this component alone: the code is as good as a password while it lasts.
  const [code, setCode] = useState<SignInCode>();
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    setBusy(true);
    try {
      requireOnline();
      setCode(await dataOf(api().POST('/v1/auth/sign-in-codes', { body: {} })));
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <section className="px-(--page)">
      <h2 className="mb-1 font-bold">{words.phone}</h2>
      <p className="mb-3 max-w-[72ch] text-soft">{words.phoneText}</p>
      {code === undefined ? (
        <Button kind="primary" busy={isBusy} onClick={() => void make()}>
          {words.phone}
        </Button>
      ) : (
        <ShownCode key={code.code} code={code} onAgain={() => void make()} onHide={() => setCode(undefined)} />
      )}
    </section>
  );
}

interface ShownCodeProps {
  readonly code: SignInCode;
  readonly onAgain: () => void;
  readonly onHide: () => void;
}

function ShownCode({ code, onAgain, onHide }: ShownCodeProps): ReactNode {
  const left = Math.ceil((Date.parse(code.expires_at) - useNow()) / 1_000);
  const isOver = left <= 0;
  return (
    <div className="flex flex-wrap items-start gap-6">
      {isOver ? null : <QrCode text={code.url} label={words.qr} />}
      <div className="grid max-w-xl min-w-0 flex-1 basis-72 gap-3">
        {isOver ? (
          <p role="status">{words.codeOver}</p>
        ) : (
          <>
            <h3 className="text-sm font-semibold">{words.address}</h3>
            <CodeLine text={code.url} copyLabel={commonWords.copy} copiedLabel={commonWords.copied} />
            <p className="text-soft">{words.codeEnds(left)}</p>
            {isLocal(code.url) ? <p className="text-ask">{words.codeLocal}</p> : null}
          </>
        )}
        <p className="flex flex-wrap gap-2">
          <Button onClick={onAgain}>{words.makeAgain}</Button>
          <Button kind="quiet" onClick={onHide}>
            {words.hide}
          </Button>
        </p>
      </div>
    </div>
  );
}

/** True for an address that only this machine reaches. */
function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}
