// Verbs that read the results of a task: its artifacts and its printed output.
import { cutPage } from '../access/cut-page.ts';
import type { Caller } from '../model/access/caller.ts';
import { DomainError, notFound } from '../model/errors.ts';
import type { ArtifactData, OutputStream } from '../model/task/task-event.ts';
import type { ArtifactSummary, Rows, Store } from '../ports/store/store.ts';
import { requireTask } from './read.ts';

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
 * @throws DomainError not_found
 */
export async function listArtifactPage(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<{ items: readonly ArtifactSummary[]; next: string | null }> {
  const found = await deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    return rows.tasks.artifacts(taskId, { after: Number(before ?? 0), limit: limit + 1 });
  });
  return cutPage(found, limit, ({ firstSeq }) => String(firstSeq));
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

/** The agent's printed output, in order. @param after a sequence number @throws DomainError not_found */
export async function readOutput(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
  after: number,
  limit: number,
): Promise<{ output: { seq: number; stream: OutputStream; text: string }[]; next: number }> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const output = await rows.tasks.output(taskId, after, limit);
    return { output, next: output.at(-1)?.seq ?? after };
  });
}

/** Output events read at once: an agent prints line by line, and an event may hold a million characters. */
const outputBatchSize = 100;

/**
 * The end of the agent's printed output, in order: whole events while they fit, and at least one.
 * @param before the event before which the output ends; undefined: the end of all output
 * @returns before: where to continue for earlier output; null when there is none
 * @throws DomainError not_found
 */
export async function readOutputTail(
  deps: { store: Store },
  caller: Caller,
  taskId: string,
  before: number | undefined,
  maxCharacters: number,
): Promise<{ text: string; before: number | null }> {
  return deps.store.within(caller, async (rows) => {
    await requireTask(rows, taskId);
    const texts: string[] = [];
    let from = before ?? Number.MAX_SAFE_INTEGER;
    let length = 0;
    for (;;) {
      const pieces = await rows.tasks.outputBefore(taskId, from, outputBatchSize);
      for (const { seq, text } of pieces) {
        if (texts.length > 0 && length + text.length > maxCharacters) return { text: inOrder(texts), before: from };
        texts.push(text);
        length += text.length;
        from = seq;
      }
      if (pieces.length < outputBatchSize) return { text: inOrder(texts), before: null };
    }
  });
}

function inOrder(newestFirst: readonly string[]): string {
  return newestFirst.toReversed().join('');
}
