// The trail: entries become lines of the file, in batches that gather while the last one is written. A change's
// promise settles when its line is on disk. While the file cannot be written changes are refused, looks go on, and
// what waits is written once the file can be written again: nothing needs a restart.
import type { AuditEntry, AuditIntent } from '../model/audit-entry.ts';
import { chainActions } from '../model/audit-line.ts';
import { unavailable, type DomainError } from '../model/errors.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { ChainFile } from '../ports/store/audit-chain.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { buildSystemEntry, type AuditBatch, type AuditBatchBuilder, type WrittenLine } from './audit-batch.ts';
import { RefusalAggregator } from './refusal-aggregator.ts';

export interface FileAuditTrailDeps {
  readonly file: ChainFile;
  readonly builder: AuditBatchBuilder;
  readonly makeId: MakeId;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** Takes lines that are on disk. */
  readonly onWritten: (lines: readonly WrittenLine[]) => void;
  readonly release: (intent: AuditIntent) => void;
}

interface PendingEntry {
  readonly entry: AuditEntry;
  /** Of a change that waits for its line. */
  readonly settle?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

const maxBatch = 1_000;
/** Entries of looks that are kept while the file cannot be written. */
const maxPending = 10_000;
/** Milliseconds between checkpoints while anything is written. */
const checkpointMs = 60_000;

export class FileAuditTrail implements AuditTrail, AsyncDisposable {
  readonly #deps: FileAuditTrailDeps;
  #pending: PendingEntry[] = [];
  #writing: Promise<void> | undefined;
  /** Rendered, and not all of it on disk: its lines have their numbers, so it goes first. */
  #failedBatch: AuditBatch | undefined;
  #failingSince: number | undefined;
  readonly #refusals: RefusalAggregator;
  #dropped = 0;
  #isSignRequested = false;
  /** In the file, and not on disk for sure. */
  #undurable: WrittenLine[] = [];
  #isSyncRequested = false;
  #signedAt: number;
  #closed = false;

  constructor(deps: FileAuditTrailDeps) {
    this.#deps = deps;
    this.#signedAt = deps.now();
    this.#refusals = new RefusalAggregator({ trail: this, makeId: deps.makeId, now: deps.now });
  }

  get chain(): string {
    return this.#deps.builder.head.chain;
  }

  /** False while lines cannot be written. */
  get writable(): boolean {
    return this.#failingSince === undefined;
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
        // It is done and committed: its line is owed, whatever waits.
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

  /** Settles when all that was given so far is on disk, or cannot be. */
  async settled(): Promise<void> {
    this.#isSyncRequested = this.#pending.length > 0 || this.#undurable.length > 0 || this.#writing !== undefined;
    this.#wake();
    while (this.#writing !== undefined && this.#isSyncRequested) await this.#writing;
    await this.#writing;
  }

  /** Once a second: tries a broken file again, brings looks to disk, signs what was written since the checkpoint. */
  async tick(): Promise<void> {
    this.#refusals.flush();
    if (!this.writable) await this.#retry();
    const { now, builder } = this.#deps;
    if (builder.unsigned === 0) this.#signedAt = now();
    else if (now() - this.#signedAt >= checkpointMs) this.#sign();
    await this.settled();
  }

  /** Writes what waits and a last checkpoint. What cannot be written is left to the intents in the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#refusals.flush(true);
    if (!this.writable) await this.#retry();
    this.#sign();
    await this.settled();
    if (!this.writable) this.#deps.log('audit lines were left unwritten', { lines: this.#pending.length });
    await this.#deps.file[Symbol.asyncDispose]();
  }

  /** After this turn of the event loop, so that what arrived together goes together. */
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

  /** Lets the next batch end with a checkpoint, if anything is unsigned. */
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

  /** @returns the refusal that changes in it get, when it could not be written */
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
    this.#failedBatch = batch;
    this.#failingSince = this.#deps.now();
    this.#deps.log('the audit file cannot be written: changes are refused until it can', error);
    const pending = this.#pending;
    this.#pending = pending.map(({ entry }) => ({ entry }));
    for (const { settle } of pending) settle?.reject(auditUnavailable(error));
  }

  async #retry(): Promise<void> {
    const { file, log, now } = this.#deps;
    const failedBatch = this.#failedBatch;
    const since = this.#failingSince ?? now();
    try {
      await file.restore();
      const [first] = failedBatch?.lines ?? [];
      if (failedBatch !== undefined && first !== undefined) await file.append(failedBatch.text, first.seq, true);
    } catch (error) {
      log('the audit file still cannot be written', error);
      return;
    }
    this.#written(failedBatch?.lines ?? [], true);
    this.#failedBatch = undefined;
    this.#failingSince = undefined;
    log('the audit file can be written again');
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

/** What a change is told that cannot be audited now. choices-3. */
function auditUnavailable(cause?: unknown): DomainError {
  const message = 'The audit cannot be written right now, so nothing may be changed. Try again shortly.';
  return unavailable('audit_unavailable', message, 2, cause);
}
