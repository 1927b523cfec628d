// The audit trail: writes entries as lines of the file, in batches that collect while the previous one is written.
import type { AuditEntry, AuditIntent } from '../model/audit-entry.ts';
import { chainActions } from '../model/audit-line.ts';
import { unavailable, type DomainError } from '../model/errors.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { ChainFile } from '../ports/audit-chain.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { buildSystemEntry, type AuditBatch, type AuditBatchBuilder, type WrittenLine } from './audit-batch.ts';
import { RefusalAggregator } from './refusal-aggregator.ts';

export interface FileAuditTrailDeps {
  readonly file: ChainFile;
  readonly builder: AuditBatchBuilder;
  readonly makeId: MakeId;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** Receives lines that are on disk. */
  readonly onWritten: (lines: readonly WrittenLine[]) => void;
  readonly release: (intent: AuditIntent) => void;
}

interface PendingEntry {
  readonly entry: AuditEntry;
  /** Settles the promise of a change that waits for its line. */
  readonly settle?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

const maxBatch = 1_000;
/** Entries of reads that are kept while the file cannot be written. */
const maxPending = 10_000;
/** Milliseconds between checkpoints while entries are written. */
const checkpointMs = 60_000;

/** A batch that was rendered and is not entirely on disk. Its lines are numbered, so it must be written first. */
interface Failure {
  readonly batch: AuditBatch;
  readonly since: number;
}

/**
 * Writes entries to the file. The promise of a change settles when its line is on disk.
 *
 * The trail is always in one of these modes:
 *
 * - `open`: the initial mode. Entries are written in batches, one batch at a time (`#writing`). A batch that cannot be
 *   written moves the trail to `failing`.
 * - `failing`: changes are refused, and entries of calls that change nothing wait, up to a limit. `tick` tries the file
 *   again; when the failed batch is on disk, the trail moves back to `open` and writes what waits.
 * - `closed`: the final mode, entered by disposal after a last batch with a checkpoint. Changes are refused. Entries that
 *   could not be written remain as intents in the database, which the next start recovers.
 */
export class FileAuditTrail implements AuditTrail, AsyncDisposable {
  readonly #deps: FileAuditTrailDeps;
  #mode: 'open' | 'failing' | 'closed' = 'open';
  #pending: PendingEntry[] = [];
  /** Resolves when no batch is due; undefined while none is written. */
  #writing: Promise<void> | undefined;
  /** Set while `failing`. */
  #failure: Failure | undefined;
  readonly #refusals: RefusalAggregator;
  /** Entries dropped while `failing`. */
  #dropped = 0;
  /** The next batch ends with a checkpoint. */
  #isSignRequested = false;
  /** In the file, but possibly not on disk. */
  #undurable: WrittenLine[] = [];
  /** The next batch is synced to disk. */
  #isSyncRequested = false;
  #signedAt: number;
  #closing: Promise<void> | undefined;
  #isComplete = false;

  constructor(deps: FileAuditTrailDeps) {
    this.#deps = deps;
    this.#signedAt = deps.now();
    this.#refusals = new RefusalAggregator({ trail: this, makeId: deps.makeId, now: deps.now });
  }

  get chain(): string {
    return this.#deps.builder.head.chain;
  }

  /** True after a disposal that wrote every waiting entry. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** False while lines cannot be written. */
  get writable(): boolean {
    return this.#mode === 'open';
  }

  mustBeWritable(): void {
    if (!this.writable) throw auditUnavailable();
  }

