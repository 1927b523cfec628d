// A patch without the changes of white space alone: a removed line and the added one that says the same become one line.
import type { ChangeData, HunkData } from 'react-diff-view';
import type { PatchFile } from './patch.ts';

/** Hunks of which nothing is left are left out. Lines keep their numbers on both sides. */
export function withoutWhitespace(file: PatchFile): PatchFile {
  const hunks = file.hunks
    .map((hunk): HunkData => ({ ...hunk, changes: joined(hunk.changes) }))
    .filter(({ changes }) => changes.some(({ type }) => type !== 'normal'));
  return { ...file, hunks };
}

function joined(changes: readonly ChangeData[]): ChangeData[] {
  const result: ChangeData[] = [];
  for (let at = 0; at < changes.length;) {
    const deleted = runFrom(changes, at, 'delete');
    const inserted = runFrom(changes, at + deleted.length, 'insert');
    if (deleted.length + inserted.length === 0) result.push(...changes.slice(at, at + 1));
    else result.push(...pairs(deleted, inserted));
    at += Math.max(1, deleted.length + inserted.length);
  }
  return result;
}

/** Lines are paired by their places, from the beginning and from the end of the run. */
function pairs(deleted: readonly ChangeData[], inserted: readonly ChangeData[]): ChangeData[] {
  const shorter = Math.min(deleted.length, inserted.length);
  let head = 0;
  while (head < shorter && isSame(deleted[head], inserted[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(deleted.at(-1 - tail), inserted.at(-1 - tail))) tail += 1;
  const isEven = deleted.length === inserted.length;
  const middle = isEven
    ? deleted
        .slice(head, deleted.length - tail)
        .flatMap(
          (one, index) =>
            joinLine(one, inserted[head + index]) ?? [one, ...inserted.slice(head + index, head + index + 1)],
        )
    : [...deleted.slice(head, deleted.length - tail), ...inserted.slice(head, inserted.length - tail)];
  return [
    ...deleted.slice(0, head).flatMap((one, index) => joinLine(one, inserted[index]) ?? one),
    ...middle,
    ...deleted
      .slice(deleted.length - tail)
      .flatMap((one, index) => joinLine(one, inserted[inserted.length - tail + index]) ?? one),
  ];
}

function isSame(one: ChangeData | undefined, other: ChangeData | undefined): boolean {
  return one?.content.replaceAll(/\s/g, '') === other?.content.replaceAll(/\s/g, '');
}

function joinLine(deleted: ChangeData, inserted: ChangeData | undefined): ChangeData | undefined {
  if (deleted.type !== 'delete' || inserted?.type !== 'insert' || !isSame(deleted, inserted)) return undefined;
  const { content, lineNumber } = inserted;
  return { type: 'normal', isNormal: true, content, oldLineNumber: deleted.lineNumber, newLineNumber: lineNumber };
}

function runFrom(changes: readonly ChangeData[], from: number, type: ChangeData['type']): ChangeData[] {
  let to = from;
  while (changes[to]?.type === type) to += 1;
  return changes.slice(from, to);
}
