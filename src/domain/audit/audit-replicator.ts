// Copies the chain into the database, for the tenants' view: in the background, many lines in a statement. The file is
// the record; lines that do not fit into memory are read from it.
import type { AuditIntent, IntentRow } from '../model/audit-entry.ts';
import { chainActions, type AuditLine, type ChainHead, type Checkpoint } from '../model/audit-line.ts';
import type { AuditLedger, ChainFile, CopyBatch } from '../ports/audit-chain.ts';
import type { WrittenLine } from './audit-batch.ts';
import { parseCheckpoint } from './chain-check.ts';
import { LineReader } from './line-reader.ts';

/** The fields of a line that the copy needs, from memory or from the file. */
interface ReplicaLine {
  readonly tenantId: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly seq: number;
  readonly hash: string;
  readonly text: string;
  readonly checkpoint: Checkpoint | undefined;
}

export interface AuditReplicatorDeps {
  readonly ledger: AuditLedger;
  readonly file: Pick<ChainFile, 'read'>;
  readonly chain: string;
  readonly log: (line: string, details?: unknown) => void;
}

/** Lines of one statement. */
const maxLines = 2_000;
/** Lines that wait in memory; the rest is read from the file. */
const maxWaiting = 20_000;
const pauseMs = 250;
const retryMs = 2_000;
/** Reads of the file before a line counts as missing. */
const maxMisses = 3;

/**
 * Copies lines in statements of many, one statement at a time.
 *
 * The replicator is always in one of these modes:
 *
 * - `idle`: the initial mode. Every line is copied.
 * - `scheduled`: lines wait, and a timer starts the copy, so that lines that arrive soon after each other share it.
 * - `copying`: statements run until every line is copied. Lines that arrive meanwhile are copied by them. A statement that
 *   fails moves the replicator to `uncertain`.
 * - `uncertain`: the last statement may be committed although its answer was lost. A timer starts the next copy, which asks
 *   the database first how far it has the chain: lines must not be repeated in other portions.
 * - `closed`: the final mode, entered by disposal after a last copy. Lines that it could not copy are copied by the next
 *   start, which finds them in the file.
 */
export class AuditReplicator implements AsyncDisposable {
  readonly #deps: AuditReplicatorDeps;
  readonly #file: LineReader;
  /** The sequence number of the last line in the database. */
  #copiedSeq: number;
  /** The sequence number of the last line in the file. */
  #writtenSeq: number;
  #mode: 'idle' | 'scheduled' | 'copying' | 'uncertain' | 'closed' = 'idle';
  /** Lines to copy, as far as they fit into memory. */
  #waiting: ReplicaLine[] = [];
  /** Rows of intents to delete: their lines are in the file. */
  #rows: IntentRow[] = [];
  /** Resolves when the statements have run; undefined unless `copying`. */
  #copying: Promise<void> | undefined;
  /** Set while `scheduled` or `uncertain`. */
  #timer: NodeJS.Timeout | undefined;
  /** Reads of the file in which the next line was missing. */
  #misses = 0;

  /** @param copiedSeq sequence number up to which the database has the chain already */
  constructor(deps: AuditReplicatorDeps, head: ChainHead, copiedSeq: number) {
    this.#deps = deps;
    this.#file = new LineReader(deps.file);
    this.#copiedSeq = copiedSeq;
    this.#writtenSeq = head.seq;
  }

