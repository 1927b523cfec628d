// Stores a new version of a session's document: validated, linted, and judged whether a run can start from it. runs-13.
import type { PrdOperation, PrdDocument, PrdSession, PrdVersion } from '../../model/prd/prd-session.ts';
import type { Prd, PrdFinding } from '../../model/prd/prd.ts';
import type { Rows } from '../../ports/store/store.ts';
import { tieCriteria } from '../criterion-rules.ts';
import { lintPrd } from '../lint.ts';
import { parsePrd } from '../parse-prd.ts';

/** Facts that decide, beside the document, whether a run can start. */
export interface Readiness {
  /** Questions that the newest turn asks. */
  readonly openQuestions: number;
  /** Whether a worker can judge what no command shows. */
  readonly hasJudge: boolean;
}

export interface VersionDraft extends Readiness {
  readonly document: PrdDocument;
  readonly author: PrdVersion['author'];
  readonly turn: number | null;
  readonly operations: readonly PrdOperation[];
}

export type WrittenVersion =
  | { readonly version: number; readonly warnings: readonly PrdFinding[]; readonly ready: boolean }
  | { readonly errors: readonly PrdFinding[] };

/** @param session locked by this transaction @returns errors when the document cannot be read; nothing was stored then */
export async function writeVersion(rows: Rows, session: PrdSession, draft: VersionDraft): Promise<WrittenVersion> {
  const reading = parsePrd(draft.document);
  if ('errors' in reading) return reading;
  const { errors, warnings } = lintPrd(reading.prd);
  const version = session.version + 1;
  const findings = [...errors, ...warnings];
  const { document, author, turn, operations } = draft;
  await rows.prdSessions.addVersion(session.id, { version, document, author, turn, operations, warnings: findings });
  const ready = errors.length === 0 && isReady(reading.prd, draft);
  await rows.prdSessions.update(session.id, {
    version,
    ready,
    ...(session.title === '' && { title: reading.prd.project }),
  });
  return { version, warnings: findings, ready };
}

/** Whether a run can start from a stored document; false without one. */
export function readinessOf(document: PrdDocument | undefined, readiness: Readiness): boolean {
  const reading = document === undefined ? undefined : parsePrd(document);
  if (reading === undefined || 'errors' in reading) return false;
  return lintPrd(reading.prd).errors.length === 0 && isReady(reading.prd, readiness);
}

function isReady(prd: Prd, { openQuestions, hasJudge }: Readiness): boolean {
  if (openQuestions > 0 || prd.openQuestions.length > 0) return false;
  return (
    hasJudge || prd.userStories.every((story) => tieCriteria(story, prd.gates ?? []).some(({ by }) => by !== 'judge'))
  );
}
