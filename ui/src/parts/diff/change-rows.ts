// The rows of the one virtual list: headers of files, blocks of hunks, and what stands for a file that is not shown.
import type { HunkBlock } from '../../text/patch/patch-units.ts';
import { foldReason, type ChangedFile, type FoldReason } from './changed-file.ts';
import type { LoadedPatch, PatchState } from './patch/patch-store.ts';

interface FileRow {
  readonly key: string;
  readonly file: ChangedFile;
}

export type ChangeRow =
  | (FileRow & { readonly kind: 'header'; readonly isFolded: boolean; readonly patch: LoadedPatch | undefined })
  | (FileRow & { readonly kind: 'block'; readonly block: HunkBlock; readonly patch: LoadedPatch })
  | (FileRow & { readonly kind: 'folded'; readonly reason: FoldReason })
  | (FileRow & { readonly kind: 'note'; readonly note: 'loading' | 'failed' | 'binary' | 'noLines' });

/** Whether a file is folded: as the reader has it, else as its kind and length say. */
export function isFileFolded(
  file: ChangedFile,
  folds: ReadonlyMap<string, boolean>,
  viewed: ReadonlySet<string>,
): boolean {
  return folds.get(file.path) ?? (viewed.has(file.path) || foldReason(file) !== undefined);
}

export function changeRows(
  files: readonly ChangedFile[],
  patchOf: (path: string) => PatchState,
  folds: ReadonlyMap<string, boolean>,
  viewed: ReadonlySet<string>,
): ChangeRow[] {
  return files.flatMap((file): ChangeRow[] => {
    const isFolded = isFileFolded(file, folds, viewed);
    const state = patchOf(file.path);
    const patch = typeof state === 'string' ? undefined : state;
    const header = { kind: 'header', key: file.path, file, isFolded, patch } as const;
    const reason = foldReason(file);
    if (isFolded) {
      return reason === undefined || viewed.has(file.path)
        ? [header]
        : [header, { kind: 'folded', key: `${file.path}\n?`, file, reason }];
    }
    return [header, ...bodyRows(file, state)];
  });
}

function bodyRows(file: ChangedFile, state: PatchState): ChangeRow[] {
  const key = `${file.path}\n…`;
  if (state === 'failed') return [{ kind: 'note', key, file, note: 'failed' }];
  if (state === 'absent' || state === 'loading') return [{ kind: 'note', key, file, note: 'loading' }];
  if (state.file.isBinary) return [{ kind: 'note', key, file, note: 'binary' }];
  if (state.blocks.length === 0) return [{ kind: 'note', key, file, note: 'noLines' }];
  return state.blocks.map((block) => ({ kind: 'block', key: `${file.path}\n${block.key}`, file, block, patch: state }));
}
