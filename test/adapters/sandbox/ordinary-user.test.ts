// The service need not be root: an ordinary user confines tools as well, within user namespaces. And where its way out ends.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { guardedTunnels } from '../../../src/adapters/egress/tunnels.ts';
import { isTrustedKey } from '../../../src/domain/tools/trusted-keys.ts';
import { signer } from '../../support/client/signed-tools.ts';

const runner = path.resolve(import.meta.dirname, 'processes/tool-runner.ts');

/** Whether a user without rights may pass through all folders on the way. */
async function isOpen(file: string): Promise<boolean> {
  if (((await stat(file)).mode & 0o001) === 0) return false;
  const parent = path.dirname(file);
  return parent === file || isOpen(parent);
}

it('an ordinary user confines tools: no capability, a filter, processes of its own, nothing of the first one', async () => {
  const source = `#!/bin/sh
id -u; grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status; cat /proc/1/maps 2>&1 | head -1; ls -d /root /home 2>&1 | wc -l
`;
  const asRoot = process.getuid?.() === 0;
  // In a checkout that only root may enter, nobody else could start it.
  const ways = asRoot && (await isOpen(path.dirname(runner))) && (await isOpen(path.dirname(process.execPath)));
  const ids = ways ? { uid: 61_234, gid: 61_234 } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [runner, source], {
    ...ids,
    timeout: 60_000,
    cwd: '/',
  });
  const { exitCode, stdout: toolOutput } = JSON.parse(stdout.split('\n')[1] ?? '');
  expect(exitCode).toBe(0);
  const [uid, ...rest] = toolOutput.split('\n');
  expect(Number(uid)).toBeGreaterThan(65_500);
  expect(rest.slice(0, 5)).toEqual([
    'CapEff:\t0000000000000000',
    'NoNewPrivs:\t1',
    'Seccomp:\t2',
    expect.stringContaining('Permission denied'),
    '2',
  ]);
});

it.each(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '169.254.169.254', '::ffff:127.0.0.1'])(
  'the way out never leads to %s, whatever EGRESS_ALLOW says',
  async (host) => {
    const resolve = (): Promise<{ address: string; family: number }[]> =>
      Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const allow = ['0.0.0.0/0', '::/0', 'localhost'];
    const tunnels = guardedTunnels({ allow, resolve, resolveAllowed: resolve });
    await expect(tunnels.open(host, 80, AbortSignal.timeout(10_000))).rejects.toThrow('this machine');
  },
);

it('the way out leads to no private network that nobody has allowed', async () => {
  const resolve = (): Promise<{ address: string; family: number }[]> =>
    Promise.resolve([{ address: '10.1.2.3', family: 4 }]);
  const tunnels = guardedTunnels({ allow: [], resolve, resolveAllowed: resolve });
  await expect(tunnels.open('10.1.2.3', 80, AbortSignal.timeout(10_000))).rejects.toThrow('EGRESS_ALLOW');
  await expect(tunnels.open('inner.example', 80, AbortSignal.timeout(10_000))).rejects.toThrow('EGRESS_ALLOW');
});

it('a trusted key is the base64 of 32 bytes, in its one spelling, with a name or without', () => {
  const key = signer.trusted;
  for (const good of [key, `release:${key}`, `a.b-c_d@e:${key}`]) expect(isTrustedKey(good), good).toBe(true);
  const twin = `${key.slice(0, 42)}${key.charAt(42) === 'A' ? 'B' : 'A'}=`;
  for (const bad of ['', 'x', `:${key}`, `${key}=`, key.slice(1), `a b:${key}`, key.slice(0, 43), `name:${key}x`]) {
    expect(isTrustedKey(bad), bad).toBe(false);
  }
  expect([twin, isTrustedKey(twin)]).toEqual([twin, Buffer.from(twin, 'base64').toString('base64') === twin]);
});
