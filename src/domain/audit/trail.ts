// The trail: entries become lines of the file, in batches that gather while the last one is written. A change's
// promise settles when its line is on disk. While the file cannot be written changes are refused, looks go on, and
// what waits is written once the file can be written again: nothing needs a restart.
import type { AuditEntry, AuditIntent } from '../model/audit-entry.ts';
import { chainActions } from '../model/audit-line.ts';
import { unavailable, type DomainError } from '../model/errors.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { ChainFile } from '../ports/store/audit-chain.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import { ownEntry, type Batch, type BatchMaker, type FiledLine } from './batch.ts';
import { RefusalFolds } from './refusals.ts';

export interface TrailDeps {
  readonly file: ChainFile;
  readonly maker: BatchMaker;
  readonly makeId: MakeId;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** Takes lines that are on disk. */
  readonly filed: (lines: readonly FiledLine[]) => void;
  readonly release: (intent: AuditIntent) => void;
}

interface Waiting {
  readonly entry: AuditEntry;
  /** Of a change that waits for its line. */
  readonly settle?: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
}

const maxBatch = 1_000;
/** Entries of looks that are kept while the file cannot be written. */
const maxKept = 10_000;
/** Milliseconds between checkpoints while anything is written. */
const checkpointMs = 60_000;

export class FileTrail implements AuditTrail, AsyncDisposable {
  readonly #deps: TrailDeps;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  /** Rendered, and not all of it on disk: its lines have their numbers, so it goes first. */
  #stuck: Batch | undefined;
  #failingSince: number | undefined;
  readonly #refusals: RefusalFolds;
  #dropped = 0;
  #signs = false;
  /** In the file, and not on disk for sure. */
  #undurable: FiledLine[] = [];
  #syncs = false;
  #signedAt: number;
  #closed = false;

  constructor(deps: TrailDeps) {
    this.#deps = deps;
    this.#signedAt = deps.now();
    this.#refusals = new RefusalFolds({ trail: this, makeId: deps.makeId, now: deps.now });
  }

  get chain(): string {
    return this.#deps.maker.head.chain;
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
        this.#waiting.push({ entry, settle: { resolve, reject } });
        this.#wake();
      } else {
        // It is done and committed: its line is owed, whatever waits.
        this.#waiting.push({ entry });
        reject(auditUnavailable());
      }
    });
  }

  note(entry: AuditEntry): void {
    if (!this.writable && this.#waiting.length >= maxKept) {
      this.#dropped += 1;
      this.forget(entry);
      return;
    }
    this.#waiting.push({ entry });
    this.#wake();
  }

  forget(intent: AuditIntent): void {
    this.#deps.release(intent);
  }

  refused(address: string, code: string): void {
    this.#refusals.add(address, code);
  }

  /** Settles when all that was given so far is on disk, or cannot be. */
  async settled(): Promise<void> {
    this.#syncs = this.#waiting.length > 0 || this.#undurable.length > 0 || this.#writing !== undefined;
    this.#wake();
    while (this.#writing !== undefined && this.#syncs) await this.#writing;
    await this.#writing;
  }

  /** Once a second: tries a broken file again, brings looks to disk, signs what was written since the checkpoint. */
  async tick(): Promise<void> {
    this.#refusals.flush();
    if (!this.writable) await this.#tryAgain();
    const { now, maker } = this.#deps;
    if (maker.unsigned === 0) this.#signedAt = now();
    else if (now() - this.#signedAt >= checkpointMs) this.#sign();
    await this.settled();
  }

  /** Writes what waits and a last checkpoint. What cannot be written is left to the intents in the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#refusals.flush(true);
    if (!this.writable) await this.#tryAgain();
    this.#sign();
    await this.settled();
    if (!this.writable) this.#deps.log('audit lines were left unwritten', { lines: this.#waiting.length });
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
    return this.#waiting.length > 0 || this.#signs || this.#syncs;
  }

  /** Lets the next batch end with a checkpoint, if anything is unsigned. */
  #sign(): void {
    this.#signs = true;
    this.#wake();
  }

  async #drain(): Promise<void> {
    while (this.writable && this.#isDue) {
      const taken = this.#waiting.length <= maxBatch ? this.#waiting : this.#waiting.slice(0, maxBatch);
      this.#waiting = taken === this.#waiting ? [] : this.#waiting.slice(maxBatch);
      const batch = this.#deps.maker.make(
        taken.map(({ entry }) => entry),
        this.#signs,
      );
      const durable = this.#signs || this.#syncs || taken.some(({ settle }) => settle !== undefined);
      if (this.#signs) this.#signedAt = this.#deps.now();
      this.#signs = false;
      this.#syncs = false;
      const waited = taken.flatMap(({ settle }) => (settle === undefined ? [] : [settle]));
      const failure = await this.#write(batch, durable);
      for (const { resolve, reject } of waited) {
        if (failure === undefined) resolve();
        else reject(failure);
      }
    }
  }

  /** @returns the refusal that changes in it get, when it could not be written */
  async #write(batch: Batch, durable: boolean): Promise<DomainError | undefined> {
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

  #written(lines: readonly FiledLine[], durable: boolean): void {
    if (!durable) {
      this.#undurable.push(...lines);
    } else if (this.#undurable.length === 0) {
      this.#deps.filed(lines);
    } else {
      this.#deps.filed([...this.#undurable, ...lines]);
      this.#undurable = [];
    }
  }

  #fail(batch: Batch, error: unknown): void {
    this.#stuck = batch;
    this.#failingSince = this.#deps.now();
    this.#deps.log('the audit file cannot be written: changes are refused until it can', error);
    const owed = this.#waiting;
    this.#waiting = owed.map(({ entry }) => ({ entry }));
    for (const { settle } of owed) settle?.reject(auditUnavailable(error));
  }

  async #tryAgain(): Promise<void> {
    const { file, log, now } = this.#deps;
    const stuck = this.#stuck;
    const since = this.#failingSince ?? now();
    try {
      await file.restore();
      const [first] = stuck?.lines ?? [];
      if (stuck !== undefined && first !== undefined) await file.append(stuck.text, first.seq, true);
    } catch (error) {
      log('the audit file still cannot be written', error);
      return;
    }
    this.#written(stuck?.lines ?? [], true);
    this.#stuck = undefined;
    this.#failingSince = undefined;
    log('the audit file can be written again');
    this.#tellOfFailure(since);
    await this.settled();
  }

  #tellOfFailure(since: number): void {
    const { maker, now } = this.#deps;
    const facts = { since: new Date(since).toISOString(), until: new Date(now()).toISOString() };
    const entries = [ownEntry(this.#deps, chainActions.resumed, maker.head.chain, facts)];
    if (this.#dropped > 0) {
      entries.push(ownEntry(this.#deps, chainActions.overflow, maker.head.chain, { ...facts, count: this.#dropped }));
      this.#dropped = 0;
    }
    this.#waiting.unshift(...entries.map((entry) => ({ entry })));
    this.#wake();
  }
}

/** What a change is told that cannot be audited now. choices §3. */
function auditUnavailable(cause?: unknown): DomainError {
  const message = 'The audit cannot be written right now, so nothing may be changed. Try again shortly.';
  return unavailable('audit_unavailable', message, 2, cause);
}