  record(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.writable) {
        this.#pending.push({ entry, settle: { resolve, reject } });
        this.#wake();
      } else {
        // The change is committed: its line must be written, however many wait.
        this.#pending.push({ entry });
        reject(auditUnavailable());
      }
    });
  }

  note(entry: AuditEntry): void {
    if (!this.writable && this.#pending.length >= maxPending) {
      this.#dropped += 1;
      this.discard(entry);
      return;
    }
    this.#pending.push({ entry });
    this.#wake();
  }

  discard(intent: AuditIntent): void {
    this.#deps.release(intent);
  }

  recordRefusal(address: string, code: string): void {
    this.#refusals.add(address, code);
  }

  /** Settles when every entry so far is on disk, or cannot be written. */
  async settled(): Promise<void> {
    this.#isSyncRequested = this.#pending.length > 0 || this.#undurable.length > 0 || this.#writing !== undefined;
    this.#wake();
    while (this.#writing !== undefined && this.#isSyncRequested) await this.#writing;
    await this.#writing;
  }

  /** Once a second: retries a broken file, syncs the entries of reads to disk, signs a checkpoint when one is due. */
  async tick(): Promise<void> {
    this.#refusals.flush();
    if (this.#failure !== undefined) await this.#retry(this.#failure);
    const { now, builder } = this.#deps;
    if (builder.unsigned === 0) this.#signedAt = now();
    else if (now() - this.#signedAt >= checkpointMs) this.#sign();
    await this.settled();
  }

  /** Writes waiting entries, the end of the chain and a last checkpoint. Entries that cannot be written remain as intents in the database. */
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#refusals.flush(true);
    if (this.#failure !== undefined) await this.#retry(this.#failure);
    const { chain } = this;
    this.#pending.push({ entry: buildSystemEntry(this.#deps, chainActions.closed, chain, { chain }) });
    this.#sign();
    await this.settled();
    this.#isComplete = this.writable;
    if (!this.#isComplete)
      this.#deps.log('audit entries dropped at shutdown; the next start recovers those of changes', {
        lines: this.#pending.length,
      });
    this.#mode = 'closed';
    await this.#deps.file[Symbol.asyncDispose]();
  }

  /** Runs after this turn of the event loop, so that entries that arrive together share a batch. */
  #wake(): void {
    if (this.#writing !== undefined || !this.writable || !this.#isDue) return;
    const turn = new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#writing = turn
      .then(() => this.#drain())
      .finally(() => {
        this.#writing = undefined;
        this.#wake();
      });
  }

  get #isDue(): boolean {
    return this.#pending.length > 0 || this.#isSignRequested || this.#isSyncRequested;
  }

  /** Makes the next batch end with a checkpoint, if any entry is unsigned. */
  #sign(): void {
    this.#isSignRequested = true;
    this.#wake();
  }

  async #drain(): Promise<void> {
    while (this.writable && this.#isDue) {
      const entries = this.#pending.length <= maxBatch ? this.#pending : this.#pending.slice(0, maxBatch);
      this.#pending = entries === this.#pending ? [] : this.#pending.slice(maxBatch);
      const batch = this.#deps.builder.build(
        entries.map(({ entry }) => entry),
        this.#isSignRequested,
      );
      const durable =
        this.#isSignRequested || this.#isSyncRequested || entries.some(({ settle }) => settle !== undefined);
      if (this.#isSignRequested) this.#signedAt = this.#deps.now();
      this.#isSignRequested = false;
      this.#isSyncRequested = false;
      const waited = entries.flatMap(({ settle }) => (settle === undefined ? [] : [settle]));
      const failure = await this.#write(batch, durable);
      for (const { resolve, reject } of waited) {
        if (failure === undefined) resolve();
        else reject(failure);
      }
    }
  }

  /** @returns the error for its changes, when the batch could not be written */
  async #write(batch: AuditBatch, durable: boolean): Promise<DomainError | undefined> {
    const [first] = batch.lines;
    try {
      if (first !== undefined) await this.#deps.file.append(batch.text, first.seq, durable);
      else if (durable) await this.#deps.file.sync();
    } catch (error) {
      this.#fail(batch, error);
      return auditUnavailable(error);
    }
    this.#written(batch.lines, durable);
    return undefined;
  }

  #written(lines: readonly WrittenLine[], durable: boolean): void {
    if (!durable) {
      this.#undurable.push(...lines);
    } else if (this.#undurable.length === 0) {
      this.#deps.onWritten(lines);
    } else {
      this.#deps.onWritten([...this.#undurable, ...lines]);
      this.#undurable = [];
    }
  }

  #fail(batch: AuditBatch, error: unknown): void {
    this.#mode = 'failing';
    this.#failure = { batch, since: this.#deps.now() };
    this.#deps.log('failed to write the audit file; refusing changes until it is writable', error);
    const pending = this.#pending;
    this.#pending = pending.map(({ entry }) => ({ entry }));
    for (const { settle } of pending) settle?.reject(auditUnavailable(error));
  }

  async #retry({ batch, since }: Failure): Promise<void> {
    const { file, log } = this.#deps;
    try {
      await file.restore();
      const [first] = batch.lines;
      if (first !== undefined) await file.append(batch.text, first.seq, true);
    } catch (error) {
      log('failed to write the audit file again; still refusing changes', error);
      return;
    }
    this.#written(batch.lines, true);
    this.#mode = 'open';
    this.#failure = undefined;
    log('the audit file is writable again; accepting changes');
    this.#recordFailure(since);
    await this.settled();
  }

  #recordFailure(since: number): void {
    const { builder, now } = this.#deps;
    const period = { since: new Date(since).toISOString(), until: new Date(now()).toISOString() };
    const entries = [buildSystemEntry(this.#deps, chainActions.resumed, builder.head.chain, period)];
    if (this.#dropped > 0) {
      entries.push(
        buildSystemEntry(this.#deps, chainActions.overflow, builder.head.chain, { ...period, count: this.#dropped }),
      );
      this.#dropped = 0;
    }
    this.#pending.unshift(...entries.map((entry) => ({ entry })));
    this.#wake();
  }
}

/** The error for a change that cannot be audited now. choices-3. */
function auditUnavailable(cause?: unknown): DomainError {
  const message = 'The audit log cannot be written right now, so changes are refused. Retry shortly.';
  return unavailable('audit_unavailable', message, 2, cause);
}
