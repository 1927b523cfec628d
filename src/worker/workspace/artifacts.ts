// The artifacts `diff`, `files` and `branch` of an attempt. choices-5.
import { isUtf8 } from 'node:buffer';
import type { NewArtifact } from '../../contracts/worker.ts';
import type { Changes, FileChange } from './changes.ts';
import type { KeptBranch } from './workspace.ts';

/** Limit of a diff, so that a release stays well below the 16 MiB limit of its body. */
export const maxDiffBytes = 8 * 1024 * 1024;
const maxEscapedChars = 12 * 1024 * 1024;
const maxFiles = 10_000;

/** As text where possible: valid UTF-8 without NUL that JSON's escapes do not inflate too much. */
function diffContent(patch: Buffer): { text: string } | { bytes: string } {
  const text = isUtf8(patch) ? patch.toString() : '\0';
  if (text.includes('\0') || JSON.stringify(text).length > maxEscapedChars) return { bytes: patch.toString('base64') };
  return { text };
}

function clean(file: FileChange): FileChange {
  return {
    ...file,
    path: file.path.toWellFormed(),
    old_path: file.old_path?.toWellFormed(),
  };
}

/**
 * `diff` (`text/x-diff`) is a patch for `git apply` in the folder as it was before the run; `files`
 * (`application/json`) is `[{path, status: added | modified | deleted | renamed, old_path?, added, removed, binary?,
 * note?}]`. A `note` says why a file is not in the diff. No change: no artifact.
 */
export function changeArtifacts({ files, patch }: Changes): NewArtifact[] {
  if (files.length === 0) return [];
  const listed = files.slice(0, maxFiles).map(clean);
  const last = listed.at(-1);
  if (last && files.length > maxFiles) last.note = `${files.length - maxFiles} more changed files are not listed`;
  return [
    { name: 'diff', mime_type: 'text/x-diff', ...diffContent(patch) },
    { name: 'files', mime_type: 'application/json', data: listed },
  ];
}

/**
 * `branch` (`application/json`): `{branch, commit, base, repository, files, added, removed, merge}`; `merge` is a
 * command that takes the changes over, to be run in the repository.
 */
export function branchArtifact(kept: KeptBranch, files: readonly FileChange[]): NewArtifact {
  const { base, branch, commit, merge, repository } = kept;
  const sum = (count: (file: FileChange) => number): number => files.reduce((all, file) => all + count(file), 0);
  const stat = { files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
  return { name: 'branch', mime_type: 'application/json', data: { branch, commit, base, repository, ...stat, merge } };
}
