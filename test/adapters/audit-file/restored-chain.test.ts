// The audit over a restore: another chain begins, names the one of the backup, and both are checked.
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adoptRestored,
  readAuditFiles,
  restoredFolder,
  writeRestored,
} from '../../../src/adapters/audit-file/backup-files.ts';
import { parseEntry } from '../../../src/domain/audit/parse-line.ts';
import type { ChainHead } from '../../../src/domain/model/audit-line.ts';
import { checkAuditFile } from '../../../src/server/start/audit-check.ts';
import { auditFileIn, buildAuditEntry, MemoryLedger, openTestAudit } from '../../support/audit/test-chain.ts';
import { command } from '../../support/process/cli-io.ts';

let root: string;
let ledger: MemoryLedger;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'restored-'));
  ledger = new MemoryLedger();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const original = (): string => path.join(root, 'original');
const copy = (): string => path.join(root, 'copy');

/** An audit of some lines, in files of a few lines each. */
async function writeOriginal(lines: number): Promise<string> {
  await using audit = await openTestAudit({ folder: original(), ledger, maxBytes: 2_000 });
  for (let i = 0; i < lines; i += 1) {
    await audit.trail.record(buildAuditEntry({ resource: `/v1/agent/tasks/${i}`, chain: audit.trail.chain }));
  }
  return audit.trail.chain;
}

/** Moves the files as a backup and a restore do. */
async function restoreFiles(): Promise<ChainHead | undefined> {
  const folder = restoredFolder(auditFileIn(copy()), 'of-a-backup');
  await mkdir(folder, { recursive: true });
  const names: string[] = [];
  for await (const { name, content } of readAuditFiles(auditFileIn(original()))) {
    names.push(name);
    await writeRestored(folder, names.length, content);
  }
  return adoptRestored(folder, names, parseEntry);
}

async function openCopy(chain: ChainHead | undefined) {
  const restored = { backupId: 'backup-1', restoredAt: '2026-01-01T00:00:00.000Z', chain };
  return openTestAudit({ folder: copy(), ledger, restored });
}

async function restoredFile(): Promise<string> {
  const folder = restoredFolder(auditFileIn(copy()), 'of-a-backup');
  const names = (await readdir(folder)).toSorted();
  return path.join(folder, names.at(-1) ?? '');
}

describe('the audit after a restore', () => {
  it('names the chain of the backup, its head and the backup, and both are intact [platform-6.3.4] [platform-6.3.5]', async () => {
    const chain = await writeOriginal(20);
    const head = await restoreFiles();
    expect(head).toMatchObject({ chain });
    await using audit = await openCopy(head);
    expect(audit.trail.chain).not.toBe(chain);
    const [opening = ''] = (await readFile(auditFileIn(copy()), 'utf8')).split('\n');
    expect(JSON.parse(opening).metadata).toMatchObject({
      after: chain,
      after_seq: head?.seq,
      after_hash: head?.hash,
      because: 'restored',
      backup: 'backup-1',
    });
    const verified = await audit.verify();
    expect(verified.map((one) => ({ ...one, head: undefined }))).toEqual([
      { chain: audit.trail.chain, ok: true, entries: expect.any(Number), head: undefined, checked: 'file' },
      { chain, ok: true, entries: head?.seq, head: undefined, checked: 'file' },
    ]);
    expect((await command(['audit', 'verify', auditFileIn(copy())])).out).toContain('which was restored');
  });

  it('finds a line that was changed in a restored file, and an end that was cut off [platform-6.3.5]', async () => {
    await writeOriginal(20);
    await using audit = await openCopy(await restoreFiles());
    const file = await restoredFile();
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.replace('tasks.create', 'tasks.delete'));
    expect((await audit.verify()).map(({ ok }) => ok)).toEqual([true, false]);
    const check = await command(['audit', 'verify', auditFileIn(copy())]);
    expect(check).toMatchObject({ code: 1, out: expect.stringContaining(`TAMPERED: ${file} line 1`) });
    await writeFile(file, whole);
    const lines = whole.trimEnd().split('\n');
    await truncate(file, whole.length - `${lines.at(-1)}\n`.length);
    // The database's copy and the first line of the new chain both name the entry that is gone.
    expect((await audit.verify())[1]?.bad?.reason).toContain('entries are missing');
    expect((await checkAuditFile(auditFileIn(copy()), undefined)).followed?.ok).toBe(false);
  });

  it('ends a chain that the backup has too, for it goes on elsewhere [platform-6.3.4]', async () => {
    const chain = await writeOriginal(3);
    const restored = { backupId: 'backup-1', restoredAt: '2026-01-01T00:00:00.000Z', chain: undefined };
    await using audit = await openTestAudit({ folder: original(), ledger, restored });
    expect(audit.trail.chain).not.toBe(chain);
    const [opening = ''] = (await readFile(auditFileIn(original()), 'utf8')).split('\n');
    expect(JSON.parse(opening).metadata).toMatchObject({ after: chain, because: 'restored', backup: 'backup-1' });
    expect((await audit.verify()).map(({ ok, checked }) => [ok, checked])).toEqual([
      [true, 'file'],
      [true, 'file'],
    ]);
  });

  it('copies files up to their last whole line while they are written, and no key [platform-6.1.15]', async () => {
    await writeOriginal(5);
    const file = auditFileIn(original());
    await writeFile(file, `${await readFile(file, 'utf8')}{"half a`);
    const names: string[] = [];
    for await (const { name, size, content } of readAuditFiles(file)) {
      names.push(name);
      let text = '';
      for await (const bytes of content) text += Buffer.from(bytes).toString();
      expect(text).toHaveLength(size);
      expect(text.endsWith('\n')).toBe(true);
    }
    expect(names.every((name) => name.startsWith('audit.') && name.endsWith('.jsonl'))).toBe(true);
    expect(await readdir(path.dirname(file))).toContain('signing-key.pem');
  });
});
