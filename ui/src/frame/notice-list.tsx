// The messages of this page since it was opened, newest first.
import type { ReactNode } from 'react';
import { Dialog } from '../parts/controls/dialog.tsx';
import { FreeText } from '../parts/marks/free-text.tsx';
import { Ago } from '../parts/marks/time.tsx';
import { useNotices } from '../parts/states/notices.tsx';
import { frameWords as words } from '../words/en-frame.ts';

export function NoticeList({ onClose }: { readonly onClose: () => void }): ReactNode {
  const notices = useNotices();
  return (
    <Dialog title={words.notices} open onClose={onClose}>
      {notices.length === 0 ? <p className="text-soft">{words.noNotices}</p> : null}
      <ul>
        {notices.map(({ id, kind, text, at }) => (
          <li key={id} className="flex gap-3 border-b border-line py-2">
            <span className={`min-w-0 flex-1 ${kind === 'error' ? 'text-bad' : ''}`}>
              <FreeText text={text} />
            </span>
            <span className="text-sm text-soft">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
