// The verb verify: checks every known chain against its files, its signatures and the database. choices-3.
import type { Checkpoint } from '../model/audit-line.ts';
import type { AuditLedger, ChainFile, KnownChain } from '../ports/audit-chain.ts';
import { checkChain, type BadLine, type ChainReport } from './chain-check.ts';
import { isSignedBy } from './checkpoint.ts';

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
  readonly file: Pick<ChainFile, 'read'>;
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
  const first = await verifyFiles(deps, {
    chain: deps.chain,
    publicKey: deps.publicKey,
    seq: ownChain?.seq,
    hash: ownChain?.hash,
  });
  const others: VerifiedChain[] = [];
  for (const other of known) {
    if (other.chain === deps.chain) continue;
    others.push(other.file === deps.location ? await verifyFiles(deps, other) : await verifyCopy(deps.ledger, other));
  }
  return [first, ...others];
}

/** Reads the database before the file: the database never has more than is on disk. */
async function verifyFiles(
  { ledger, file }: VerifyDeps,
  expected: { chain: string; publicKey: string; seq: number | undefined; hash: string | undefined },
): Promise<VerifiedChain> {
  const { chain, publicKey, seq, hash } = expected;
  const known = new Map<number, string>();
  const forged = await forEachCheckpoint(ledger, chain, publicKey, (one) => known.set(one.seq, one.hash));
  if (seq !== undefined && seq > 0 && hash !== undefined) known.set(seq, hash);
  const report = await checkChain(file.read({ chain }), { publicKey, known });
  return toVerifiedChain(chain, 'file', report, forged);
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

async function verifyCopy(ledger: AuditLedger, known: KnownChain): Promise<VerifiedChain> {
  let last: Checkpoint | undefined;
  const forged = await forEachCheckpoint(ledger, known.chain, known.publicKey, (one) => {
    last = one;
  });
  const behind = last !== undefined && last.seq > known.seq;
  const cut = behind
    ? { seq: known.seq + 1, reason: `the copy ends before the checkpoint of ${last?.seq}` }
    : undefined;
  const bad = forged ?? cut;
  const { chain, seq, hash } = known;
  const found = { chain, ok: bad === undefined, entries: seq, head: hash === '' ? undefined : hash };
  return { ...found, checked: 'database', bad };
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
