// The verb verify: checks every known chain against its files, its signatures and the database. choices-3.
import { chainActions, type AuditLine, type ChainHead, type Checkpoint } from '../model/audit-line.ts';
import type { AuditLedger, ChainFile, KnownChain } from '../ports/audit-chain.ts';
import { checkChain, type BadLine, type ChainReport } from './chain-check.ts';
import { byteLines } from '../../lib/text/byte-lines.ts';
import { isSignedBy } from './checkpoint.ts';
import { parseLine } from './parse-line.ts';

export interface VerifiedChain {
  readonly chain: string;
  readonly ok: boolean;
  readonly entries: number;
  /** Hash of the last valid entry. */
  readonly head: string | undefined;
  /** `file`: files and database; `database`: the database alone, because the files are on another machine. */
  readonly checked: 'file' | 'database';
  readonly bad?: Pick<BadLine, 'seq' | 'reason'> & Partial<BadLine>;
}

export interface VerifyDeps {
  readonly ledger: AuditLedger;
  readonly file: Pick<ChainFile, 'read' | 'holds'>;
  readonly chain: string;
  readonly publicKey: string;
  /** The path of this replica's file, as the database has it. */
  readonly location: string;
}

const pageSize = 5_000;

/** This replica's chain is first. @throws DomainError unavailable when the database is unreachable */
export async function verifyChains(deps: VerifyDeps): Promise<VerifiedChain[]> {
  const known = await deps.ledger.chains();
  const ownChain = known.find(({ chain }) => chain === deps.chain);
  const followed = await findFollowed(deps.file);
  const first = await verifyFiles(deps, {
    chain: deps.chain,
    publicKey: deps.publicKey,
    seq: ownChain?.seq,
    hash: ownChain?.hash,
  });
  const others: VerifiedChain[] = [];
  for (const other of known) {
    if (other.chain === deps.chain) continue;
    const isHere = other.file === deps.location || (await deps.file.holds(other.chain));
    others.push(isHere ? await verifyFiles(deps, other, followed) : await verifyCopy(deps.ledger, other));
  }
  return [first, ...others];
}

/** Reads the database before the file: the database never has more than is on disk. */
async function verifyFiles(
  { ledger, file }: VerifyDeps,
  expected: { chain: string; publicKey: string; seq: number | undefined; hash: string | undefined },
  followed?: ChainHead,
): Promise<VerifiedChain> {
  const { chain, publicKey, seq, hash } = expected;
  const known = new Map<number, string>();
  const forged = await forEachCheckpoint(ledger, chain, publicKey, (one) => known.set(one.seq, one.hash));
  if (seq !== undefined && seq > 0 && hash !== undefined) known.set(seq, hash);
  // The chain that follows it names an entry that its files must have.
  if (followed?.chain === chain) known.set(followed.seq, followed.hash);
  const report = await checkChain(file.read({ chain }), { publicKey, known });
  return toVerifiedChain(chain, 'file', report, forged);
}

/** The chain that this replica's own chain follows since a restore, up to the entry that its first line names. */
async function findFollowed(file: Pick<ChainFile, 'read'>): Promise<ChainHead | undefined> {
  for await (const segment of file.read()) {
    for await (const { bytes } of byteLines(segment.bytes)) {
      const read = parseLine(bytes);
      return typeof read === 'string' ? undefined : followedChain(read.entry);
    }
  }
  return undefined;
}

/** The chain that an opening entry names because of a restore; undefined: it names none. */
export function followedChain({ action, metadata }: AuditLine): ChainHead | undefined {
  const { after, after_seq: seq, after_hash: hash, because } = metadata;
  if (action !== chainActions.opened || because !== 'restored') return undefined;
  return typeof after === 'string' && typeof seq === 'number' && typeof hash === 'string'
    ? { chain: after, seq, hash }
    : undefined;
}

function toVerifiedChain(
  chain: string,
  checked: VerifiedChain['checked'],
  { ok, entries, head, bad }: ChainReport,
  forged: VerifiedChain['bad'],
): VerifiedChain {
  const wrong = bad ?? forged;
  return {
    chain,
    ok: ok && forged === undefined,
    entries,
    head: head?.hash,
    checked,
    bad: wrong,
  };
}

/** A closed chain whose copy is whole does not change any more: it is verified once. */
async function verifyCopy(ledger: AuditLedger, known: KnownChain): Promise<VerifiedChain> {
  const { closed } = known;
  const isWhole = closed !== undefined && closed.seq === known.seq && closed.hash === known.hash;
  if (known.sealed && isWhole) {
    return { chain: known.chain, ok: true, entries: known.seq, head: known.hash, checked: 'database' };
  }
  let last: Checkpoint | undefined;
  const forged = await forEachCheckpoint(ledger, known.chain, known.publicKey, (one) => {
    last = one;
  });
  const behind = last !== undefined && last.seq > known.seq;
  const cut = behind
    ? { seq: known.seq + 1, reason: `the copy ends before the checkpoint of ${last?.seq}` }
    : undefined;
  const notWhole = closed === undefined || isWhole ? undefined : { seq: known.seq + 1, reason: describeLoss(known) };
  const bad = forged ?? cut ?? notWhole;
  if (bad === undefined && isWhole) await ledger.sealChain(known);
  const { chain, seq, hash } = known;
  const found = { chain, ok: bad === undefined, entries: seq, head: hash === '' ? undefined : hash };
  return { ...found, checked: 'database', bad };
}

function describeLoss({ seq, closed }: KnownChain): string {
  const last = closed?.seq ?? 0;
  return last > seq
    ? `the copy ends before the end of the closed chain, ${last}`
    : 'the copy is not the chain that was closed';
}

/** @returns the first checkpoint in the database that the key did not sign */
async function forEachCheckpoint(
  ledger: AuditLedger,
  chain: string,
  publicKey: string,
  onCheckpoint: (checkpoint: Checkpoint) => unknown,
): Promise<VerifiedChain['bad']> {
  let after = 0;
  for (;;) {
    const checkpoints = await ledger.checkpoints(chain, after, pageSize);
    for (const one of checkpoints) {
      after = one.seq;
      if (!isSignedBy(publicKey, one)) {
        return { seq: one.seq, reason: 'the database has a checkpoint that the key did not sign' };
      }
      onCheckpoint(one);
    }
    if (checkpoints.length < pageSize) return undefined;
  }
}
