// The noun audit line: an audit entry as it is in the file and on the wire, linked to the line before it. choices-3.
import type { AuditOutcome } from './audit-entry.ts';

/** The nine fields of an entry, then those that link it into its chain. */
export interface AuditLine {
  readonly id: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly timestamp: string;
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  readonly outcome: AuditOutcome;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly session_id: string | null;
  /** Counts from 1 within the chain, without a gap. */
  readonly seq: number;
  readonly tenant_id: string;
  readonly prev_hash: string;
  /** SHA-256, hex, over the line's bytes up to `,"hash":`. */
  readonly hash: string;
}

/** The last entry of a chain. */
export interface ChainHead {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/** A signed statement of a chain's head. */
export interface Checkpoint extends ChainHead {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Ed25519, base64, over the canonical JSON of {at, chain, hash, seq}. */
  readonly signature: string;
  /** The matching public key, base64 of its 32 bytes. */
  readonly key: string;
}

/** The previous hash of a chain's first line. */
export const noHash = '0'.repeat(64);

/** Maximum entries between two checkpoints: bounds how many entries at the end of a chain are unproven. */
export const checkpointEvery = 1_000;

export const chainActions = {
  opened: 'audit.chain_opened',
  /** The last entry of a replica that ended gracefully; a later start continues the chain all the same. */
  closed: 'audit.chain_closed',
  repaired: 'audit.repaired',
  checkpoint: 'audit.checkpoint',
  resumed: 'audit.resumed',
  overflow: 'audit.overflow',
} as const;
