// Turns entries into the next lines of a chain: numbered, linked, with checkpoints wherever one is due.
import { type AuditEntry, type AuditIntent, systemTenantId } from '../model/audit-entry.ts';
import { chainActions, checkpointEvery, type ChainHead, type Checkpoint } from '../model/audit-line.ts';
import { serviceSubject } from '../model/access/caller.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { CheckpointSigner } from '../ports/audit-chain.ts';
import { signCheckpoint } from './checkpoint.ts';
import { buildChainEntry } from './chain-entry.ts';

/** A line that is, or will be, in the file. */
export interface WrittenLine {
  readonly entry: AuditEntry;
  readonly seq: number;
  readonly hash: string;
  /** Without its line break. */
  readonly text: string;
  readonly checkpoint?: Checkpoint;
}

export interface AuditBatch {
  /** The text to append to the file. */
  readonly text: string;
  readonly lines: readonly WrittenLine[];
}

export interface AuditBatchBuilderDeps {
  readonly signer: CheckpointSigner;
  readonly makeId: MakeId;
  readonly now: () => number;
}

export class AuditBatchBuilder {
  readonly #deps: AuditBatchBuilderDeps;
  #head: ChainHead;
  /** Entries since the last checkpoint. */
  #unsigned: number;

  /** @param unsigned entries in the chain since its last checkpoint */
  constructor(deps: AuditBatchBuilderDeps, head: ChainHead, unsigned: number) {
    this.#deps = deps;
    this.#head = head;
    this.#unsigned = unsigned;
  }

  get head(): ChainHead {
    return this.#head;
  }

  get unsigned(): number {
    return this.#unsigned;
  }

  /** @param sign true: ends with a checkpoint, if any entry is unsigned */
  build(entries: readonly AuditEntry[], sign: boolean): AuditBatch {
    const lines: WrittenLine[] = [];
    let text = '';
    const add = (entry: AuditEntry, checkpoint?: Checkpoint): void => {
      const seq = this.#head.seq + 1;
      const { line, hash } = buildChainEntry(entry, seq, this.#head.hash);
      this.#head = { chain: this.#head.chain, seq, hash };
      const written = { entry, seq, hash, text: line.slice(0, -1) };
      lines.push(checkpoint === undefined ? written : { ...written, checkpoint });
      text += line;
    };
    for (const entry of entries) {
      if (this.#unsigned === checkpointEvery) this.#sign(add);
      add(entry);
      this.#unsigned += 1;
    }
    if (sign && this.#unsigned > 0) this.#sign(add);
    return { text, lines };
  }

  #sign(add: (entry: AuditEntry, checkpoint: Checkpoint) => void): void {
    const checkpoint = signCheckpoint(this.#deps.signer, this.#head, this.#deps.now());
    add(buildSystemEntry(this.#deps, chainActions.checkpoint, this.#head.chain, { ...checkpoint }), checkpoint);
    this.#unsigned = 0;
  }
}

/** Builds an entry of the audit about itself. */
export function buildSystemEntry(
  deps: { readonly makeId: MakeId; readonly now: () => number },
  action: string,
  chain: string,
  metadata: Readonly<Record<string, unknown>>,
): AuditEntry {
  const intent: AuditIntent = {
    id: deps.makeId(),
    at: deps.now(),
    tenantId: systemTenantId,
    actor: serviceSubject('audit'),
    action,
    resource: `audit/${chain}`,
    metadata,
    ip: null,
    sessionId: null,
    chain,
    trace: { rows: [] },
  };
  return { ...intent, outcome: 'success' };
}
