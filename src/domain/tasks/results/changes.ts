// Verbs that read the changes of a task file by file, from the diff that an attempt left.
import type { Caller } from '../../model/access/caller.ts';
import { DomainError, notFound } from '../../model/errors.ts';
import type { Rows, Store } from '../../ports/store/store.ts';
import { readArtifactContent } from '../artifacts.ts';
import { findAttemptRange, requireTask } from '../read.ts';
import { parseDiff, type FileDiff } from './parse-diff.ts';

interface ChangesDeps {
  readonly store: Store;
}

/** Bytes of the largest diff that is divided into files; a worker leaves at most 8 MiB. */
const maxDiffBytes = 64 * 1024 * 1024;

/**
 * The files of the newest diff, in its order.
 * @param attemptId only the diff of this attempt
 * @throws DomainError not_found (task, attempt); conflict `diff_too_large`
 */
export async function listFileChanges(
  deps: ChangesDeps,
  caller: Caller,
  taskId: string,
  attemptId?: string,
): Promise<readonly FileDiff[]> {
  return parseDiff(
    await deps.store.within(caller, async (rows) => {
      await requireTask(rows, taskId);
      return readDiff(rows, taskId, attemptId);
    }),
  );
}

/**
 * The part of the newest diff that is about one file, as its bytes.
 * @param path of the file as it is after the change, or before where it was deleted
 * @throws DomainError not_found (task, attempt, change); conflict `diff_too_large`
 */
export async function getFileChange(
  deps: ChangesDeps,
  caller: Caller,
  taskId: string,
  { path, attemptId }: { readonly path: string; readonly attemptId?: string | undefined },
): Promise<Uint8Array> {
  const files = await listFileChanges(deps, caller, taskId, attemptId);
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw notFound('change');
  return Buffer.from(file.patch, 'latin1');
}

const wholeList = { from: 0, limit: 10_000 };

/** The newest artifact `diff`, one character for each byte; empty where there is none. */
export async function readDiff(rows: Rows, taskId: string, attemptId: string | undefined): Promise<string> {
  const artifacts =
    attemptId === undefined
      ? await rows.tasks.artifacts(taskId)
      : await rows.taskResults.artifactsOf(taskId, await findAttemptRange(rows, taskId, attemptId), wholeList);
  const newest = artifacts.findLast(({ name }) => name === 'diff');
  if (newest === undefined) return '';
  if (newest.size > maxDiffBytes) {
    const message = `The diff has ${newest.size} bytes, too large to be divided into files. Download the artifact.`;
    throw new DomainError('conflict', 'diff_too_large', message);
  }
  const { text, bytes } = await readArtifactContent(rows, taskId, newest);
  return text === undefined
    ? Buffer.from(bytes ?? '', 'base64').toString('latin1')
    : Buffer.from(text).toString('latin1');
}
