// The ports of the audit trail: its file on disk, and the database's copy, checkpoints and leftover intents.
import type { AuditIntent, IntentRow } from '../model/audit-entry.ts';
import type { ChainHead, Checkpoint } from '../model/audit-line.ts';

/** The file of a chain. It has one writer, which makes one call at a time. */
export interface ChainFile extends AsyncDisposable {
  /** The file's name, for people. */
  readonly path: string;
  /**
   * Appends whole lines, in a new file when this one is full.
   * @param firstSeq sequence number of the first line
   * @param durable true: on disk when it settles; false: on disk with the next durable append
   * @throws the system's error when not all of it could be written; `restore` must run before the next append
   */
  append(lines: string, firstSeq: number, durable: boolean): Promise<void>;
  /** Syncs earlier appends to disk that were not durable. */
  sync(): Promise<void>;
  /** Cuts off the remains of a failed append, back to what was surely on disk, and writes the later lines again. */
  restore(): Promise<void>;
  /** The bytes of a chain's files, oldest first. */
  read(part?: ChainPart): AsyncIterable<ChainSegment>;
  /** Whether there are files of this chain here: its own, or those of an earlier or restored chain. */
  holds(chain: string): Promise<boolean>;
}

export interface ChainPart {
  /** Another chain beside this file; absent: the file's own chain. */
  readonly chain?: string;
  /** Leaves out files that end before this entry; absent: reads all. */
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

/** An intent of a committed transaction whose row still exists. */
export interface OrphanedIntent extends Omit<AuditIntent, 'trace' | 'chain'> {
  readonly taskId?: string | undefined;
}

export interface OrphanedIntentRow {
  readonly tenantId: string;
  readonly id: string;
  readonly intents: readonly OrphanedIntent[];
}

/** The database's part of the audit, over all tenants. */
export interface AuditLedger {
  /** Records that this replica is alive and writes this chain, which is not closed any more. */
  touchChain(chain: string, publicKey: string, file: string): Promise<void>;
  /** Records that the chain ends with this entry, and that the database has all of it. */
  closeChain(head: ChainHead): Promise<void>;
  /** Records that a closed chain has been verified; later verifications need not repeat it. */
  sealChain(head: ChainHead): Promise<void>;
  /** The last copied entry of a chain; undefined: none is copied. */
  findCopiedHead(chain: string): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  /** In one transaction: inserts the copy and its checkpoints, deletes the rows of intents that have lines now. */
  copy(
    chain: string,
    batches: readonly CopyBatch[],
    checkpoints: readonly Checkpoint[],
    rows: readonly Pick<IntentRow, 'tenantId' | 'id'>[],
  ): Promise<void>;
  /** Remaining intent rows of a chain's replica, oldest first. */
  findOrphanedRows(chain: string, limit: number): Promise<OrphanedIntentRow[]>;
  /** Chains with remaining rows whose replica was silent for this long. */
  findSilentChains(silentSeconds: number): Promise<string[]>;
  /** Checkpoints of a chain after a sequence number, in order. */
  checkpoints(chain: string, after: number, limit: number): Promise<Checkpoint[]>;
  /** Chains in the database, each with its last copied entry. */
  chains(): Promise<readonly KnownChain[]>;
}

export interface KnownChain extends ChainHead {
  readonly publicKey: string;
  readonly file: string;
  /** When its first replica reported, ISO 8601. */
  readonly openedAt: string;
  /** The entry that the chain ended with; undefined: its replica runs, or died. */
  readonly closed: { readonly seq: number; readonly hash: string } | undefined;
  /** True: it was verified after it was closed. */
  readonly sealed: boolean;
}

/** The restore that this database comes from, as the audit needs it. */
export interface RestoredAudit {
  readonly backupId: string;
  /** ISO 8601. */
  readonly restoredAt: string;
  /** The end of the chain as it was in the backup; undefined: there was none. */
  readonly chain: ChainHead | undefined;
}
