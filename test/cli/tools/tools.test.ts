// The commands `tools …`: from a new key to a tool that runs, and back. docs/TOOLS.md.
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import type { TestService } from '../../support/service.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { openToolService } from '../../support/client/signed-tools.ts';

let service: TestService;
let folder: string;
let trusted: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-tools-cli-'));
  const made = await command(['tools', 'keygen', '--out', 'key.pem', '--name', 'release', '--json'], { cwd: folder });
  trusted = JSON.parse(made.out).trusted_key;
  service = await openToolService({ tools: { trustedKeys: [trusted] } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function cli(args: string[], as: 'admin' | 'editor' = 'admin', stdin = ''): Promise<Outcome> {
  const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token(as) };
  return command(['tools', ...args], { env, cwd: folder, stdin });
}

describe('switchyard tools', () => {
  it('makes a key, signs, registers, uploads, runs, shows, lists and revokes [choices-1.11]', async () => {
    expect(trusted).toMatch(/^release:[\w+/]{43}=$/);
    expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, 'greet'), '#!/bin/sh\necho "hello $(cat)"; echo noise >&2\n');
    await writeFile(
      join(folder, 'greet.json'),
      JSON.stringify({ tool_id: 'greet', version: '1.0.0', max_memory_mb: 64 }),
    );
    const args = ['sign', 'greet.json', '--key', 'key.pem', '--content', 'greet', '--out', 'greet.signed.json'];
    expect(await cli(args)).toMatchObject({ code: exitCodes.ok, out: '' });
    const registered = await cli(['register', 'greet.signed.json']);
    expect(registered, registered.err).toMatchObject({ code: exitCodes.ok });
    expect(registered.out).toMatch(/greet +1\.0\.0 +active +missing +release/);
    expect((await cli(['upload', 'greet', 'greet'])).out).toMatch(/greet +1\.0\.0 +active +stored/);
    const run = await cli(['run', 'greet', '--arguments', '-', '--policy', 'restricted'], 'editor', '{"you":1}');
    expect(run).toEqual({ code: exitCodes.ok, out: 'hello {"you":1}\n', err: 'noise\n' });
    const json = JSON.parse((await cli(['run', 'greet@1.0.0', '--json'], 'editor')).out);
    expect(json).toMatchObject({ exit_code: 0, stdout: 'hello {}\n', killed_by: null });
    expect((await cli(['show', 'greet'])).out).toContain('"signed_by": "release"');
    expect(JSON.parse((await cli(['list', '--json'])).out).manifests).toHaveLength(1);
    expect((await cli(['revoke', 'greet@1.0.0'])).out).toMatch(/greet +1\.0\.0 +revoked/);
    expect(await cli(['run', 'greet'], 'editor')).toMatchObject({ code: exitCodes.refused });
  });

  it('signs nothing with a key that others may read, writes no key over another, and quotes none', async () => {
    const there = await cli(['keygen', '--out', 'key.pem']);
    expect(there).toMatchObject({ code: exitCodes.usage });
    expect(there.err).toContain('never overwritten');
    const pem = await readFile(join(folder, 'key.pem'), 'utf8');
    await writeFile(join(folder, 'open.pem'), pem);
    await chmod(join(folder, 'open.pem'), 0o644);
    const open = await cli(['sign', 'greet.json', '--key', 'open.pem', '--content', 'greet']);
    expect(open).toMatchObject({ code: exitCodes.usage, out: '' });
    expect(open.err).toContain('chmod 600');
    await writeFile(join(folder, 'broken.pem'), pem.replace('BEGIN', 'BEGUN'), { mode: 0o600 });
    const broken = await cli(['sign', 'greet.json', '--key', 'broken.pem', '--content', 'greet']);
    expect(broken).toMatchObject({ code: exitCodes.usage, out: '' });
    expect(broken.err).not.toContain(pem.split('\n')[1]);
  });

  it.each([
    [['sign', 'nowhere.json', '--key', 'key.pem'], exitCodes.usage],
    [['sign', 'greet', '--key', 'key.pem'], exitCodes.usage],
    [['sign', 'greet.json', '--key', 'key.pem'], exitCodes.usage],
    [['register', 'greet.json'], exitCodes.usage],
    [['run', 'nobodys'], exitCodes.notFound],
    [['run', 'greet', '--policy', 'none'], exitCodes.usage],
    [['run', 'greet', '--arguments', '[1]'], exitCodes.usage],
    [['show', 'nobodys'], exitCodes.notFound],
    [['revoke', 'nobodys'], exitCodes.notFound],
    [['upload', 'nobodys', 'greet'], exitCodes.notFound],
  ])('%j ends with %i', async (args, code) => {
    const outcome = await cli(args);
    expect(outcome, outcome.err).toMatchObject({ code });
    expect(outcome.err).toMatch(/^error: .+\n/);
  });
});
