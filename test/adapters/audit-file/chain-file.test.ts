// The file through restarts, crashes, full files and failing disks: a chain goes on, and nothing is lost silently.
import { constants } from 'node:fs';
import { appendFile, readdir, readFile, readlink, rename, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openToAppend, type AppendHandle } from '../../../src/adapters/audit-file/append-handle.ts';
import { resolveAuditLocation } from '../../../src/server/config/audit-location.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { until } from '../../support/until.ts';
import { buildAuditEntry, auditFileIn, openTestAudit, MemoryLedger } from '../../support/audit/test-chain.ts';
import { linesOf } from '../../support/audit/audit-files.ts';

describe('a chain', () => {
  it('is JSON lines that are only appended to: it goes on after a restart, and its copy has every line once [core-1.5.5, core-2.8.2]', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    for (let life = 0; life < 3; life += 1) {
      await using audit = await openTestAudit({ folder: folder.path, ledger });
      await Promise.all([1, 2, 3].map(() => audit.trail.record(buildAuditEntry())));
      const chains = await audit.verify();
      expect(chains).toMatchObject([{ ok: true, checked: 'file' }]);
    }
    const lines = await linesOf(auditFileIn(folder.path));
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, i) => i + 1));
    expect(ledger.seqs()).toEqual(lines.map((line) => line.seq));
    expect(ledger.savedCheckpoints.length).toBeGreaterThanOrEqual(3);
  });

  it('is for the eyes of its owner alone, and so is its key', async () => {
    await using folder = await temporaryFolder();
    await using audit = await openTestAudit({ folder: folder.path });
    await audit.trail.record(buildAuditEntry());
    const { logPath, keyFile } = resolveAuditLocation(folder.path);
    expect((await stat(logPath)).mode & 0o777).toBe(0o600);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  });

  it('has one writer [choices-3.90]', async () => {
    await using folder = await temporaryFolder();
    await using _first = await openTestAudit({ folder: folder.path });
    await expect(openTestAudit({ folder: folder.path })).rejects.toMatchObject({ code: 'audit_locked' });
  });

  it('has many entries of one moment in the order they came, each linked', async () => {
    await using folder = await temporaryFolder();
    await using audit = await openTestAudit({ folder: folder.path });
    await Promise.all(
      Array.from({ length: 2_500 }, (_, n) => audit.trail.record(buildAuditEntry({ metadata: { n } }))),
    );
    expect(await audit.verify()).toMatchObject([{ ok: true }]);
    const ours = (await linesOf(auditFileIn(folder.path))).filter((line) => line.action === 'tasks.create');
    expect(ours.map((line) => line.metadata['n'])).toEqual(Array.from({ length: 2_500 }, (_, n) => n));
  });

  it('goes on in a new file when one is full, across a restart too', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    for (let life = 0; life < 2; life += 1) {
      await using audit = await openTestAudit({ folder: folder.path, ledger, maxBytes: 4_000 });
      for (let i = 0; i < 20; i += 1) await audit.trail.record(buildAuditEntry());
      expect(await audit.verify()).toMatchObject([{ ok: true, checked: 'file' }]);
    }
    const names = (await readdir(path.dirname(auditFileIn(folder.path)))).filter((name) => name.endsWith('.jsonl'));
    expect(names.length).toBeGreaterThan(4);
    const all = await Promise.all(
      names.map((name) => linesOf(path.join(path.dirname(auditFileIn(folder.path)), name))),
    );
    const seqs = all.flat().map((line) => line.seq);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(seqs.map((_, i) => i + 1));
    expect(ledger.seqs()).toEqual(seqs.map((_, i) => i + 1));
  });

  it('goes on when its last file was renamed and the next never begun', async () => {
    await using folder = await temporaryFolder();
    {
      await using audit = await openTestAudit({ folder: folder.path });
      await audit.trail.record(buildAuditEntry());
    }
    const file = auditFileIn(folder.path);
    const [first] = await linesOf(file);
    const chain = String(first?.metadata['chain']);
    await rename(file, file.replace('.jsonl', `.${chain.slice(-12)}.000000000001.jsonl`));
    await using audit = await openTestAudit({ folder: folder.path });
    expect(audit.trail.chain).toBe(chain);
    await audit.trail.record(buildAuditEntry());
    expect(await audit.verify()).toMatchObject([{ ok: true }]);
  });
});

