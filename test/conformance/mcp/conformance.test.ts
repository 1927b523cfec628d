// The protocol's conformance kit against the service: every scenario passes but those that need tools of the kit's own.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/process/program.ts';
import { bearerProxy, type BearerProxy } from './bearer-proxy.ts';

let service: TestService;
let proxy: BearerProxy;
beforeAll(async () => {
  service = await openService();
  proxy = await bearerProxy(service.toolUrl, service.token('operator'));
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const kit = path.join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const expected = path.join(import.meta.dirname, 'conformance-expected.yml');

describe('the conformance kit', () => {
  it('passes, except for listed scenarios that need its own example server', async () => {
    const failing = (await readFile(expected, 'utf8')).split('\n').filter((line) => line.startsWith('  - '));
    expect(failing.length).toBeLessThanOrEqual(24);
    // The others, by their names: none of them may be moved to the list.
    for (const name of generic) expect(failing).not.toContain(`  - ${name}`);
  });

  // Version 0.1.16 of the kit knows no later revision; clients.test.ts has the official client of 2026-07-28.
  it.each(['2025-06-18', '2025-11-25'])(
    'finds the revision %s spoken, at both paths',
    async (revision) => {
      for (const at of ['/mcp', '/mcp/v1/rpc']) {
        await using folder = await temporaryFolder();
        const args = ['server', '--url', `${proxy.url}${at}`, '--suite', 'all', '--spec-version', revision];
        const { code, out } = await run([...args, '--expected-failures', expected, '-o', folder.path], folder.path);
        const wrong = /(?:Unexpected|Stale)[\s\S]*/i.exec(out)?.[0] ?? '';
        expect({ at, code, wrong }).toEqual({ at, code: 0, wrong: '' });
        for (const name of generic.filter((one) => revision !== '2025-06-18' || one !== 'dns-rebinding-protection')) {
          expect(out).toContain(`✓ ${name}: `);
        }
      }
    },
    240_000,
  );
});

const generic = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

function run(args: readonly string[], cwd: string): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [kit, ...args], { cwd, timeout: 200_000, maxBuffer: 1 << 26 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: `${out}${err}` });
    });
  });
}
