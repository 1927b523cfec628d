// The archive's form: what was written is read, and nothing else is.
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  packArchive,
  unpackArchive,
  writeWhole,
} from '../../../../src/adapters/postgres/backup/archive/archive-file.ts';
import { readArchive } from '../../../../src/adapters/postgres/backup/archive/archive-reader.ts';
import { writeArchive } from '../../../../src/adapters/postgres/backup/archive/archive-writer.ts';
import type { ArchiveHeader } from '../../../../src/adapters/postgres/backup/archive/archive-contents.ts';
import { readTar, writeTar, type TarEntry } from '../../../../src/adapters/postgres/backup/archive/tar-stream.ts';
import { refuseUnknownMigrations } from '../../../../src/adapters/postgres/backup/restore/verify-archive.ts';
import { isRoot } from '../../../support/process/is-root.ts';
import { smallDisk } from '../../../support/worker/small-disk.ts';

const header: ArchiveHeader = {
  format: 'switchyard-archive',
  version: 1,
  backup_id: '6f0f6c1e-8a56-4a3c-9c07-0d9b6c1c2a11',
  taken_at: '2026-01-01T00:00:00.000Z',
  program: 'switchyard 1.2.0',
  postgres: '18.4',
  migrations: [{ name: '0001-installation.sql', hash: 'a' }],
  tables: [
    { name: 'tenants', columns: ['tenant_id', 'name'], parts: ['rows'], partitions: [] },
    { name: 'task_events', columns: ['tenant_id', 'data'], parts: ['folded', 'open'], partitions: [] },
  ],
};

type Parts = Readonly<Record<string, readonly Uint8Array[]>>;
const audit = Buffer.from('{"seq":1}\n{"seq":2}\n');

function archiveOf(parts: Parts, given = header): AsyncGenerator<Uint8Array, void, undefined> {
  return writeArchive({
    header: given,
    async *rows(table, part) {
      yield* parts[`${table.name}/${part}`] ?? [];
    },
    async *auditFiles() {
      const content = (async function* () {
        yield audit;
      })();
      yield { name: 'audit.jsonl', size: audit.length, content };
    },
  });
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function* portions(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(chunks: AsyncIterable<Uint8Array>) {
  const found: Record<string, Buffer> = {};
  const summary = await readArchive(chunks, {
    async onPart(table, part, rows) {
      found[`${table.name}/${part}`] = await bytesOf(rows);
    },
    async onAuditFile(n, content) {
      found[`audit/${n}`] = await bytesOf(content);
    },
  });
  return { found, summary };
}

/** The code of the refusal. */
async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'taken',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

const rows = fc
  .array(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => bytes.filter((byte) => byte !== 10)),
    { maxLength: 30 },
  )
  .map((lines) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));

const few: Parts = {
  'tenants/rows': [Buffer.from('acme\tAcme\n')],
  'task_events/folded': [Buffer.alloc(1_200_000, 'a\n'), Buffer.alloc(300_000, 'b\n')],
  'task_events/open': [],
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'archive-'));
});
afterAll(() => rm(dir, { recursive: true }));