describe('a crash', () => {
  it('that tore the last line is mended, and the repair is an entry', async () => {
    await using folder = await temporaryFolder();
    {
      await using audit = await openTestAudit({ folder: folder.path });
      await audit.trail.record(buildAuditEntry());
    }
    await appendFile(auditFileIn(folder.path), '{"id":"half a li');
    await using audit = await openTestAudit({ folder: folder.path });
    expect(await audit.verify()).toMatchObject([{ ok: true }]);
    const repair = (await linesOf(auditFileIn(folder.path))).find((line) => line.action === 'audit.repaired');
    expect(repair?.metadata).toMatchObject({ bytes: 16, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('that left whole lines of nonsense has them kept as evidence', async () => {
    await using folder = await temporaryFolder();
    {
      await using audit = await openTestAudit({ folder: folder.path });
      await audit.trail.record(buildAuditEntry());
    }
    await appendFile(auditFileIn(folder.path), 'nonsense\nmore\n');
    await using audit = await openTestAudit({ folder: folder.path });
    expect(await audit.verify()).toMatchObject([{ ok: true }]);
    const repair = (await linesOf(auditFileIn(folder.path))).find((line) => line.action === 'audit.repaired');
    expect(await readFile(String(repair?.metadata['kept_as']), 'utf8')).toBe('nonsense\nmore\n');
  });

  it('that left intents without lines has them filed by the next start, each once', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    const filed = buildAuditEntry();
    {
      await using audit = await openTestAudit({ folder: folder.path, ledger });
      await audit.trail.record(filed);
    }
    const lost = buildAuditEntry({ action: 'tasks.cancel' });
    ledger.rows = [
      { tenantId: 'default', id: 'row', intents: [{ ...filed }, { ...lost, taskId: 'the-task' }, { ...lost }] },
    ];
    await using audit = await openTestAudit({ folder: folder.path, ledger });
    await audit.settled();
    const lines = await linesOf(auditFileIn(folder.path));
    expect(lines.filter((line) => line.id === filed.id)).toHaveLength(1);
    const recovered = lines.filter((line) => line.id === lost.id);
    expect(recovered).toMatchObject([{ action: 'tasks.cancel', outcome: 'success', metadata: { recovered: true } }]);
    expect(ledger.rows).toEqual([]);
  });
});

describe('a chain that cannot go on', () => {
  it('because its tail was cut while the service was down ends, and a new one says so [choices-3.94]', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    let old: string;
    {
      await using audit = await openTestAudit({ folder: folder.path, ledger });
      for (let i = 0; i < 5; i += 1) await audit.trail.record(buildAuditEntry());
      old = audit.trail.chain;
    }
    const text = await readFile(auditFileIn(folder.path), 'utf8');
    await truncate(auditFileIn(folder.path), Buffer.byteLength(`${text.split('\n').slice(0, 3).join('\n')}\n`));
    await using audit = await openTestAudit({ folder: folder.path, ledger });
    expect(audit.trail.chain).not.toBe(old);
    const [opening] = await linesOf(auditFileIn(folder.path));
    expect(opening?.metadata).toMatchObject({ after: old, after_seq: 3, because: 'tail_cut' });
    const chains = await audit.verify();
    expect(chains.map(({ chain, ok }) => [chain, ok])).toEqual([
      [audit.trail.chain, true],
      [old, false],
    ]);
    expect(chains[1]?.bad).toMatchObject({ seq: 4 });
  });

  it('because its file was taken away shows up as missing', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    {
      await using audit = await openTestAudit({ folder: folder.path, ledger });
      await audit.trail.record(buildAuditEntry());
    }
    await rename(auditFileIn(folder.path), path.join(folder.path, 'elsewhere'));
    await using audit = await openTestAudit({ folder: folder.path, ledger });
    expect((await audit.verify()).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('because the key is another one now goes on as a new one', async () => {
    await using folder = await temporaryFolder();
    const ledger = new MemoryLedger();
    let old: string;
    {
      await using audit = await openTestAudit({ folder: folder.path, ledger });
      await audit.trail.record(buildAuditEntry());
      old = audit.trail.chain;
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(resolveAuditLocation(folder.path).keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    await using audit = await openTestAudit({ folder: folder.path, ledger });
    const [opening] = await linesOf(auditFileIn(folder.path));
    expect(opening?.metadata).toMatchObject({ after: old, because: 'key_changed' });
    expect(await audit.verify()).toMatchObject([{ ok: true }, { ok: true, chain: old }]);
  });
});

/** A disk that takes so many more bytes, and then half of what it is given. */
class FullDisk {
  freeBytes = Number.POSITIVE_INFINITY;
  syncs = true;
  /** Syncs of the whole file. */
  synced = 0;

  open = async (file: string): Promise<AppendHandle> => {
    const handle = await openToAppend(file);
    const write = async (bytes: Buffer, offset: number) => {
      const length = Math.min(bytes.length - offset, this.freeBytes);
      if (length <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      this.freeBytes -= length;
      return handle.write(bytes.subarray(0, offset + length), offset);
    };
    const sync = () => (this.syncs ? handle.datasync() : Promise.reject(new Error('input/output error')));
    return {
      write,
      async writeThrough(bytes, offset) {
        const written = await write(bytes, offset);
        await sync();
        return written;
      },
      datasync: () => {
        this.synced += 1;
        return sync();
      },
      truncate: (size) => handle.truncate(size),
      close: () => handle.close(),
      size: () => handle.size(),
    };
  };
}

describe('a change that is acknowledged', () => {
  it('was written through to the disk: each write of that handle is synced', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'audit.jsonl');
    const handle = await openToAppend(file);
    const flags = (await readdir('/proc/self/fd')).map(async (fd) => {
      const at = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
      return at === file
        ? Number.parseInt((await readFile(`/proc/self/fdinfo/${fd}`, 'utf8')).split(/\s+/)[3] ?? '', 8)
        : 0;
    });
    const synced = (await Promise.all(flags)).filter((each) => (each & constants.O_DSYNC) === constants.O_DSYNC);
    expect(synced).toHaveLength(1);
    expect(await handle.writeThrough(Buffer.from('one\ntwo\n'), 4)).toBe(4);
    expect(await handle.write(Buffer.from('three\n'), 0)).toBe(6);
    expect(await readFile(file, 'utf8')).toBe('two\nthree\n');
    await handle.close();
  });

  it('waits for the sync of what was written before it', async () => {
    await using folder = await temporaryFolder();
    const disk = new FullDisk();
    await using audit = await openTestAudit({ folder: folder.path, openFile: disk.open });
    audit.trail.note(buildAuditEntry({ action: 'tasks.list' }));
    await until('the look', async () => (await readFile(auditFileIn(folder.path), 'utf8')).includes('tasks.list'));
    const before = disk.synced;
    await audit.trail.record(buildAuditEntry());
    expect(disk.synced).toBe(before + 1);
  });
});

describe('a disk that fails', () => {
  it.each(['is full', 'breaks at the sync'])(
    'because it %s: changes are refused, nothing is lost, and it mends itself [choices-3.92]',
    async (how) => {
      await using folder = await temporaryFolder();
      const disk = new FullDisk();
      const ledger = new MemoryLedger();
      const audit = await openTestAudit({ folder: folder.path, ledger, openFile: disk.open });
      await audit.trail.record(buildAuditEntry({ metadata: { n: 0 } }));
      audit.trail.note(buildAuditEntry({ action: 'tasks.list', metadata: { n: 1 } }));
      if (how === 'is full') disk.freeBytes = 700;
      else disk.syncs = false;
      const during = await Promise.allSettled(
        [2, 3, 4].map((n) => audit.trail.record(buildAuditEntry({ metadata: { n } }))),
      );
      expect(during.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(() => audit.trail.mustBeWritable()).toThrow(expect.objectContaining({ code: 'audit_unavailable' }));
      // One that was under way, and looks.
      await expect(audit.trail.record(buildAuditEntry({ metadata: { n: 5 } }))).rejects.toMatchObject({
        code: 'audit_unavailable',
      });
      audit.trail.note(buildAuditEntry({ action: 'tasks.list', metadata: { n: 6 } }));
      await audit.tick();
      expect(audit.trail.writable).toBe(false);
      [disk.freeBytes, disk.syncs] = [Number.POSITIVE_INFINITY, true];
      await audit.tick();
      expect(audit.trail.writable).toBe(true);
      await audit.trail.record(buildAuditEntry({ metadata: { n: 7 } }));
      expect(await audit.verify()).toMatchObject([{ ok: true }]);
      const numbers = (await linesOf(auditFileIn(folder.path))).map((line) => Number(line.metadata['n']));
      expect(numbers.filter(Number.isInteger).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      await audit[Symbol.asyncDispose]();
      const lines = await linesOf(auditFileIn(folder.path));
      expect(lines.map((line) => line.action)).toContain('audit.resumed');
      expect(ledger.seqs()).toEqual(lines.map((line) => line.seq));
    },
  );

  it('for long: looks are kept up to a bound, and what is beyond it is one entry with a count', async () => {
    await using folder = await temporaryFolder();
    const disk = new FullDisk();
    await using audit = await openTestAudit({ folder: folder.path, openFile: disk.open });
    disk.freeBytes = 0;
    await expect(audit.trail.record(buildAuditEntry())).rejects.toMatchObject({ code: 'audit_unavailable' });
    for (let i = 0; i < 10_100; i += 1) audit.trail.note(buildAuditEntry({ action: 'tasks.list' }));
    disk.freeBytes = Number.POSITIVE_INFINITY;
    await audit.tick();
    await audit.settled();
    const lines = await linesOf(auditFileIn(folder.path));
    expect(lines.filter((line) => line.action === 'tasks.list')).toHaveLength(10_000);
    expect(lines.find((line) => line.action === 'audit.overflow')?.metadata).toMatchObject({ count: 100 });
    expect(await audit.verify()).toMatchObject([{ ok: true }]);
  });
});

describe('refusals without a credential', () => {
  it('fold to one entry a minute and address, with a count [choices-3.96]', async () => {
    await using folder = await temporaryFolder();
    let now = Date.now();
    await using audit = await openTestAudit({ folder: folder.path, now: () => now });
    for (let i = 0; i < 50; i += 1) audit.trail.recordRefusal('192.0.2.1', 'unauthenticated');
    audit.trail.recordRefusal('192.0.2.2', 'unauthenticated');
    now += 61_000;
    audit.trail.recordRefusal('192.0.2.1', 'unauthenticated');
    await audit.tick();
    const folded = await until('the folds', async () => {
      const found = (await linesOf(auditFileIn(folder.path))).filter((line) => line.action === 'auth.refused');
      return found.length > 0 && found;
    });
    expect(folded.map((line) => [line.ip, line.metadata['count'], line.tenant_id, line.actor, line.outcome])).toEqual([
      ['192.0.2.1', 51, 'system', 'anonymous', 'denied'],
      ['192.0.2.2', 1, 'system', 'anonymous', 'denied'],
    ]);
  });
});
