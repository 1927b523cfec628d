// Chains that ended gracefully: their last entry, and a verification that trusts them once it has walked them.
import { describe, expect, it } from 'vitest';
import { auditFileIn, buildAuditEntry, MemoryLedger, openTestAudit } from '../../support/audit/test-chain.ts';
import { linesOf } from '../../support/audit/audit-files.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { checkAuditFile } from '../../../src/server/start/audit-check.ts';

/** A replica that wrote three entries and ended. @returns its chain */
async function endedReplica(folder: string, ledger: MemoryLedger): Promise<string> {
  await using audit = await openTestAudit({ folder, ledger });
  await Promise.all([1, 2, 3].map(() => audit.trail.record(buildAuditEntry())));
  return audit.trail.chain;
}

describe('a replica that ends gracefully', () => {
  it('[platform-2.7] leaves audit.chain_closed and a checkpoint as its last lines', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    const chain = await endedReplica(folder.path, ledger);
    const lines = await linesOf(auditFileIn(folder.path));
    expect(lines.slice(-2).map(({ action }) => action)).toEqual(['audit.chain_closed', 'audit.checkpoint']);
    expect(lines.at(-2)).toMatchObject({ tenant_id: 'system', actor: 'service:audit', metadata: { chain } });
    const { report } = await checkAuditFile(auditFileIn(folder.path), undefined);
    expect([report.ok, report.closed]).toEqual([true, true]);
    expect(await ledger.chains()).toMatchObject([{ chain, closed: { seq: lines.length, hash: lines.at(-1)?.hash } }]);
  });

  it('[platform-2.7] goes on with its chain when it starts again, and the chain is open then', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    const chain = await endedReplica(folder.path, ledger);
    await using audit = await openTestAudit({ folder: folder.path, ledger });
    expect(audit.trail.chain).toBe(chain);
    await audit.trail.record(buildAuditEntry());
    expect(await ledger.chains()).toMatchObject([{ chain, closed: undefined, sealed: false }]);
    const { report } = await checkAuditFile(auditFileIn(folder.path), undefined);
    expect([report.ok, report.closed]).toEqual([true, false]);
  });
});

describe('a verification', () => {
  it('[platform-2.7] walks a closed chain of another machine once', async () => {
    await using there = await temporaryFolder();
    await using here = await temporaryFolder();
    const ledger = new MemoryLedger();
    const gone = await endedReplica(there.path, ledger);
    await using audit = await openTestAudit({ folder: here.path, ledger });
    const verdicts = [];
    for (let n = 0; n < 3; n += 1) verdicts.push((await audit.verify()).find(({ chain }) => chain === gone));
    expect(verdicts[0]).toMatchObject({ ok: true, checked: 'database', head: expect.stringMatching(/^[\da-f]{64}$/) });
    expect(verdicts[2]).toEqual(verdicts[0]);
    expect(ledger.walked.filter((chain) => chain === gone)).toHaveLength(1);
  });

  it('[platform-2.7] walks a chain whose replica died each time', async () => {
    await using there = await temporaryFolder();
    await using here = await temporaryFolder();
    const ledger = new MemoryLedger();
    const gone = await endedReplica(there.path, ledger);
    // As `kill -9` leaves it: nothing says that it has ended.
    await ledger.touchChain(gone, (await ledger.chains())[0]?.publicKey ?? '', 'elsewhere:/audit.jsonl');
    await using audit = await openTestAudit({ folder: here.path, ledger });
    for (let n = 0; n < 3; n += 1) expect((await audit.verify()).every(({ ok }) => ok)).toBe(true);
    expect(ledger.walked.filter((chain) => chain === gone)).toHaveLength(3);
  });

  it('[platform-2.7] finds what is missing of a closed chain, sealed or not', async () => {
    for (const sealed of [true, false]) {
      await using there = await temporaryFolder();
      await using here = await temporaryFolder();
      const ledger = new MemoryLedger();
      const gone = await endedReplica(there.path, ledger);
      await using audit = await openTestAudit({ folder: here.path, ledger });
      if (sealed) await audit.verify();
      const last = ledger.batches.findLastIndex(({ chain }) => chain === gone);
      ledger.batches.splice(last, 1);
      // Its checkpoints go with it, so that only the closing shows it.
      ledger.savedCheckpoints.splice(0, ledger.savedCheckpoints.length);
      const verdict = (await audit.verify()).find(({ chain }) => chain === gone);
      expect(verdict).toMatchObject({ ok: false, bad: { reason: expect.stringContaining('end of the closed chain') } });
    }
  });
});