describe('an archive', () => {
  it('is read as it was written, whatever the portions are [platform-6.1.1]', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, rows, fc.integer({ min: 1, max: 5_000 }), async (a, b, c, size) => {
        const parts = { 'tenants/rows': [a], 'task_events/folded': [b], 'task_events/open': [c] };
        const { found, summary } = await read(portions(await bytesOf(archiveOf(parts)), size));
        expect(found).toEqual({ 'tenants/rows': a, 'task_events/folded': b, 'task_events/open': c, 'audit/1': audit });
        const lines = (text: Buffer): number => text.toString('latin1').split('\n').length - 1;
        expect(summary.rows.get('tenants')).toBe(lines(a));
        expect(summary.rows.get('task_events')).toBe(lines(b) + lines(c));
        expect(summary.auditFiles).toEqual([{ name: 'audit.jsonl', size: audit.length }]);
      }),
      { numRuns: 25 },
    );
  });

  it('is refused with any byte changed, before compression and after [platform-6.1.5]', async () => {
    const plain = await bytesOf(archiveOf({ 'tenants/rows': [Buffer.from('acme\tAcme\n')] }));
    const file = path.join(dir, 'changed');
    await writeWhole(file, await packArchive(portions(plain, 65_536), []));
    const packed = await readFile(file);
    const changed = (bytes: Buffer, at: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: plain.length - 1025 }), async (at) => {
        // Padding and the fields of a header that nobody reads are covered by its checksum or say nothing.
        const outcome = await read(portions(changed(plain, at), 65_536)).then(
          ({ found }) => JSON.stringify(found),
          (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
        );
        const same = JSON.stringify((await read(portions(plain, 65_536))).found);
        expect(['archive_damaged', 'archive_newer', same]).toContain(outcome);
      }),
      { numRuns: 60 },
    );
    for (let at = 0; at < packed.length; at += 97) {
      await writeFile(file, changed(packed, at));
      const { content } = await unpackArchive(file, []);
      expect(await refusal(read(content)), `byte ${at}`).toBe('archive_damaged');
    }
  });

  it('is refused with its end cut, wherever [platform-6.1.5]', async () => {
    const file = path.join(dir, 'cut');
    await writeWhole(file, await packArchive(archiveOf(few), []));
    const { size } = await stat(file);
    for (const left of [size - 1, size - 20, Math.floor(size / 2), 40, 3]) {
      await truncate(file, left);
      const { content } = await unpackArchive(file, []);
      expect(await refusal(read(content)), `${left} bytes`).toBe('archive_damaged');
    }
  });

  it('is refused with a table or an audit file taken out [platform-6.1.5]', async () => {
    const without = async function* (pattern: RegExp): AsyncGenerator<TarEntry, void, undefined> {
      for await (const { name, size, content } of readTar(archiveOf(few))) {
        const bytes = await bytesOf(content as AsyncIterable<Uint8Array>);
        if (!pattern.test(name)) yield { name, size, content: [bytes] };
      }
    };
    for (const pattern of [/^tables\/tenants/, /folded\/000001/, /folded\.json/, /^audit\/000001/, /^end/]) {
      expect(await refusal(read(writeTar(without(pattern)))), String(pattern)).toBe('archive_damaged');
    }
  });

  it('of a later format or schema is refused by name [platform-6.1.6]', async () => {
    expect(await refusal(read(archiveOf({}, { ...header, version: 2 })))).toBe('archive_newer');
    const newer = { ...header, migrations: [{ name: '9999-later.sql', hash: 'x' }], program: 'switchyard 9.0.0' };
    await expect(refuseUnknownMigrations(newer)).rejects.toThrow(/9999-later\.sql.*switchyard 9\.0\.0/);
    await expect(refuseUnknownMigrations(header)).rejects.toMatchObject({ code: 'archive_of_another' });
  });

  it('opens with the key of a recipient alone [platform-6.1.7]', async () => {
    const [mine, theirs] = [await generateX25519Identity(), await generateX25519Identity()];
    const file = path.join(dir, 'sealed');
    await writeWhole(file, await packArchive(archiveOf(few), [await identityToRecipient(mine)]));
    expect(await refusal(unpackArchive(file, []))).toBe('archive_encrypted');
    expect(await refusal(unpackArchive(file, [theirs]))).toBe('archive_encrypted');
    expect(await refusal(unpackArchive(file, ['AGE-SECRET-KEY-1NONE']))).toBe('bad_identity');
    expect(await refusal(packArchive(archiveOf(few), ['age1nobody']))).toBe('bad_recipient');
    const { content } = await unpackArchive(file, [theirs, mine]);
    expect((await read(content)).summary.rows.get('tenants')).toBe(1);
    const { size } = await stat(file);
    await truncate(file, size - 1);
    expect(await refusal(read((await unpackArchive(file, [mine])).content))).toBe('archive_damaged');
  });

  it('is its user’s alone, and leaves no half of itself [platform-6.1.8]', async () => {
    const place = path.join(dir, 'place');
    await writeFile(`${dir}/.place.4194304.half`, 'of a killed backup');
    await writeWhole(place, await packArchive(archiveOf(few), []));
    expect((await stat(place)).mode & 0o777).toBe(0o600);
    const failing = (async function* () {
      yield Buffer.from('half');
      throw new Error('the database went away');
    })();
    await expect(writeWhole(place, failing)).rejects.toThrow('the database went away');
    expect((await read((await unpackArchive(place, [])).content)).summary.rows.get('tenants')).toBe(1);
    expect((await readdir(dir)).filter((name) => name.endsWith('.half'))).toEqual([]);
  });

  it.runIf(isRoot)('keeps the earlier backup where the disk is full [platform-6.1.8]', async () => {
    await using disk = await smallDisk(dir);
    const file = path.join(disk.path, 'daily');
    await writeWhole(file, await packArchive(archiveOf({ 'tenants/rows': [Buffer.from('acme\tAcme\n')] }), []));
    await disk.fill();
    const random = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 251));
    expect(await refusal(writeWhole(file, portions(random, 4096)))).toBe('disk_full');
    expect((await read((await unpackArchive(file, [])).content)).summary.rows.get('tenants')).toBe(1);
  });
});
