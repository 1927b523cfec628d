// Walks a chain from its first line to its last, and stops at the first that is not as it was written.
import {
  chainActions,
  checkpointEvery,
  noHash,
  type AuditLine,
  type ChainHead,
  type Checkpoint,
} from '../model/audit-line.ts';
import type { ChainSegment } from '../ports/store/audit-chain.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { isSignedBy } from './checkpoint.ts';
import { readLine } from './read-line.ts';

export interface BadLine {
  readonly path: string;
  /** Counts from 1 within its file. */
  readonly line: number;
  /** The sequence number that was to stand there. */
  readonly seq: number;
  readonly reason: string;
}

export interface ChainReport {
  /** Undefined when not even its first line can be read. */
  readonly chain: string | undefined;
  readonly ok: boolean;
  /** Lines that are as they were written. */
  readonly entries: number;
  /** The last of them. */
  readonly head: ChainHead | undefined;
  readonly checkpoints: number;
  readonly bad?: BadLine;
}

export interface ChainDemands {
  /** The key that must have signed its checkpoints, base64 of 32 bytes; undefined: the one that it names itself. */
  readonly publicKey?: string | undefined;
  /** Hashes that must stand at these sequence numbers: what the database knows of the chain. */
  readonly known?: ReadonlyMap<number, string> | undefined;
  /** Where a part of a chain begins, if it is to be checked alone. */
  readonly firstSeq?: number | undefined;
}

/** Checks a chain's files, oldest first. document 1 §2.8, choices §3. */
export async function checkChain(
  segments: AsyncIterable<ChainSegment>,
  demands: ChainDemands = {},
): Promise<ChainReport> {
  const walk = new ChainWalk(demands);
  for await (const segment of segments) {
    let line = 0;
    for await (const { bytes, whole } of byteLines(segment.bytes)) {
      line += 1;
      const reason = whole ? walk.take(bytes) : 'it is not whole: it has no line break';
      if (reason !== undefined) return walk.report({ path: segment.path, line, seq: walk.nextSeq, reason });
    }
    walk.lastPlace = { path: segment.path, line };
  }
  return walk.report(walk.missing());
}

class ChainWalk {
  readonly #demands: ChainDemands;
  nextSeq: number;
  lastPlace = { path: '', line: 0 };
  #hash: string;
  #chain: string | undefined;
  #key: string | undefined;
  #entries = 0;
  #checkpoints = 0;
  #sinceCheckpoint = 0;

  constructor(demands: ChainDemands) {
    this.#demands = demands;
    this.nextSeq = demands.firstSeq ?? 1;
    this.#hash = noHash;
    this.#key = demands.publicKey;
  }

  get #isPart(): boolean {
    return (this.#demands.firstSeq ?? 1) > 1 && this.#entries === 0;
  }

  /** @returns what is wrong with the next line; undefined: it is the one that was written */
  take(bytes: Buffer): string | undefined {
    const read = readLine(bytes);
    if (typeof read === 'string') return read;
    const { entry } = read;
    if (entry.seq !== this.nextSeq) return `it is entry ${entry.seq}, and entry ${this.nextSeq} was to stand here`;
    // Nobody can say what stood before a part of a chain; its first checkpoint does.
    if (!this.#isPart && entry.prev_hash !== this.#hash) return 'it does not follow the line before it';
    const wrong = this.#openedBy(entry) ?? this.#stated(entry);
    if (wrong !== undefined) return wrong;
    const known = this.#demands.known?.get(entry.seq);
    if (known !== undefined && known !== entry.hash) return 'the database knows another entry of this number';
    this.#hash = entry.hash;
    this.#entries += 1;
    this.nextSeq += 1;
    return undefined;
  }

  #openedBy(entry: AuditLine): string | undefined {
    if (entry.seq !== 1) return undefined;
    const { chain, key } = entry.metadata;
    if (entry.action !== chainActions.opened || typeof chain !== 'string' || typeof key !== 'string') {
      return 'the chain does not begin with its name';
    }
    this.#chain = chain;
    if (this.#key !== undefined && this.#key !== key) return 'the chain names another signing key';
    this.#key = key;
    return undefined;
  }

  #stated(entry: AuditLine): string | undefined {
    if (entry.action !== chainActions.checkpoint) {
      this.#sinceCheckpoint += 1;
      return this.#sinceCheckpoint > checkpointEvery ? `${checkpointEvery} entries have no checkpoint` : undefined;
    }
    const stated = checkpointIn(entry);
    if (stated === undefined) return 'it is no checkpoint';
    this.#chain ??= stated.chain;
    this.#key ??= stated.key;
    if (stated.chain !== this.#chain || stated.seq !== entry.seq - 1 || stated.hash !== entry.prev_hash) {
      return 'the checkpoint states another chain than it stands in';
    }
    if (!isSignedBy(this.#key, stated)) return 'the checkpoint has not the signature of the key';
    this.#sinceCheckpoint = 0;
    this.#checkpoints += 1;
    return undefined;
  }

  /** What the database knows and the file has no more: a cut tail. */
  missing(): BadLine | undefined {
    const { path, line } = this.lastPlace;
    if (this.#entries === 0) return { path, line: line + 1, seq: this.nextSeq, reason: 'there is no entry' };
    let last = 0;
    for (const seq of this.#demands.known?.keys() ?? []) last = Math.max(last, seq);
    if (last < this.nextSeq) return undefined;
    const reason = `entries are missing: the database knows them up to ${last}`;
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
      ...(bad === undefined ? {} : { bad }),
    };
  }
}

/** The checkpoint that an entry states; undefined where it states none. */
export function checkpointIn({ metadata }: Pick<AuditLine, 'metadata'>): Checkpoint | undefined {
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
