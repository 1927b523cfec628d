// Verbs that read the artifacts of a task.
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { ArtifactData } from '../model/task/task-event.ts';
import type { Rows, Store } from '../ports/store/store.ts';
import type { ArtifactSummary } from '../model/task/artifact-summary.ts';
import { findAttemptRange, requireTask } from './read.ts';

/** An artifact with its content in exactly one of the four content fields, or without content. */
export interface Artifact {
  readonly summary: ArtifactSummary;
  /** True: the content would make the answer too large; it must be read separately. */
  readonly contentOmitted?: true;
  readonly text?: string;
  readonly data?: unknown;
  readonly bytes?: string;
  readonly uri?: string;
}

/** All artifacts of a task, in the order in which they were begun. @throws DomainError not_found */
export async function listArtifacts(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
): Promise<ArtifactSummary[]> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.tasks.artifacts(taskId);
  });
}

/**
 * A page of a task's artifacts. An artifact that is replaced meanwhile moves to the end, as a new one.
 * @param page.before where the page before ended: a sequence number
 * @param page.attemptId only artifacts of this attempt
 * @throws DomainError not_found (task, attempt)
 */
export async function listArtifactPage(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
  page: { readonly limit: number; readonly before: string | undefined; readonly attemptId?: string | undefined },
): Promise<{ items: readonly ArtifactSummary[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const [from, limit] = [Number(page.before ?? 0), page.limit + 1];
    if (page.attemptId === undefined) return rows.tasks.artifacts(taskId, { after: from, limit });
    const range = await findAttemptRange(rows, taskId, page.attemptId);
    return rows.taskResults.artifactsOf(taskId, range, { from, limit });
  });
  return cutPage(found, page.limit, ({ firstSeq }) => String(firstSeq));
}

/** Bytes of the largest artifact that one answer carries: as base64 it stays well below the longest string. */
const maxArtifactBytes = 128 * 1024 * 1024;

/** One artifact with its chunks joined. @throws DomainError not_found; conflict when it is too large for one answer */
export async function getArtifact(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
  artifactId: string,
): Promise<Artifact> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const summary = (await rows.tasks.artifacts(taskId)).find((artifact) => artifact.artifactId === artifactId);
    if (summary === undefined) throw notFound('artifact');
    if (summary.size > maxArtifactBytes) {
      const errorMessage = `This artifact has ${summary.size} bytes, too large for one answer. Read its chunks from the task's events.`;
      throw new DomainError('conflict', 'artifact_too_large', errorMessage);
    }
    return readArtifactContent(rows, taskId, summary);
  });
}

/** An artifact with its content, as the log had it at the sequence number `upTo`. */
export async function readArtifactContent(
  rows: Rows,
  taskId: string,
  summary: ArtifactSummary,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<Artifact> {
  const events = await rows.tasks.artifactEvents(taskId, summary);
  const chunks = events.flatMap((event) => (event.type === 'artifact' && event.seq <= upTo ? [event.data] : []));
  return { summary, ...joinChunks(chunks) };
}

/** Joins text and bytes in order; of data and file addresses the newest counts. */
function joinChunks(chunks: readonly ArtifactData[]): Omit<Artifact, 'summary'> {
  const last = chunks.at(-1);
  if (last === undefined) return { text: '' };
  if (last.text !== undefined) return { text: chunks.map((chunk) => chunk.text ?? '').join('') };
  if (last.bytes !== undefined) {
    return { bytes: Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.bytes ?? '', 'base64'))).toString('base64') };
  }
  if (last.uri !== undefined) return { uri: last.uri };
  return { data: last.data };
}
