// After a crash: intents of committed transactions whose lines were never written get them now. choices §3.
import type { AuditEntry } from '../model/audit-entry.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { AuditLedger, ChainFile, LeftIntent, LeftRow } from '../ports/store/audit-chain.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { readLine } from './read-line.ts';

export interface RecoverDeps {
  readonly ledger: AuditLedger;
  readonly trail: AuditTrail;
}

const batch = 500;
/** Clocks of an intent and of the file's own system may differ a little. */
const slackMs = 120_000;

/**
 * Files what a chain's replica left. Its own start passes its file: what is in there already has its line.
 * Only intents of committed transactions exist, so each did what it says.
 * @returns how many lines were missing
 */
export async function recover(deps: RecoverDeps, chain: string, file?: Pick<ChainFile, 'read'>): Promise<number> {
  let missing = 0;
  for (;;) {
    const rows = await deps.ledger.left(chain, batch);
    if (rows.length === 0) return missing;
    const filed = file === undefined ? new Set<string>() : await filedOf(file, rows);
    const owed = new Map(rows.flatMap(({ intents }) => intents.map((intent) => [intent.id, intent])));
    for (const id of filed) owed.delete(id);
    await Promise.all([...owed.values()].map((intent) => deps.trail.record(recovered(intent, deps.trail.chain))));
    missing += owed.size;
    await deps.ledger.copy(chain, [], [], rows);
  }
}

function recovered({ taskId, ...intent }: LeftIntent, chain: string): AuditEntry {
  const trace = taskId === undefined ? { rows: [] } : { rows: [], taskId };
  return { ...intent, metadata: { ...intent.metadata, recovered: true }, chain, trace, outcome: 'success' };
}

/** The ids among these rows' intents that the file has. */
async function filedOf(file: Pick<ChainFile, 'read'>, rows: readonly LeftRow[]): Promise<Set<string>> {
  const wanted = new Map(rows.flatMap(({ intents }) => intents.map(({ id, at }) => [id, at])));
  const oldest = [...wanted.values()].reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const filed = new Set<string>();
  for await (const segment of file.read()) {
    if (segment.changedAt < oldest - slackMs) continue;
    for await (const { bytes } of byteLines(segment.bytes)) {
      const read = readLine(bytes);
      if (typeof read !== 'string' && wanted.has(read.entry.id)) filed.add(read.entry.id);
    }
  }
  return filed;
}
