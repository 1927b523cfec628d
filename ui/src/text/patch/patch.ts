// A patch of git becomes files with hunks; total, so that a broken or hostile patch shows what can be read of it.
import type { ChangeData, HunkData } from 'react-diff-view';
import { markControls } from '../clean.ts';
import { unquotePath } from './git-path.ts';

export interface PatchFile {
  /** Path after the change, as git wrote it, not cleaned. */
  readonly path: string;
  readonly oldPath: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly isBinary: boolean;
  /** Modes such as `100644`, where the patch changes them. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly hunks: readonly HunkData[];
  readonly added: number;
  readonly removed: number;
}

interface OpenFile {
  path: string;
  oldPath: string;
  status: PatchFile['status'];
  isBinary: boolean;
  oldMode: string | undefined;
  newMode: string | undefined;
  hunks: HunkData[];
  added: number;
  removed: number;
}

interface OpenHunk {
  readonly hunk: HunkData;
  oldLine: number;
  newLine: number;
  oldLeft: number;
  newLeft: number;
}

/**
 * Files of a patch in their order. Lines of code are cleaned: each control is a mark. The parser is not gitdiff-parser, the one
 * below react-diff-view: that one throws at a combined diff and misreads quoted paths, binary files and empty hunks.
 */
export function parsePatch(patch: string): PatchFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  let open: OpenHunk | undefined;
  for (const line of patch.split('\n')) {
    if (open !== undefined && file !== undefined && (open.oldLeft > 0 || open.newLeft > 0) && addLine(open, file, line))
      continue;
    if (line.startsWith('diff --git ') || line.startsWith('diff --cc ')) {
      file = newFile(line);
      files.push(file);
      open = undefined;
    } else if (file !== undefined) {
      open = openHunk(line, file) ?? open;
      if (open === undefined) readHeader(file, line);
    }
  }
  return files;
}

function newFile(line: string): OpenFile {
  const [oldPath, path] = pathsOf(line);
  const none = { oldMode: undefined, newMode: undefined };
  return { path, oldPath, status: 'modified', isBinary: false, ...none, hunks: [], added: 0, removed: 0 };
}

/** The paths of `diff --git a/x b/x`. Unquoted paths may hold spaces, and then both are the same but for their first letter. */
function pathsOf(line: string): [string, string] {
  const rest = line.replace(/^diff --(?:git|cc) /, '');
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted?.[1] !== undefined && quoted[2] !== undefined) return [pathOf(quoted[1]), pathOf(quoted[2])];
  const half = rest.slice(0, (rest.length - 1) / 2);
  return half.slice(2) === rest.slice(half.length + 3) ? [half.slice(2), half.slice(2)] : [rest, rest];
}

/** The path without quotes and without its `a/` or `b/`. */
function pathOf(text: string): string {
  return unquotePath(text).replace(/^[ab]\//, '');
}

function readHeader(file: OpenFile, line: string): void {
  const [, key = '', value = ''] =
    /^(---|\+\+\+|rename from|rename to|new file mode|deleted file mode|old mode|new mode) (.*)$/.exec(line) ?? [];
  if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.isBinary = true;
  else if (key === 'rename from') [file.oldPath, file.status] = [unquotePath(value), 'renamed'];
  else if (key === 'rename to') file.path = unquotePath(value);
  else if (key === 'new file mode') [file.newMode, file.status] = [value, 'added'];
  else if (key === 'deleted file mode') [file.oldMode, file.status] = [value, 'deleted'];
  else if (key === 'old mode') file.oldMode = value;
  else if (key === 'new mode') file.newMode = value;
  else if (key === '---' && value !== '/dev/null') file.oldPath = pathOf(value.replace(/\t$/, ''));
  else if (key === '+++' && value !== '/dev/null') file.path = pathOf(value.replace(/\t$/, ''));
}

function openHunk(line: string, file: OpenFile): OpenHunk | undefined {
  const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', context = ''] = match;
  const hunk: HunkData = {
    content: markControls(context.trim()),
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    oldLines: Number(oldLines),
    newLines: Number(newLines),
    changes: [],
  };
  file.hunks.push(hunk);
  return { hunk, oldLine: hunk.oldStart, newLine: hunk.newStart, oldLeft: hunk.oldLines, newLeft: hunk.newLines };
}

/** Adds a line to its hunk, or answers that it is none. An empty line is one of context whose blank was lost. */
function addLine(open: OpenHunk, file: OpenFile, line: string): boolean {
  const content = markControls(line.slice(1));
  const change = changeOf(open, line, content);
  if (change === undefined) return line.startsWith('\\');
  open.hunk.changes.push(change);
  if (change.type !== 'insert') [open.oldLine, open.oldLeft] = [open.oldLine + 1, open.oldLeft - 1];
  if (change.type !== 'delete') [open.newLine, open.newLeft] = [open.newLine + 1, open.newLeft - 1];
  if (change.type === 'insert') file.added += 1;
  if (change.type === 'delete') file.removed += 1;
  return true;
}

function changeOf({ oldLine, newLine }: OpenHunk, line: string, content: string): ChangeData | undefined {
  const sign = line.charAt(0);
  if (sign === '+') return { type: 'insert', content, lineNumber: newLine, isInsert: true };
  if (sign === '-') return { type: 'delete', content, lineNumber: oldLine, isDelete: true };
  if (sign !== ' ' && line !== '') return undefined;
  return { type: 'normal', content, oldLineNumber: oldLine, newLineNumber: newLine, isNormal: true };
}
