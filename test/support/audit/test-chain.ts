// A chain of its own for a test: a trail over a file in a temporary folder, and a ledger that remembers.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { AppendHandle } from '../../../src/adapters/audit-file/append-handle.ts';
import { openAudit, type Audit } from '../../../src/server/build/audit.ts';
import { resolveAuditLocation } from '../../../src/server/config/audit-location.ts';
import type { AuditEntry } from '../../../src/domain/model/audit-entry.ts';
import type { ChainHead, Checkpoint } from '../../../src/domain/model/audit-line.ts';
import type {
  AuditLedger,
  CopyBatch,
  KnownChain,
  OrphanedIntentRow,
  RestoredAudit,
} from '../../../src/domain/ports/audit-chain.ts';
import { uuid7Maker } from '../../../src/lib/uuid7.ts';

const makeId = uuid7Maker(Date.now, randomBytes);

/** The database's side, in memory. */
export class MemoryLedger implements AuditLedger {
  readonly batches: (CopyBatch & { chain: string })[] = [];
  readonly savedCheckpoints: Checkpoint[] = [];
  rows: OrphanedIntentRow[] = [];
  /** Chains whose checkpoints were read, one for each reading. */
  readonly walked: string[] = [];
  readonly #chains = new Map<string, Pick<KnownChain, 'publicKey' | 'file' | 'closed' | 'sealed'>>();

  touchChain(chain: string, publicKey: string, file: string): Promise<void> {
    this.#chains.set(chain, { publicKey, file, closed: undefined, sealed: false });
    return Promise.resolve();
  }
  closeChain({ chain, seq, hash }: ChainHead): Promise<void> {
    const known = this.#chains.get(chain);
    if (known !== undefined) this.#chains.set(chain, { ...known, closed: { seq, hash } });
    return Promise.resolve();
  }
  sealChain({ chain }: ChainHead): Promise<void> {
    const known = this.#chains.get(chain);
    if (known !== undefined) this.#chains.set(chain, { ...known, sealed: true });
    return Promise.resolve();
  }
  findCopiedHead(chain: string): Promise<{ seq: number; hash: string } | undefined> {
    const last = this.batches
      .filter((batch) => batch.chain === chain)
      .toSorted((a, b) => a.lastSeq - b.lastSeq)
      .at(-1);
    return Promise.resolve(last === undefined ? undefined : { seq: last.lastSeq, hash: last.lastHash });
  }
  copy(
    chain: string,
    batches: readonly CopyBatch[],
    checkpoints: readonly Checkpoint[],
    rows: readonly { tenantId: string; id: string }[],
  ): Promise<void> {
    this.batches.push(...batches.map((batch) => ({ ...batch, chain })));
    this.savedCheckpoints.push(...checkpoints);
    this.rows = this.rows.filter((row) => !rows.some(({ id }) => id === row.id));
    return Promise.resolve();
  }
  findOrphanedRows(): Promise<OrphanedIntentRow[]> {
    return Promise.resolve(this.rows);
  }
  findSilentChains(): Promise<string[]> {
    return Promise.resolve([]);
  }
  checkpoints(chain: string, after: number): Promise<Checkpoint[]> {
    this.walked.push(chain);
    return Promise.resolve(this.savedCheckpoints.filter((one) => one.chain === chain && one.seq > after));
  }
  async chains() {
    return Promise.all(
      [...this.#chains].map(async ([chain, facts]) => {
        const last = await this.findCopiedHead(chain);
        return { chain, ...facts, openedAt: '1970-01-01T00:00:00.000Z', seq: last?.seq ?? 0, hash: last?.hash ?? '' };
      }),
    );
  }
  /** Sequence numbers of every line that was copied, in order. */
  seqs(): number[] {
    return this.batches
      .flatMap((batch) => JSON.parse(batch.entries).map((line: { seq: number }) => line.seq))
      .toSorted((a, b) => a - b);
  }
}

export interface ChainOptions {
  readonly folder: string;
  readonly ledger?: AuditLedger;
  readonly restored?: RestoredAudit;
  readonly maxBytes?: number;
  readonly openFile?: (file: string) => Promise<AppendHandle>;
  readonly now?: () => number;
  readonly logged?: string[];
}

export function auditFileIn(folder: string): string {
  return path.join(folder, 'audit', 'audit.jsonl');
}

export function openTestAudit(options: ChainOptions): Promise<Audit> {
  return openAudit({
    config: { audit: resolveAuditLocation(options.folder) },
    ledger: options.ledger ?? new MemoryLedger(),
    restored: options.restored,
    hostname: 'here',
    makeId,
    now: options.now ?? Date.now,
    log: (line) => options.logged?.push(line),
    maxBytes: options.maxBytes,
    openFile: options.openFile,
  });
}

export function buildAuditEntry(fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: makeId(),
    at: Date.now(),
    tenantId: 'default',
    actor: 'token:test',
    action: 'tasks.create',
    resource: '/v1/agent/tasks',
    metadata: { request_id: 'r' },
    ip: '127.0.0.1',
    sessionId: null,
    chain: '',
    trace: { rows: [] },
    outcome: 'success',
    ...fields,
  };
}
