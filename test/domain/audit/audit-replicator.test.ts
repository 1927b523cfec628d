// The database's copy when it falls far behind: it is read from the file then, each line about once.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AppendedFile } from '../../../src/adapters/audit-file/chain-file.ts';
import { openChain } from '../../../src/adapters/audit-file/open-chain.ts';
import { openSigner } from '../../../src/adapters/audit-file/signing-key.ts';
import { AuditBatchBuilder, type AuditBatch } from '../../../src/domain/audit/audit-batch.ts';
import { AuditReplicator } from '../../../src/domain/audit/audit-replicator.ts';
import type { ChainFile, CopyBatch } from '../../../src/domain/ports/audit-chain.ts';
import { uuid7Maker } from '../../../src/lib/uuid7.ts';
import { resolveAuditLocation } from '../../../src/server/config/audit-location.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { buildAuditEntry, MemoryLedger } from '../../support/audit/test-chain.ts';

const makeId = uuid7Maker(Date.now, randomBytes);

/** A database that answers nothing until it is released. */
class Slow extends MemoryLedger {
  readonly #gate = Promise.withResolvers<void>();
  readonly #requested = Promise.withResolvers<void>();
  /** Settles at the first copy request. */
  get requested(): Promise<void> {
    return this.#requested.promise;
  }
  goOn(): void {
    this.#gate.resolve();
  }
  override async copy(...args: Parameters<MemoryLedger['copy']>): Promise<void> {
    this.#requested.resolve();
    await this.#gate.promise;
    await super.copy(...args);
  }
}

interface Writer extends AsyncDisposable {
  readonly file: AppendedFile;
  /** Bytes of the chain's file. */
  readonly written: number;
  /** Writes this many lines as one batch. */
  write(lines: number): Promise<AuditBatch>;
}

async function openWriter(folder: string, maxBytes: number): Promise<Writer> {
  const { logPath, keyFile } = resolveAuditLocation(folder);
  const common = { makeId, now: Date.now };
  const { file, head } = await openChain({
    ...common,
    path: logPath,
    maxBytes,
    parse: () => undefined,
    ended: () => Promise.resolve(undefined),
  });
  const maker = new AuditBatchBuilder({ ...common, signer: await openSigner(keyFile, true) }, head, 0);
  let written = 0;
  return {
    file,
    get written() {
      return written;
    },
    async write(lines) {
      const batch = maker.build(
        Array.from({ length: lines }, () => buildAuditEntry()),
        false,
      );
      await file.append(batch.text, batch.lines[0]?.seq ?? 0, true);
      written += batch.text.length;
      return batch;
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** The file, with a count of the bytes that were read from it. */
function counted(file: AppendedFile): Pick<ChainFile, 'read'> & { bytes: number } {
  const count = { bytes: 0 };
  return Object.assign(count, {
    async *read(part?: Parameters<ChainFile['read']>[0]) {
      for await (const segment of file.read(part)) {
        const bytes = async function* (): AsyncGenerator<Uint8Array> {
          for await (const piece of segment.bytes) {
            count.bytes += piece.length;
            yield piece;
          }
        };
        yield { ...segment, bytes: bytes() };
      }
    },
  });
}

const inOrder = (batches: readonly CopyBatch[]): number[] =>
  batches.flatMap(({ firstSeq, lastSeq }) => Array.from({ length: lastSeq - firstSeq + 1 }, (_, i) => firstSeq + i));

describe('a copy that is far behind', () => {
  it('reads the file about once, however far, and has every line once and in order', async () => {
    await using folder = await temporaryFolder();
    await using writer = await openWriter(folder.path, 64 * 1024 * 1024);
    const ledger = new Slow();
    const file = counted(writer.file);
    const copier = new AuditReplicator(
      { ledger, file, chain: 'chain', log: () => {} },
      { chain: 'chain', seq: 0, hash: '' },
      0,
    );
    let last = 0;
    const fill = async (batches: number): Promise<void> => {
      const written: AuditBatch[] = [];
      for (let i = 0; i < batches; i += 1) written.push(await writer.write(1_000));
      // At once: no copy begins in between.
      for (const { lines } of written) copier.enqueue(lines);
      last = written.at(-1)?.lines.at(-1)?.seq ?? 0;
    };
    // More than memory holds: a read of the file begins here, which does not see later lines.
    await fill(20);
    await ledger.requested;
    // More than memory holds again: the lines after that read are only in the file.
    await fill(25);
    ledger.goOn();
    await copier.settled();
    const ours = ledger.batches.filter(({ tenantId }) => tenantId === 'default');
    expect(ledger.seqs()).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    expect(inOrder(ours).at(-1)).toBe(last);
    expect(file.bytes).toBeGreaterThan(0);
    expect(file.bytes).toBeLessThan(writer.written * 2);
    await copier[Symbol.asyncDispose]();
  });

  it('does not read files whose lines are all copied', async () => {
    await using folder = await temporaryFolder();
    await using writer = await openWriter(folder.path, 40_000);
    let [seq, hash] = [0, ''];
    for (let i = 0; i < 40; i += 1) {
      const last = (await writer.write(100)).lines.at(-1);
      [seq, hash] = [last?.seq ?? 0, last?.hash ?? ''];
    }
    const ledger = new MemoryLedger();
    const file = counted(writer.file);
    await using copier = new AuditReplicator(
      { ledger, file, chain: 'chain', log: () => {} },
      { chain: 'chain', seq, hash },
      seq - 10,
    );
    await copier.settled();
    expect(ledger.seqs()).toEqual(Array.from({ length: 10 }, (_, i) => seq - 9 + i));
    expect(file.bytes).toBeLessThan(writer.written / 10);
  });
});

it('a copy that was committed although its answer was lost is not repeated in other portions', async () => {
  await using folder = await temporaryFolder();
  await using writer = await openWriter(folder.path, 1_000_000);
  const ledger = new (class extends MemoryLedger {
    losesAnswer = true;
    override async copy(...args: Parameters<MemoryLedger['copy']>): Promise<void> {
      await super.copy(...args);
      if (this.losesAnswer) throw new Error('the connection was lost');
    }
  })();
  const logged: string[] = [];
  await using copier = new AuditReplicator(
    { ledger, file: writer.file, chain: 'chain', log: (line) => logged.push(line) },
    { chain: 'chain', seq: 0, hash: '' },
    0,
  );
  copier.enqueue((await writer.write(3)).lines);
  await copier.settled();
  expect(logged).toEqual(['failed to copy the audit log to the database; will retry']);
  ledger.losesAnswer = false;
  copier.enqueue((await writer.write(2)).lines);
  await copier.settled();
  expect(ledger.seqs()).toEqual([1, 2, 3, 4, 5]);
});
