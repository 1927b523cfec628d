// What the trail asks of its file and of the database: lines on disk, a copy for the tenants, checkpoints, leftovers.
import type { AuditIntent, IntentRow } from '../../model/audit-entry.ts';
import type { ChainHead, Checkpoint } from '../../model/audit-line.ts';

/** The file that a chain is written to. Its one writer calls it, one call at a time. */
export interface ChainFile extends AsyncDisposable {
  /** The file's name, for people. */
  readonly path: string;
  /**
   * Appends whole lines, in a new file where this one is full.
   * @param firstSeq of the lines
   * @param durable true: on disk when it settles; false: with the next that is
   * @throws the system's error when not all of it could be written; `restore` comes before the next append
   */
  append(lines: string, firstSeq: number, durable: boolean): Promise<void>;
  /** Brings to disk what was appended without being durable. */
  sync(): Promise<void>;
  /** Cuts what a failed append left, back to what was on disk for sure, and writes what came after that again. */
  restore(): Promise<void>;
  /** The bytes of a chain's files, oldest first. */
  read(part?: ChainPart): AsyncIterable<ChainSegment>;
}

export interface ChainPart {
  /** This file's own chain, unless an earlier one is named that is beside it. */
  readonly chain?: string;
  /** Files that end before this entry are left out; all are read without it. */
  readonly fromSeq?: number;
}

export interface ChainSegment {
  readonly path: string;
  /** Milliseconds since 1970 of its last change. */
  readonly changedAt: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Signs checkpoints. */
export interface CheckpointSigner {
  /** Base64 of the 32 bytes of the public key. */
  readonly publicKey: string;
  /** Ed25519, base64. */
  sign(text: string): string;
}

/** Lines of one tenant, to be copied. */
export interface CopyBatch {
  readonly tenantId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly lastHash: string;
  readonly firstId: string;
  readonly lastId: string;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** The lines as a JSON array. */
  readonly entries: string;
}

/** An intent whose transaction was committed and whose row is still there. */
export interface OrphanedIntent extends Omit<AuditIntent, 'trace' | 'chain'> {
  readonly taskId?: string | undefined;
}

export interface OrphanedIntentRow {
  readonly tenantId: string;
  readonly id: string;
  readonly intents: readonly OrphanedIntent[];
}

/** The database's side of the audit, over all tenants. */
export interface AuditLedger {
  /** This replica lives and writes this chain. */
  touchChain(chain: string, publicKey: string, file: string): Promise<void>;
  /** How far the copy of a chain goes; undefined: nothing of it is there. */
  findCopiedHead(chain: string): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  /** One transaction: the copy, the checkpoints in it, and the rows of intents that have their lines now. */
  copy(
    chain: string,
    batches: readonly CopyBatch[],
    checkpoints: readonly Checkpoint[],
    rows: readonly Pick<IntentRow, 'tenantId' | 'id'>[],
  ): Promise<void>;
  /** Rows left of a chain's replica, oldest first. */
  findOrphanedRows(chain: string, limit: number): Promise<OrphanedIntentRow[]>;
  /** Chains with rows left whose replica was not heard of for this long. */
  findSilentChains(silentSeconds: number): Promise<string[]>;
  /** Checkpoints of a chain after a sequence number, in order. */
  checkpoints(chain: string, after: number, limit: number): Promise<Checkpoint[]>;
  /** Other chains that the database knows, with the last copied link of each. */
  chains(): Promise<readonly KnownChain[]>;
}

export interface KnownChain extends ChainHead {
  readonly publicKey: string;
  readonly file: string;
}
