// How far a backup is: one line in a terminal, nothing elsewhere.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packArchive, writeWhole } from '../../../src/adapters/postgres/backup/archive/archive-file.ts';
import { writeArchive } from '../../../src/adapters/postgres/backup/archive/archive-writer.ts';
import { formatBytes, openProgressLine } from '../../../src/cli/backup/progress-line.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { command, commandIo } from '../../support/process/cli-io.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'progress-'));
  const archive = writeArchive({
    header: {
      format: 'switchyard-archive',
      version: 1,
      backup_id: '6f0f6c1e-8a56-4a3c-9c07-0d9b6c1c2a11',
      taken_at: '2026-01-01T00:00:00.000Z',
      program: 'switchyard 1.2.0',
      postgres: '18.4',
      migrations: [{ name: '0001-installation.sql', hash: 'a' }],
      tables: [{ name: 'tasks', columns: ['id'], parts: ['rows'], partitions: [] }],
    },
    async *rows() {
      yield Buffer.alloc(3_000_000, 'a row\n');
    },
    async *auditFiles() {},
  });
  await writeWhole(path.join(dir, 'file'), await packArchive(archive, []));
});
afterAll(() => rm(dir, { recursive: true }));

function inTerminal(args: readonly string[], now: () => number) {
  let err = '';
  let out = '';
  const io = {
    ...commandIo(args, { cwd: dir }),
    now,
    terminal: { out: true, err: true },
    err: (text: string) => (err += text),
    out: (text: string | Uint8Array) => (out += Buffer.from(text).toString()),
  };
  return { io, shown: () => ({ err, out }) };
}

describe('a backup in a terminal', () => {
  it('shows the share, the table, the bytes and the time left [platform-6.1.14]', () => {
    let now = 0;
    const { io, shown } = inTerminal([], () => now);
    const line = openProgressLine(io, false);
    line.show({ step: 'write', table: 'tasks', done: 0, total: 4_000_000 });
    now = 10_000;
    line.show({ step: 'write', table: 'task_events', done: 1_000_000, total: 4_000_000 });
    expect(shown().err).toContain('writing  25 %  1.0 MB of 4.0 MB  task_events  30 s left');
    const before = shown().err;
    now = 10_100;
    line.show({ step: 'write', table: 'task_events', done: 1_100_000, total: 4_000_000 });
    expect(shown().err).toBe(before);
    line[Symbol.dispose]();
    expect(shown().err.endsWith('\r\u001B[2K')).toBe(true);
  });

  it('is verified with a line that is written over, and without one in a pipe [platform-6.1.14]', async () => {
    let now = 0;
    const { io, shown } = inTerminal(['backup', 'verify', 'file'], () => (now += 1_000));
    expect(await runCommandLine(io)).toBe(0);
    expect(shown().err).toMatch(/verifying +\d+ % .*tasks/);
    expect(shown().out).toContain('whole: 500000 rows of 1 tables and 0 audit files as of 2026-01-01T00:00:00.000Z');
    const piped = await command(['backup', 'verify', 'file'], { cwd: dir });
    expect(piped).toMatchObject({ code: 0, err: '' });
  });

  it('names bytes as people do', () => {
    expect([0, 999, 1_000, 1_234_567, 9_876_543_210].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '1.2 MB',
      '9.9 GB',
    ]);
  });
});

describe('wrong arguments of backup and restore', () => {
  it.each([
    [['restore', 'file'], 'no_target'],
    [['restore', '--data-dir', 'x'], 'no_source'],
    [['restore', 'file', '--from', 'b', '--data-dir', 'x'], 'no_source'],
    [['restore', 'file', '--to', '2026-01-01T00:00:00Z', '--data-dir', 'x'], 'no_moment'],
    [['restore', '--from', 'b', '--database-url-file', 'x'], 'no_target'],
    [['restore', '--from', 'b', '--to', '2026-01-01 00:00', '--data-dir', 'x'], 'bad_time'],
    [['restore', 'file', '--data-dir', 'x', '--identity', 'none'], 'identity_file'],
  ])('%j: %s, with exit code 2', async (args, code) => {
    const { code: exitCode, err } = await command([...args, '--json'], { cwd: dir });
    expect({ exitCode, error: JSON.parse(err).error.code }).toEqual({ exitCode: 2, error: code });
  });

  it.each([
    [['backup', 'verify', 'missing'], 'no_such_backup'],
    [['backup', 'out', '--data-dir', 'nothing-here'], 'no_database'],
    [['restore', '--from', 'nothing-here', '--data-dir', 'x'], 'no_such_backup'],
    [['restore', 'file', '--data-dir', 'x'], 'archive_of_another'],
  ])('%j: %s, and nothing is written', async (args, code) => {
    const { code: exitCode, err } = await command([...args, '--json'], { cwd: dir });
    expect({ exitCode, error: JSON.parse(err).error.code }).toEqual({ exitCode: 1, error: code });
  });
});
