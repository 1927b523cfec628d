// `switchyard discovery export`: the card that lies behind the bearer, as files for a public web server.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { command, type Outcome } from '../../support/process/cli-io.ts';
import { temporaryFolder } from '../../support/process/program.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService({ config: { baseUrl: 'https://agents.example.org' } });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function exported(to: string, env: Record<string, string> = {}): Promise<Outcome> {
  const connection = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') };
  return command(['discovery', 'export', to], { cwd: folder.path, env: { ...connection, ...env } });
}

describe('discovery export', () => {
  it('writes what the service answers behind its bearer, for everybody to read [choices-7.6]', async () => {
    const { code, out, err } = await exported('public');
    expect([code, err]).toEqual([0, '']);
    const files = ['agent-card.json', 'agent.json'].map((name) =>
      path.join(folder.path, 'public', '.well-known', name),
    );
    expect(out).toBe(`${files.join('\n')}\n`);
    for (const file of files) {
      const { body } = await service.call('GET', `/.well-known/${path.basename(file)}`);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(body);
      expect((await stat(file)).mode & 0o444).toBe(0o444);
    }
    // Over an older export, and nothing half done is left beside it.
    await writeFile(files[0] ?? '', 'old');
    expect((await exported('public')).code).toBe(0);
    expect(JSON.parse(await readFile(files[0] ?? '', 'utf8'))).toMatchObject({
      url: expect.stringContaining('https://'),
    });
    expect((await readdir(path.join(folder.path, 'public', '.well-known'))).toSorted()).toEqual([
      'agent-card.json',
      'agent.json',
    ]);
  });

  it('writes nothing when the service refuses, is away, or the folder cannot be made', async () => {
    expect(await exported('refused', { SWITCHYARD_TOKEN: 'wrong' })).toMatchObject({ code: 4 });
    expect(await exported('away', { SWITCHYARD_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 3 });
    await writeFile(path.join(folder.path, 'a-file'), '');
    const blocked = await exported('a-file');
    expect(blocked).toMatchObject({ code: 2, err: expect.stringMatching(/^error: The folder cannot be created: /) });
    expect((await readdir(folder.path)).toSorted()).toEqual(['a-file', 'public']);
  });

  it('warns of a card that names an address of this machine alone', async () => {
    await using local = await openService();
    const { code, err } = await exported('local', { SWITCHYARD_URL: local.url });
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: the card names http:\/\/127\.0\.0\.1:\d+\/.*; set BASE_URL of the service\.\n$/);
  });
});
