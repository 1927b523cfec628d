// Opens the audit: repairs its chain, records the intents that a crash left open, and starts the trail.
import type { AppendHandle } from '../../adapters/audit-file/append-handle.ts';
import { openChain, type OpenedChain } from '../../adapters/audit-file/open-chain.ts';
import { openSigner } from '../../adapters/audit-file/signing-key.ts';
import { AuditBatchBuilder, buildSystemEntry } from '../../domain/audit/audit-batch.ts';
import { AuditReplicator } from '../../domain/audit/audit-replicator.ts';
import { loopAudit } from '../../domain/audit/loop-audit.ts';
import { parseEntry } from '../../domain/audit/parse-line.ts';
import { recoverIntents } from '../../domain/audit/recover-intents.ts';
import { FileAuditTrail } from '../../domain/audit/trail.ts';
import { verifyChains, type VerifiedChain } from '../../domain/audit/verify.ts';
import { chainActions, checkpointEvery, type ChainHead } from '../../domain/model/audit-line.ts';
import type { LoopAudit } from '../../domain/ports/audit.ts';
import type { AuditLedger, CheckpointSigner, RestoredAudit } from '../../domain/ports/audit-chain.ts';
import type { MakeId } from '../../lib/uuid7.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { StartError } from '../config/errors/start-error.ts';

export interface AuditOptions {
  readonly config: Pick<ServiceConfig, 'audit'>;
  readonly ledger: AuditLedger;
  /** Undefined: the database was never restored, or a chain has followed the restore already. */
  readonly restored?: RestoredAudit | undefined;
  readonly hostname: string;
  readonly makeId: MakeId;
  readonly now: () => number;
  readonly log: (line: string, details?: unknown) => void;
  /** In tests: a smaller file limit, a failing disk. */
  readonly maxBytes?: number | undefined;
  readonly openFile?: ((path: string) => Promise<AppendHandle>) | undefined;
}

export interface Audit extends AsyncDisposable {
  readonly trail: FileAuditTrail;
  readonly loops: LoopAudit;
  /** Resolves when everything written so far is copied to the database, or cannot be. */
  settled(): Promise<void>;
  /** Verifies each known chain; this replica's first. */
  verify(): Promise<VerifiedChain[]>;
  /** Called once a second. */
  tick(): Promise<void>;
}

const maxFileBytes = 64 * 1024 * 1024;
const lastSeenIntervalMs = 15_000;
/** After this many seconds of silence another replica records what a dead replica left. */
const deadReplicaSeconds = 60;