  /** Adds lines that are in the file now. */
  enqueue(lines: readonly WrittenLine[]): void {
    for (const { entry, seq, hash, text, checkpoint } of lines) {
      this.#writtenSeq = seq;
      this.#waiting.push({
        tenantId: entry.tenantId,
        id: entry.id,
        at: entry.at,
        seq,
        hash,
        text,
        checkpoint,
      });
      this.#releaseRows(entry);
    }
    // The next start finds their intents: the file shows which ones have lines.
    if (this.#rows.length > maxWaiting) this.#rows = [];
    if (this.#waiting.length > maxWaiting) this.#waiting = [];
    this.#schedule();
  }

  /** Marks an intent that gets no line. */
  release(intent: AuditIntent): void {
    this.#releaseRows(intent);
    if (this.#rows.length > 0) this.#schedule();
  }

  #releaseRows({ trace }: AuditIntent): void {
    for (const row of trace.rows) {
      row.pending -= 1;
      if (row.pending <= 0) this.#rows.push(row);
    }
  }

  /** Settles when every line so far is copied, or cannot be. */
  async settled(): Promise<void> {
    await this.#copying;
    await this.#copy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settled();
    this.#mode = 'closed';
    clearTimeout(this.#timer);
    await this.#file[Symbol.asyncDispose]();
  }

  #schedule(): void {
    if (this.#mode === 'idle') this.#enter('scheduled', pauseMs);
  }

  #enter(mode: 'scheduled' | 'uncertain', delayMs: number): void {
    this.#mode = mode;
    // Owned: #copy never rejects.
    this.#timer = setTimeout(() => void this.#copy(), delayMs).unref();
  }

  #copy(): Promise<void> {
    return (this.#copying ??= this.#copyAll().finally(() => {
      this.#copying = undefined;
    }));
  }

  async #copyAll(): Promise<void> {
    const isUncertain = this.#mode === 'uncertain';
    clearTimeout(this.#timer);
    this.#mode = 'copying';
    try {
      if (isUncertain) await this.#skipCopied();
      while (this.#copiedSeq < this.#writtenSeq || this.#rows.length > 0) await this.#copyNext();
      this.#mode = 'idle';
    } catch (error) {
      this.#deps.log('failed to copy the audit log to the database; will retry', error);
      this.#enter('uncertain', retryMs);
    }
  }

  async #skipCopied(): Promise<void> {
    this.#copiedSeq = Math.max(this.#copiedSeq, (await this.#deps.ledger.findCopiedHead(this.#deps.chain))?.seq ?? 0);
    this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#copiedSeq);
  }

  async #copyNext(): Promise<void> {
    if (this.#copiedSeq < this.#writtenSeq && this.#waiting[0]?.seq !== this.#copiedSeq + 1) await this.#readBacklog();
    const lines = takeContiguous(this.#waiting, maxLines);
    const rows = this.#rows;
    this.#rows = [];
    const checkpoints = lines.flatMap(({ checkpoint }) => checkpoint ?? []);
    try {
      await this.#deps.ledger.copy(this.#deps.chain, buildCopyBatches(lines), checkpoints, rows);
    } catch (error) {
      this.#rows.push(...rows);
      throw error;
    }
    this.#copiedSeq = lines.at(-1)?.seq ?? this.#copiedSeq;
    // Lines that did not fit into memory meanwhile are not in the queue.
    this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#copiedSeq);
  }

  /** Reads the lines after the copy from the file, in place of the queue. */
  async #readBacklog(): Promise<void> {
    const from = this.#copiedSeq + 1;
    const read = await this.#file.readFrom(from, maxLines);
    const backlog = read.map(({ entry, text }) => toReplicaLine(entry, text));
    if (backlog.length === 0) {
      // The file may just have been full and renamed.
      this.#misses += 1;
      if (this.#misses < maxMisses) throw new Error(`entry ${from} is missing from the audit file`);
      // Someone changed the file: a verification names the place, and the copy continues after it.
      this.#deps.log('entries are missing from the audit file; copying continues after them, run a verification', {
        seq: from,
      });
      this.#copiedSeq = (this.#waiting[0]?.seq ?? this.#writtenSeq + 1) - 1;
      return;
    }
    this.#misses = 0;
    const last = backlog.at(-1)?.seq ?? 0;
    this.#waiting = [...backlog, ...this.#waiting.filter(({ seq }) => seq > last)];
  }
}

/** The first lines without a gap: lines after those read from the file may have been dropped. */
function takeContiguous(lines: readonly ReplicaLine[], limit: number): ReplicaLine[] {
  const first = lines[0]?.seq ?? 0;
  const gap = lines.findIndex(({ seq }, i) => i === limit || seq !== first + i);
  return lines.slice(0, gap === -1 ? limit : gap);
}

function toReplicaLine(entry: AuditLine, text: string): ReplicaLine {
  const { tenant_id: tenantId, id, timestamp, seq, hash } = entry;
  const checkpoint = entry.action === chainActions.checkpoint ? parseCheckpoint(entry) : undefined;
  return { tenantId, id, at: Date.parse(timestamp), seq, hash, text, checkpoint };
}

/** Groups lines by tenant, in the order of tenants: two replicas insert in the same order. */
function buildCopyBatches(lines: readonly ReplicaLine[]): CopyBatch[] {
  const byTenant = new Map<string, ReplicaLine[]>();
  for (const line of lines) {
    const sameTenant = byTenant.get(line.tenantId);
    if (sameTenant === undefined) byTenant.set(line.tenantId, [line]);
    else sameTenant.push(line);
  }
  return [...byTenant]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([tenantId, tenantLines]) => {
      const [first] = tenantLines;
      const last = tenantLines.at(-1);
      return first === undefined || last === undefined ? [] : [buildCopyBatch(tenantId, tenantLines, first, last)];
    });
}

function buildCopyBatch(
  tenantId: string,
  lines: readonly ReplicaLine[],
  first: ReplicaLine,
  last: ReplicaLine,
): CopyBatch {
  let [firstId, lastId, earliest, latest] = [first.id, first.id, first.at, first.at];
  for (const { id, at } of lines) {
    if (id < firstId) firstId = id;
    if (id > lastId) lastId = id;
    if (at < earliest) earliest = at;
    if (at > latest) latest = at;
  }
  const [from, to] = [new Date(earliest).toISOString(), new Date(latest).toISOString()];
  const entries = `[${lines.map(({ text }) => text).join(',')}]`;
  return { tenantId, firstSeq: first.seq, lastSeq: last.seq, lastHash: last.hash, firstId, lastId, from, to, entries };
}
