// Turns an entry into an entry of its chain: the exact text of its line, and the hash that the next line names.
import type { AuditEntry } from '../model/audit-entry.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { sha256 } from '../../lib/digest.ts';

export interface ChainEntry {
  /** With its line break. */
  readonly line: string;
  readonly hash: string;
}

/** Maximum characters of each text: the audit records actions, it does not store content. */
const maxText = 500;
const maxFacts = 24;

/** @param seq one more than that of the entry whose hash is `prevHash` */
export function buildChainEntry(entry: AuditEntry, seq: number, prevHash: string): ChainEntry {
  const { trace } = entry;
  const text = JSON.stringify({
    id: entry.id,
    timestamp: new Date(entry.at).toISOString(),
    actor: capped(entry.actor),
    action: capped(entry.action),
    resource: capped(entry.resource),
    outcome: entry.outcome,
    metadata: cappedFacts(entry.metadata, trace.taskId),
    ip: entry.ip,
    session_id: entry.sessionId,
    seq,
    tenant_id: entry.tenantId,
    prev_hash: prevHash,
  });
  const signed = text.slice(0, -1);
  const entryHash = sha256(signed, 'hex');
  return { line: `${signed},"hash":"${entryHash}"}\n`, hash: entryHash };
}

function capped(text: string): string {
  return text.length > maxText ? cutText(text, maxText) : text;
}

/** Keeps only flat facts (strings, numbers, booleans, null) and the task of the call. */
function cappedFacts(facts: Readonly<Record<string, unknown>>, taskId: string | undefined): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const name of Object.keys(facts)) {
    if (count === maxFacts) break;
    const value = facts[name];
    if (typeof value === 'string') kept[name] = capped(value);
    else if (typeof value === 'number' || typeof value === 'boolean' || value === null) kept[name] = value;
    else continue;
    count += 1;
  }
  if (taskId !== undefined && count < maxFacts) kept['task_id'] = taskId;
  return kept;
}
