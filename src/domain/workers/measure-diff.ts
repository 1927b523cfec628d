// The size of the diff among the artifacts of an attempt, which every list of tasks shows.
import { countDiff } from '../../lib/text/count-diff.ts';
import type { DiffSize } from '../model/task/diff-size.ts';
import type { ArtifactData } from '../model/task/task-event.ts';

/**
 * The size of the newest diff among artifacts.
 * @returns null for a diff that comes in pieces, whose sum nobody knows before the last; undefined: there is no diff
 */
export function measureDiff(artifacts: readonly ArtifactData[]): DiffSize | null | undefined {
  const diff = artifacts.findLast(({ name, mime_type: type }) => name === 'diff' || type === 'text/x-diff');
  if (diff === undefined) return undefined;
  const text = diffText(diff);
  return text === undefined || diff.append === true || diff.last_chunk === false ? null : countDiff(text);
}

/** Bytes are read as Latin-1: lines and marks are ASCII in any encoding that a diff has. */
function diffText({ text, bytes }: ArtifactData): string | undefined {
  return bytes === undefined ? text : Buffer.from(bytes, 'base64').toString('latin1');
}
