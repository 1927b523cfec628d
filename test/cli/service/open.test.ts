// `switchyard open`: prints an address that signs one browser in, and opens it only in a terminal.
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { command, commandIo } from '../../support/process/cli-io.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { openService, type TestService } from '../../support/service.ts';
import { me } from '../../support/client/credentials.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService();
  folder = await temporaryFolder();
  await mkdir(path.join(folder.path, '.switchyard'));
  const file = { url: service.url, token: service.token('admin') };
  await writeFile(path.join(folder.path, '.switchyard', 'cli.json'), JSON.stringify(file));
  // In place of the system's opener: writes down what it was given.
  const opener = path.join(folder.path, 'xdg-open');
  await writeFile(
    opener,
    `#!/bin/sh\nprintf '%s\\n' "$@" >'${folder.path}/opened.half'\nenv >'${folder.path}/env'\nmv '${folder.path}/opened.half' '${folder.path}/opened'\n`,
  );
  await chmod(opener, 0o755);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const opened = (): Promise<string | undefined> =>
  readFile(path.join(folder.path, 'opened'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );

/** The caller of the session that this address makes. */
async function whoSignsIn(address: string): Promise<unknown> {
  const [base = '', code = ''] = address.trim().split('/v1/monitor/#code=');
  expect(base).toBe(service.url);
  const session = await service.call('POST', '/v1/auth/sessions', { token: code, body: {} });
  return (await me(service, session.body.access_token)).body;
}

describe('open', () => {
  it('prints an address for the token of the running service, and opens nothing outside a terminal [ui-6.14.11]', async () => {
    const { code, out, err } = await command(['open'], { cwd: folder.path });
    expect([code, err]).toEqual([0, '']);
    expect(await whoSignsIn(out)).toMatchObject({ subject: 'token:admin', roles: ['admin'], credential: 'session' });
    const json = await command(['open', '--json'], { cwd: folder.path });
    expect(Object.keys(JSON.parse(json.out))).toEqual(['url', 'expires_at']);
    expect(await opened()).toBeUndefined();
  });

  it('takes the address and the token that every command takes, and says when there is no service', async () => {
    const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('viewer') };
    const { out } = await command(['open', '--print'], { env });
    expect(await whoSignsIn(out)).toMatchObject({ subject: 'token:viewer' });
    expect(await command(['open'], { env: { ...env, SWITCHYARD_TOKEN: 'wrong' } })).toMatchObject({ code: 4 });
    expect(await command(['open'], { env: { ...env, SWITCHYARD_URL: 'http://127.0.0.1:1' } })).toMatchObject({
      code: 3,
    });
  });

  it('opens a browser in a terminal, without the code in arguments, and never with --print [ui-6.14.11]', async () => {
    const env = { PATH: `${folder.path}:${process.env['PATH']}`, SERVICE_AUTH_TOKEN: 'a-secret-of-the-service' };
    const open = async (...args: string[]): Promise<string> => {
      let out = '';
      const io = commandIo(['open', ...args], { cwd: folder.path, env });
      const terminal = { out: true, err: true };
      expect(await runCommandLine({ ...io, terminal, out: (text) => (out += String(text)) })).toBe(0);
      return out.trim();
    };
    await open('--print');
    const address = await open();
    const argument = await until('the browser', opened);
    expect(argument).toMatch(/^file:\/\//);
    expect(argument).not.toContain('cc_');
    const file = fileURLToPath(argument);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain(`content="0;url=${address}"`);
    expect(await readFile(path.join(folder.path, 'env'), 'utf8')).not.toContain('a-secret-of-the-service');
    expect(await whoSignsIn(address)).toMatchObject({ subject: 'token:admin' });
  });
});
