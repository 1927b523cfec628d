// Divides a unified diff into its files. The text has one character for each byte, so that no encoding is lost.
import { sha256 } from '../../../lib/digest.ts';
import { parseGitPath, withoutSide } from './git-path.ts';

export interface FileDiff {
  readonly path: string;
  /** The name before a rename. */
  readonly oldPath: string | undefined;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
  /** SHA-256 of the hunks, or of a binary patch: equal changes have an equal hash. */
  readonly hash: string;
  /** The part of the diff that is about this file. */
  readonly patch: string;
}

interface Draft {
  readonly start: number;
  /** The offset at which hunks or a binary patch begin; undefined: not yet. */
  body: number | undefined;
  from: string | undefined;
  to: string | undefined;
  isNew: boolean;
  isDeleted: boolean;
  isRenamed: boolean;
  added: number;
  removed: number;
  /** Lines of the current hunk that are still to come. */
  oldLeft: number;
  newLeft: number;
}

/** @param diff as git or diff -u writes it, one character for each byte; other text has no files */
export function parseDiff(diff: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: Draft | undefined;
  const close = (end: number): void => {
    const done = file === undefined ? undefined : finish(file, diff.slice(file.start, end));
    if (done !== undefined) files.push(done);
  };
  for (let start = 0; start < diff.length;) {
    const found = diff.indexOf('\n', start);
    const end = found < 0 ? diff.length : found;
    if (beginsFile(diff, start, end, file)) {
      close(start);
      file = newFile(start, diff.slice(start, end));
    }
    if (file !== undefined) readLine(file, diff, start, end);
    start = end + 1;
  }
  close(diff.length);
  return files;
}

/** A line of a hunk begins with a space, a sign or a backslash, so that no content is taken for a header. */
function beginsFile(diff: string, start: number, end: number, file: Draft | undefined): boolean {
  if (diff.startsWith('diff --git ', start)) return true;
  const isInHunk = file !== undefined && (file.oldLeft > 0 || file.newLeft > 0);
  const isOpen = file !== undefined && file.body === undefined;
  return !isInHunk && !isOpen && diff.startsWith('--- ', start) && diff.startsWith('+++ ', end + 1);
}

function newFile(start: number, line: string): Draft {
  const path = commonName(line.slice('diff --git '.length));
  return {
    start,
    body: undefined,
    from: path,
    to: path,
    isNew: false,
    isDeleted: false,
    isRenamed: false,
    added: 0,
    removed: 0,
    oldLeft: 0,
    newLeft: 0,
  };
}

/**
 * The name in `a/name b/name`, which has no other place where a mode or an empty file is all that changed. The halves are
 * equally long, so that a hostile line costs no search.
 */
function commonName(names: string): string | undefined {
  const half = (names.length - 1) / 2;
  if (names[half] !== ' ') return undefined;
  const [one, other] = [names.slice(0, half), names.slice(half + 1)].map((name) =>
    withoutSide(parseGitPath(name) ?? ''),
  );
  return one === other ? one : undefined;
}

function readLine(file: Draft, diff: string, start: number, end: number): void {
  if (diff.startsWith('@@ -', start) && file.oldLeft <= 0 && file.newLeft <= 0) beginHunk(file, diff, start, end);
  else if (file.body === undefined) readHeader(file, diff.slice(start, end), start);
  else countLine(file, diff[start]);
}

function beginHunk(file: Draft, diff: string, start: number, end: number): void {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(diff.slice(start, Math.min(end, start + 100)));
  if (counts === null) return;
  file.body ??= start;
  file.oldLeft = Number(counts[1] ?? 1);
  file.newLeft = Number(counts[2] ?? 1);
}

function countLine(file: Draft, sign: string | undefined): void {
  if (file.oldLeft <= 0 && file.newLeft <= 0) return;
  if (sign === '\\') return;
  if (sign !== '+') file.oldLeft -= 1;
  if (sign !== '-') file.newLeft -= 1;
  if (sign === '+') file.added += 1;
  if (sign === '-') file.removed += 1;
}

function readHeader(file: Draft, line: string, start: number): void {
  const [, key = '', value = ''] =
    /^(--- |\+\+\+ |rename from |rename to |copy to |new file|deleted file|GIT binary patch|Binary files )(.*)$/s.exec(
      line,
    ) ?? [];
  switch (key) {
    case '--- ':
      file.from = sideName(value, 'from', file);
      break;
    case '+++ ':
      file.to = sideName(value, 'to', file);
      break;
    case 'rename from ':
      file.from = parseGitPath(value);
      file.isRenamed = true;
      break;
    case 'rename to ':
      file.to = parseGitPath(value);
      break;
    case 'copy to ':
      file.to = parseGitPath(value);
      file.isNew = true;
      break;
    case 'new file':
      file.isNew = true;
      break;
    case 'deleted file':
      file.isDeleted = true;
      break;
    case 'GIT binary patch':
    case 'Binary files ':
      file.body = start;
      break;
    default:
  }
}

/** The name of one side; where it is /dev/null, the file is new or deleted and keeps the name of the other side. */
function sideName(value: string, side: 'from' | 'to', file: Draft): string | undefined {
  const name = parseGitPath(value);
  if (name !== undefined) return withoutSide(name);
  if (side === 'from') file.isNew = true;
  else file.isDeleted = true;
  return undefined;
}

function finish(file: Draft, patch: string): FileDiff | undefined {
  const path = file.to ?? file.from;
  if (path === undefined || path === '') return undefined;
  const body = file.body === undefined ? '' : patch.slice(file.body - file.start);
  return {
    path,
    oldPath: file.isRenamed ? file.from : undefined,
    status: statusOf(file),
    added: file.added,
    removed: file.removed,
    hash: sha256(Buffer.from(body, 'latin1'), 'hex'),
    patch,
  };
}

function statusOf({ isNew, isDeleted, isRenamed }: Draft): FileDiff['status'] {
  if (isDeleted) return 'deleted';
  if (isNew) return 'added';
  return isRenamed ? 'renamed' : 'modified';
}
