// How far a comment that was sent has come: open, addressed by the follow-up, or outdated.
import { findAnchor } from '../../../text/patch/anchor.ts';
import { parsePatch, type PatchFile } from '../../../text/patch/patch.ts';
import { sideLines } from '../../../text/patch/patch-units.ts';
import type { SentComment } from '../../../text/patch/review-prompt.ts';

export type CommentProgress = 'open' | 'addressed' | 'outdated';

/** The patches of the commented file; undefined where a change does not have the file. */
export interface CommentPatches {
  readonly reviewed: string | undefined;
  readonly followUp: string | undefined;
}

/**
 * Addressed: the follow-up changed the commented lines, for a comment without lines the file, for one without a file anything.
 * Outdated: the reviewed change itself does not have the quoted lines any more.
 */
export function progressOf(
  { path, side = 'new', line, endLine, quote }: SentComment,
  patches: CommentPatches,
  hasChanges: boolean,
): CommentProgress {
  if (path === undefined) return hasChanges ? 'addressed' : 'open';
  const changed = fileOf(patches.followUp);
  if (line === undefined) return changed === undefined ? 'open' : 'addressed';
  const quoted = (quote ?? '').split('\n').filter((text) => text.trim() !== '');
  if (changed !== undefined && isChanged(changed, side, quoted, line, endLine ?? line)) return 'addressed';
  const reviewed = fileOf(patches.reviewed);
  if (quote === undefined) return 'open';
  const found =
    reviewed === undefined ? undefined : findAnchor({ path, side, line, endLine, quote }, sideLines(reviewed, side));
  return found === undefined || found.state === 'outdated' ? 'outdated' : 'open';
}

function fileOf(patch: string | undefined): PatchFile | undefined {
  return patch === undefined ? undefined : parsePatch(patch)[0];
}

/**
 * A new line of the reviewed change is an old line of the follow-up, which begins where it ended: it is addressed when it was
 * removed. An old line was removed by the reviewed change: it is addressed when the follow-up brings it back.
 */
function isChanged(file: PatchFile, side: 'old' | 'new', quoted: readonly string[], from: number, to: number): boolean {
  return file.hunks.some(({ changes }) =>
    changes.some((change) => {
      if (side === 'old') return change.type === 'insert' && quoted.includes(change.content);
      if (change.type !== 'delete') return false;
      return quoted.length === 0
        ? change.lineNumber >= from && change.lineNumber <= to
        : quoted.includes(change.content);
    }),
  );
}
