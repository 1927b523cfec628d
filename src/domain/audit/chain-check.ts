// Verifies a chain from its first line to its last, and stops at the first line that is not as it was written.
import {
  chainActions,
  checkpointEvery,
  noHash,
  type AuditLine,
  type ChainHead,
  type Checkpoint,
} from '../model/audit-line.ts';
import type { ChainSegment } from '../ports/audit-chain.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { isSignedBy } from './checkpoint.ts';
import { parseLine } from './parse-line.ts';

export interface BadLine {
  readonly path: string;
  /** Counts from 1 within its file. */
  readonly line: number;
  /** The sequence number expected there. */
  readonly seq: number;
  readonly reason: string;
}

export interface ChainReport {
  /** Undefined when even the first line cannot be parsed. */
  readonly chain: string | undefined;
  readonly ok: boolean;
  /** Lines that are as they were written. */
  readonly entries: number;
  /** The last of these lines. */
  readonly head: ChainHead | undefined;
  readonly checkpoints: number;
  /** True: it ends as a replica that stops gracefully leaves it. */
  readonly closed: boolean;
  readonly bad?: BadLine;
}

export interface ChainCheckOptions {
  /** The key that must have signed the checkpoints, base64 of 32 bytes; undefined: the one that the chain names. */
  readonly publicKey?: string | undefined;
  /** Expected hashes by sequence number: those in the database's copy. */
  readonly known?: ReadonlyMap<number, string> | undefined;
  /** The first sequence number, when only a part of a chain is checked. */
  readonly firstSeq?: number | undefined;
}

/** Checks a chain's files, oldest first. core-2.8, choices-3. */
export async function checkChain(
  segments: AsyncIterable<ChainSegment>,
  options: ChainCheckOptions = {},
): Promise<ChainReport> {
  const checker = new ChainChecker(options);
  for await (const segment of segments) {
    let line = 0;
    for await (const { bytes, complete } of byteLines(segment.bytes)) {
      line += 1;
      const reason = complete ? checker.checkNext(bytes) : 'it is incomplete: it has no line break';
      if (reason !== undefined) return checker.report({ path: segment.path, line, seq: checker.nextSeq, reason });
    }
    checker.lastPosition = { path: segment.path, line };
  }
  return checker.report(checker.findMissing());
}

class ChainChecker {
  readonly #options: ChainCheckOptions;
  nextSeq: number;
  lastPosition = { path: '', line: 0 };
  #hash: string;
  #chain: string | undefined;
  #key: string | undefined;
  #entries = 0;
  #checkpoints = 0;
  #sinceCheckpoint = 0;
  /** The action of the last entry that is no checkpoint. */
  #lastAction = '';

  constructor(options: ChainCheckOptions) {
    this.#options = options;
    this.nextSeq = options.firstSeq ?? 1;
    this.#hash = noHash;
    this.#key = options.publicKey;
  }

  get #isPart(): boolean {
    return (this.#options.firstSeq ?? 1) > 1 && this.#entries === 0;
  }

  /** @returns what is wrong with the next line; undefined: it is as it was written */
  checkNext(bytes: Buffer): string | undefined {
    const read = parseLine(bytes);
    if (typeof read === 'string') return read;
    const { entry } = read;
    if (entry.seq !== this.nextSeq) return `it is entry ${entry.seq}, but entry ${this.nextSeq} was expected here`;
    // The hash before the start of a part is unknown; the part's first checkpoint proves it.
    if (!this.#isPart && entry.prev_hash !== this.#hash) return 'it does not follow the line before it';
    const problem = this.#checkOpening(entry) ?? this.#checkCheckpoint(entry);
    if (problem !== undefined) return problem;
    const known = this.#options.known?.get(entry.seq);
    if (known !== undefined && known !== entry.hash) return 'the database has another entry with this number';
    this.#hash = entry.hash;
    this.#entries += 1;
    this.nextSeq += 1;
    return undefined;
  }

  #checkOpening(entry: AuditLine): string | undefined {
    if (entry.seq !== 1) return undefined;
    const { chain, key } = entry.metadata;
    if (entry.action !== chainActions.opened || typeof chain !== 'string' || typeof key !== 'string') {
      return 'the chain does not begin with an entry that names it';
    }
    this.#chain = chain;
    if (this.#key !== undefined && this.#key !== key) return 'the chain names another signing key';
    this.#key = key;
    return undefined;
  }

  #checkCheckpoint(entry: AuditLine): string | undefined {
    if (entry.action !== chainActions.checkpoint) {
      this.#sinceCheckpoint += 1;
      this.#lastAction = entry.action;
      return this.#sinceCheckpoint > checkpointEvery ? `${checkpointEvery} entries have no checkpoint` : undefined;
    }
    const checkpoint = parseCheckpoint(entry);
    if (checkpoint === undefined) return 'it is not a checkpoint';
    this.#chain ??= checkpoint.chain;
    this.#key ??= checkpoint.key;
    if (checkpoint.chain !== this.#chain || checkpoint.seq !== entry.seq - 1 || checkpoint.hash !== entry.prev_hash) {
      return 'the checkpoint does not match the chain before it';
    }
    if (!isSignedBy(this.#key, checkpoint)) return 'the checkpoint is not signed by the key';
    this.#sinceCheckpoint = 0;
    this.#checkpoints += 1;
    return undefined;
  }

  /** An entry that the database has and the file does not: the end of the file was cut off. */
  findMissing(): BadLine | undefined {
    const { path, line } = this.lastPosition;
    if (this.#entries === 0) return { path, line: line + 1, seq: this.nextSeq, reason: 'there are no entries' };
    let last = 0;
    for (const seq of this.#options.known?.keys() ?? []) last = Math.max(last, seq);
    if (last < this.nextSeq) return undefined;
    const reason = `entries are missing: the database has them up to ${last}`;
    return { path, line: line + 1, seq: this.nextSeq, reason };
  }

  report(bad: BadLine | undefined): ChainReport {
    const head =
      this.#entries === 0 ? undefined : { chain: this.#chain ?? '', seq: this.nextSeq - 1, hash: this.#hash };
    return {
      chain: this.#chain,
      ok: bad === undefined,
      entries: this.#entries,
      head,
      checkpoints: this.#checkpoints,
      closed: bad === undefined && this.#lastAction === chainActions.closed,
      bad,
    };
  }
}

/** The checkpoint in an entry; undefined where it has none. */
export function parseCheckpoint({ metadata }: Pick<AuditLine, 'metadata'>): Checkpoint | undefined {
  const { chain, seq, hash, at, key, signature } = metadata;
  const texts = [chain, hash, at, key, signature];
  if (typeof seq !== 'number' || !texts.every((text) => typeof text === 'string')) return undefined;
  return {
    chain: String(chain),
    seq,
    hash: String(hash),
    at: String(at),
    key: String(key),
    signature: String(signature),
  };
}
