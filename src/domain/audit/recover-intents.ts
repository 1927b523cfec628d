// Writes the missing lines of committed transactions after a crash, from their intents in the database. choices-3.
import type { AuditEntry } from '../model/audit-entry.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { AuditLedger, ChainFile, OrphanedIntent, OrphanedIntentRow } from '../ports/audit-chain.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { parseLine } from './parse-line.ts';

export interface RecoverIntentsDeps {
  readonly ledger: AuditLedger;
  readonly trail: AuditTrail;
}

const batchSize = 500;
/** Allowed difference between the clock of an intent and the clock of the file's system. */
const clockToleranceMs = 120_000;

/**
 * Recovers the intents of a chain's replica. At its own start a replica passes its file: an intent with a line there
 * needs no other. Only intents of committed transactions exist, so each change was made.
 * @returns how many lines were missing
 */
export async function recoverIntents(
  deps: RecoverIntentsDeps,
  chain: string,
  file?: Pick<ChainFile, 'read'>,
): Promise<number> {
  let missing = 0;
  for (;;) {
    const rows = await deps.ledger.findOrphanedRows(chain, batchSize);
    if (rows.length === 0) return missing;
    const writtenIds = file === undefined ? new Set<string>() : await findWrittenIds(file, rows);
    const unwritten = new Map(rows.flatMap(({ intents }) => intents.map((intent) => [intent.id, intent])));
    for (const id of writtenIds) unwritten.delete(id);
    await Promise.all(
      [...unwritten.values()].map((intent) => deps.trail.record(toRecoveredEntry(intent, deps.trail.chain))),
    );
    missing += unwritten.size;
    await deps.ledger.copy(chain, [], [], rows);
  }
}

function toRecoveredEntry({ taskId, ...intent }: OrphanedIntent, chain: string): AuditEntry {
  const trace = taskId === undefined ? { rows: [] } : { rows: [], taskId };
  return { ...intent, metadata: { ...intent.metadata, recovered: true }, chain, trace, outcome: 'success' };
}

/** The ids of these rows' intents that are in the file. */
async function findWrittenIds(file: Pick<ChainFile, 'read'>, rows: readonly OrphanedIntentRow[]): Promise<Set<string>> {
  const wanted = new Map(rows.flatMap(({ intents }) => intents.map(({ id, at }) => [id, at])));
  const oldest = [...wanted.values()].reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const writtenIds = new Set<string>();
  for await (const segment of file.read()) {
    if (segment.changedAt < oldest - clockToleranceMs) continue;
    for await (const { bytes } of byteLines(segment.bytes)) {
      const read = parseLine(bytes);
      if (typeof read !== 'string' && wanted.has(read.entry.id)) writtenIds.add(read.entry.id);
    }
  }
  return writtenIds;
}
