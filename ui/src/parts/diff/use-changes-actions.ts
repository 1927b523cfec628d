// The keys of the changes: hunks, files, comment, viewed, split, send, fold.
import { useMemo, type RefObject } from 'react';
import { useActions, type Action } from '../../keys/actions.ts';
import type { ChangedFile } from './changed-file.ts';
import type { ChangesListHandle } from './changes-list.tsx';
import type { ChangesWords } from './changes-words.ts';
import { useLatest } from '../use-latest.ts';

interface ChangesActions {
  readonly list: RefObject<ChangesListHandle | null>;
  readonly files: readonly ChangedFile[];
  /** The path of the file in sight. */
  readonly current: string | undefined;
  readonly split: () => void;
  readonly fold: (path: string) => void;
  readonly viewed: (path: string) => void;
  readonly comment: (path: string) => void;
  readonly send: () => void;
}

export function useChangesActions(words: ChangesWords, offered: ChangesActions): void {
  const latest = useLatest(offered);
  const actions = useMemo(() => {
    const action = (keys: string, label: string, run: (now: ChangesActions) => void): Action => ({
      id: `changes ${keys}`,
      keys,
      label,
      group: 'page',
      run: () => {
        run(latest.current);
      },
    });
    const onFile =
      (name: 'fold' | 'viewed' | 'comment') =>
      (now: ChangesActions): void => {
        if (now.current !== undefined) now[name](now.current);
      };
    return [
      action('j', words.keys.nextHunk, ({ list }) => list.current?.stepHunk(1)),
      action('k', words.keys.previousHunk, ({ list }) => list.current?.stepHunk(-1)),
      action('J', words.keys.nextFile, stepFile(1)),
      action('K', words.keys.previousFile, stepFile(-1)),
      action('c', words.keys.comment, onFile('comment')),
      action('v', words.keys.viewed, onFile('viewed')),
      action('z', words.keys.fold, onFile('fold')),
      action('s', words.keys.split, ({ split }) => {
        split();
      }),
      action('mod+Enter', words.keys.send, ({ send }) => {
        send();
      }),
    ];
  }, [words, latest]);
  useActions(actions);
}

function stepFile(by: 1 | -1): (actions: ChangesActions) => void {
  return ({ list, files, current }) => {
    const next = files[files.findIndex(({ path }) => path === current) + by];
    if (next !== undefined) list.current?.showFile(next.path);
  };
}
