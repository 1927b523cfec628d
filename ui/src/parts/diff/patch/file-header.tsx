// The header of a file: path, state, counts, viewed, comment, fold. It stays in sight while its lines are.
import type { ReactNode } from 'react';
import { markControls } from '../../../text/clean.ts';
import { Button } from '../../controls/button.tsx';
import type { ChangedFile } from '../changed-file.ts';
import type { ChangesWords } from '../changes-words.ts';
import type { LoadedPatch } from './patch-store.ts';

export interface FileHeaderProps {
  readonly file: ChangedFile;
  readonly patch: LoadedPatch | undefined;
  readonly isFolded: boolean;
  readonly isViewed: boolean;
  readonly words: ChangesWords;
  readonly onFold: (path: string) => void;
  readonly onViewed: (path: string, isViewed: boolean) => void;
  readonly onComment: (path: string) => void;
}

export function FileHeader(props: FileHeaderProps): ReactNode {
  const { file, patch, isFolded, isViewed, words } = props;
  const path = markControls(file.path);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-ground px-2 py-1">
      <button
        type="button"
        aria-label={words.fold(path)}
        aria-expanded={!isFolded}
        className="min-h-6 min-w-6"
        onClick={() => props.onFold(file.path)}
      >
        <span aria-hidden="true">{isFolded ? '▸' : '▾'}</span>
      </button>
      <h3 className="min-w-0 flex-1 font-mono text-mono font-semibold">
        <bdi className="break-all">{path}</bdi>
        {file.oldPath === undefined || file.oldPath === file.path ? null : (
          <span className="font-normal text-soft"> {words.renamedFrom(markControls(file.oldPath))}</span>
        )}
        {modeNote(patch, words)}
      </h3>
      <span className="text-xs text-soft">{words.status[file.status]}</span>
      <span className="text-sm">{words.counts(file.added, file.removed)}</span>
      <Button kind="quiet" label={words.commentFile(path)} onClick={() => props.onComment(file.path)}>
        +
      </Button>
      <label className="flex min-h-6 items-center gap-1.5 text-sm">
        <input
          type="checkbox"
          checked={isViewed}
          onChange={(event) => {
            props.onViewed(file.path, event.target.checked);
          }}
        />
        {words.viewed}
        <span className="sr-only">{path}</span>
      </label>
    </div>
  );
}

function modeNote(patch: LoadedPatch | undefined, words: ChangesWords): ReactNode {
  const { oldMode, newMode } = patch?.file ?? {};
  if (oldMode === undefined || newMode === undefined) return null;
  return <span className="font-normal text-soft"> {words.modeChanged(oldMode, newMode)}</span>;
}
