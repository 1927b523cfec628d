// The database's copy of the chain, which the tenants' view reads: made in the background, many lines in a statement.
// What could not be kept in memory meanwhile is read from the file: the file is the record, the copy follows it.
import type { AuditIntent, IntentRow } from '../model/audit-entry.ts';
import { chainActions, type AuditLine, type ChainHead, type Checkpoint } from '../model/audit-line.ts';
import type { AuditLedger, ChainFile, CopyBatch } from '../ports/store/audit-chain.ts';
import type { WrittenLine } from './audit-batch.ts';
import { parseCheckpoint } from './chain-check.ts';
import { LineReader } from './line-reader.ts';

/** What the copy needs of a line, wherever it comes from. */
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
/** Lines that wait in memory; beyond that the file has them. */
const maxWaiting = 20_000;
const pauseMs = 250;
const retryMs = 2_000;
/** Looks for a line in the file before it counts as gone. */
const maxMisses = 3;

export class AuditReplicator implements AsyncDisposable {
  readonly #deps: AuditReplicatorDeps;
  readonly #file: LineReader;
  /** The last line that the database has. */
  #copiedSeq: number;
  /** The last line that the file has. */
  #writtenSeq: number;
  #waiting: ReplicaLine[] = [];
  #rows: IntentRow[] = [];
  #copying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #misses = 0;
  #isCopyUncertain = false;
  #closed = false;

  /** @param copiedSeq sequence number up to which the database has the chain already */
  constructor(deps: AuditReplicatorDeps, head: ChainHead, copiedSeq: number) {
    this.#deps = deps;
    this.#file = new LineReader(deps.file);
    this.#copiedSeq = copiedSeq;
    this.#writtenSeq = head.seq;
  }

  /** Lines that are in the file now. */
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
    // What hangs on them is found by the next start: the file says what was filed.
    if (this.#rows.length > maxWaiting) this.#rows = [];
    if (this.#waiting.length > maxWaiting) this.#waiting = [];
    this.#schedule(pauseMs);
  }

  /** An intent that gets no line. */
  release(intent: AuditIntent): void {
    this.#releaseRows(intent);
    if (this.#rows.length > 0) this.#schedule(pauseMs);
  }

  #releaseRows({ trace }: AuditIntent): void {
    for (const row of trace.rows) {
      row.pending -= 1;
      if (row.pending <= 0) this.#rows.push(row);
    }
  }

  /** Settles when everything filed so far is copied, or cannot be. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#copying;
    await this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.settled();
    clearTimeout(this.#timer);
    await this.#file[Symbol.asyncDispose]();
  }

  #schedule(delayMs: number): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // Owned: #run never rejects.
      void this.#run();
    }, delayMs);
    this.#timer.unref();
  }

  #run(): Promise<void> {
    return (this.#copying ??= this.#copyAll().finally(() => {
      this.#copying = undefined;
    }));
  }

  async #copyAll(): Promise<void> {
    try {
      while (this.#copiedSeq < this.#writtenSeq || this.#rows.length > 0) await this.#copyNext();
    } catch (error) {
      this.#isCopyUncertain = true;
      this.#deps.log('the copy of the audit in the database is behind; it tries again', error);
      this.#schedule(retryMs);
    }
  }

  async #copyNext(): Promise<void> {
    if (this.#isCopyUncertain) {
      // The answer to a copy was lost, and not the copy: it must not be made again in other portions.
      this.#copiedSeq = Math.max(this.#copiedSeq, (await this.#deps.ledger.findCopiedHead(this.#deps.chain))?.seq ?? 0);
      this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#copiedSeq);
      this.#isCopyUncertain = false;
    }
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
    // What was dropped for want of room meanwhile is not there to be taken away.
    this.#waiting = this.#waiting.filter(({ seq }) => seq > this.#copiedSeq);
  }

  /** Fetches the lines that follow the copy from the file, in place of what waits. */
  async #readBacklog(): Promise<void> {
    const from = this.#copiedSeq + 1;
    const read = await this.#file.readFrom(from, maxLines);
    const backlog = read.map(({ entry, text }) => toReplicaLine(entry, text));
    if (backlog.length === 0) {
      // Perhaps the file was full just now and got another name.
      this.#misses += 1;
      if (this.#misses < maxMisses) throw new Error(`entry ${from} was not found in the audit file`);
      // Somebody has changed the file: verifying names the place, and the copy goes on behind it.
      this.#deps.log('the audit file lacks entries that were written to it; verify it', { seq: from });
      this.#copiedSeq = (this.#waiting[0]?.seq ?? this.#writtenSeq + 1) - 1;
      return;
    }
    this.#misses = 0;
    const last = backlog.at(-1)?.seq ?? 0;
    this.#waiting = [...backlog, ...this.#waiting.filter(({ seq }) => seq > last)];
  }
}

/** The first lines that follow each other: behind what was read from the file, more may have been dropped. */
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

/** By tenant, in the order of tenants: two replicas insert in the same order. */
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
