// Short messages about what a person has done: `status` for successes, `alert` for errors. The last twenty are kept in a list.
import { useEffect, type ReactNode } from 'react';
import { createStore, useStore } from '../../store.ts';
import { commonWords as words } from '../../words/en-common.ts';
import { Button } from '../controls/button.tsx';
import { failureText } from './failure.tsx';

export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'error';
  readonly text: string;
  readonly at: string;
}

const notices = createStore<readonly Notice[]>([]);
const shown = createStore<readonly number[]>([]);
const keptNotices = 20;
const shownMs = 6_000;
let lastId = 0;

/** Says what was done. */
export function notify(text: string): void {
  add('done', text);
}

/** Says what failed. An error stays until it is closed. */
export function notifyError(error: unknown): void {
  add('error', typeof error === 'string' ? error : failureText(error));
}

export function useNotices(): readonly Notice[] {
  return useStore(notices);
}

function add(kind: Notice['kind'], text: string): void {
  lastId += 1;
  const notice = { id: lastId, kind, text, at: new Date().toISOString() };
  notices.set([notice, ...notices.get()].slice(0, keptNotices));
  shown.set([...shown.get(), notice.id]);
}

function hide(id: number): void {
  shown.set(shown.get().filter((other) => other !== id));
}

/** The current messages, over the lower edge of the page. */
export function NoticeArea(): ReactNode {
  const all = useStore(notices);
  const ids = useStore(shown);
  const visible = all.filter(({ id }) => ids.includes(id)).toReversed();
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-16 z-60 flex flex-col items-center gap-2 px-4 md:bottom-4">
      <div role="status" className="contents">
        {visible
          .filter(({ kind }) => kind === 'done')
          .map((notice) => (
            <Message key={notice.id} notice={notice} />
          ))}
      </div>
      <div role="alert" className="contents">
        {visible
          .filter(({ kind }) => kind === 'error')
          .map((notice) => (
            <Message key={notice.id} notice={notice} />
          ))}
      </div>
    </div>
  );
}

function Message({ notice }: { readonly notice: Notice }): ReactNode {
  const { id, kind } = notice;
  useEffect(() => {
    if (kind === 'error') return;
    const timer = setTimeout(() => hide(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, kind]);
  return (
    <div
      className={`pointer-events-auto flex max-w-xl items-center gap-3 rounded-sm border bg-paper px-3 py-2 shadow-lg ${kind === 'error' ? 'border-bad' : 'border-edge'}`}
    >
      <bdi dir="auto" className="min-w-0">
        {notice.text}
      </bdi>
      <Button kind="quiet" onClick={() => hide(id)}>
        {words.close}
      </Button>
    </div>
  );
}