/**
 * Opens the audit of this replica.
 * @throws StartError audit_unwritable; AuditFileError; DomainError unavailable (the database)
 */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  const { ledger, makeId, now, log, restored } = options;
  const { logPath, keyFile, createsKey } = options.config.audit;
  await using opened = new AsyncDisposableStack();
  const signer = await openSigner(keyFile, createsKey);
  const chain = await openChain({
    path: logPath,
    maxBytes: options.maxBytes ?? maxFileBytes,
    makeId,
    now,
    parse: parseEntry,
    ended: (head, publicKey) => findEndReason(options, signer, head, publicKey),
    openFile: options.openFile,
  });
  const { file, head } = chain;
  opened.use(file);
  const isNew = head.seq === 0;
  const maker = new AuditBatchBuilder({ signer, makeId, now }, head, isNew ? 0 : checkpointEvery);
  const copied = isNew ? undefined : await ledger.findCopiedHead(head.chain);
  // After the copier has ended, so that everything that it could copy is in the database.
  opened.defer(() => recordClosing({ ledger, log }, trail.isComplete ? maker.head : undefined));
  const copier = opened.use(new AuditReplicator({ ledger, file, chain: head.chain, log }, head, copied?.seq ?? 0));
  const trail = opened.use(
    new FileAuditTrail({
      file,
      builder: maker,
      makeId,
      now,
      log,
      onWritten: (lines) => copier.enqueue(lines),
      release: (intent) => copier.release(intent),
    }),
  );
  const location = `${options.hostname}:${file.path}`;
  await ledger.touchChain(head.chain, signer.publicKey, location);
  recordOpening(trail, chain, signer, { makeId, now, restored });
  await trail.settled();
  if (!trail.writable) throw unwritable(file.path);
  const followed = restored?.chain?.chain;
  if (followed !== undefined && (await file.holds(followed))) {
    // Their lines are in the files of the backup, or are missing there as after a crash.
    await recoverIntents({ ledger, trail }, followed, { read: () => file.read({ chain: followed }) });
  }
  const recovered = await recoverIntents({ ledger, trail }, head.chain, file);
  if (recovered > 0) log('recorded audit entries for changes that a crash left without one', { lines: recovered });

  let verifying: Promise<VerifiedChain[]> | undefined;
  const verification = { ledger, file, chain: head.chain, publicKey: signer.publicKey, location };
  let lastSeenWrittenAt = now();
  const running = opened.move();
  return {
    trail,
    loops: loopAudit({ trail, makeId, now }),
    async settled() {
      await trail.settled();
      await copier.settled();
    },
    // Concurrent callers share one walk over the files.
    verify: () =>
      (verifying ??= trail
        .settled()
        .then(() => verifyChains(verification))
        .finally(() => {
          verifying = undefined;
        })),
    async tick() {
      await trail.tick();
      if (now() - lastSeenWrittenAt < lastSeenIntervalMs) return;
      lastSeenWrittenAt = now();
      await ledger.touchChain(head.chain, signer.publicKey, location);
      for (const deadChain of await ledger.findSilentChains(deadReplicaSeconds)) {
        if (deadChain !== head.chain && trail.writable) await recoverIntents({ ledger, trail }, deadChain);
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A chain continues only under its own key, and only from the end that the database knows. */
async function findEndReason(
  { ledger, restored }: Pick<AuditOptions, 'ledger' | 'restored'>,
  signer: CheckpointSigner,
  head: ChainHead,
  publicKey: string,
): Promise<string | undefined> {
  if (publicKey !== signer.publicKey) return 'key_changed';
  if (restored !== undefined) {
    // It goes on in the installation that the backup was taken from.
    const known = (await ledger.chains()).find(({ chain }) => chain === head.chain);
    if (known !== undefined && known.openedAt < restored.restoredAt) return 'restored';
  }
  const copied = await ledger.findCopiedHead(head.chain);
  if (copied === undefined || copied.seq < head.seq) return undefined;
  if (copied.seq > head.seq) return 'tail_cut';
  return copied.hash === head.hash ? undefined : 'tail_changed';
}

/** Records the chain's name as its first line, and any repair made at the start. */
function recordOpening(
  trail: FileAuditTrail,
  { head, before, cut }: OpenedChain,
  signer: CheckpointSigner,
  deps: { readonly makeId: MakeId; readonly now: () => number; readonly restored: RestoredAudit | undefined },
): void {
  if (head.seq === 0) {
    const after = factsOfEarlier(before, deps.restored);
    const facts = { chain: head.chain, key: signer.publicKey, ...after };
    trail.note(buildSystemEntry(deps, chainActions.opened, head.chain, facts));
  }
  if (cut !== undefined) {
    const facts = { bytes: cut.bytes, sha256: cut.sha256, kept_as: cut.keptAs ?? null };
    trail.note(buildSystemEntry(deps, chainActions.repaired, head.chain, facts));
  }
}

/** Facts about the chain before, for the first line of a chain. */
function factsOfEarlier(before: OpenedChain['before'], restored: RestoredAudit | undefined): Record<string, unknown> {
  const isRestored = restored !== undefined && (before === undefined || before.why === 'restored');
  const earlier = before ?? (isRestored ? restored.chain : undefined);
  if (earlier === undefined) return isRestored ? { because: 'restored', backup: restored.backupId } : {};
  const { chain, seq, hash } = earlier;
  if (!isRestored) return { after: chain, after_seq: seq, because: before?.why };
  return { after: chain, after_seq: seq, after_hash: hash, because: 'restored', backup: restored.backupId };
}

/** A chain counts as closed where its copy is whole. @param head its last entry; undefined: it could not be written */
async function recordClosing(
  { ledger, log }: Pick<AuditOptions, 'ledger' | 'log'>,
  head: ChainHead | undefined,
): Promise<void> {
  if (head === undefined) return;
  try {
    const copied = await ledger.findCopiedHead(head.chain);
    if (copied?.seq === head.seq && copied.hash === head.hash) await ledger.closeChain(head);
  } catch (error) {
    log('could not record the end of the audit chain; verifications walk it each time', error);
  }
}

function unwritable(path: string): StartError {
  return new StartError(
    'audit_unwritable',
    `The audit file ${path} cannot be written.`,
    'Free space on its disk and let this user write there, or set AUDIT_LOG_PATH to another place.',
  );
}
