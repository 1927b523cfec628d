// The official inspector's command line, unmodified, lists and calls the tools as a person would from a shell.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/process/program.ts';

const launcher = path.join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

let service: TestService;
let home: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService();
  home = await temporaryFolder();
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

function inspect(at: string, args: readonly string[]): Promise<string> {
  const header = `Authorization: Bearer ${service.token('admin')}`;
  const all = [launcher, '--cli', `${service.toolUrl}${at}`, '--transport', 'http', '--header', header, ...args];
  const env = { PATH: process.env['PATH'], HOME: home.path, CI: '1' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, { env, cwd: home.path, timeout: 60_000 }, (error, out, err) => {
      // A tool that refuses ends the program with another code, and its error is on its output as any other.
      if (error !== null && !out.trimStart().startsWith('{')) reject(new Error(`${args.join(' ')}: ${out}${err}`));
      else resolve(out);
    });
  });
}

/** SCALE=full calls every tool at both paths; else each third, for each call is a program of its own. */
const full = process.env['SCALE'] === 'full';
const paths = ['/mcp', '/mcp/v1/rpc'];

it('the inspector lists every tool at both paths', async () => {
  for (const at of paths) {
    const { tools } = JSON.parse(await inspect(at, ['--method', 'tools/list']));
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      service.instance.mcp.tools.map(({ tool }) => tool.name),
    );
  }
});

it('the inspector calls the tools', async () => {
  const tools = service.instance.mcp.tools.filter((_, i) => full || i % 3 === 0);
  const calls = tools.flatMap((known, i) => {
    const at = full ? paths : paths.slice(i % 2, (i % 2) + 1);
    return at.map((one) => ({ at: one, ...known.tool }));
  });
  for (const { at, name, example } of calls) {
    const pairs = Object.entries(example as Record<string, unknown>).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const args = pairs.length === 0 ? [] : ['--tool-arg', ...pairs];
    const out = await inspect(at, ['--method', 'tools/call', '--tool-name', name, ...args]);
    const { content, isError } = JSON.parse(out);
    expect([name, content[0].type]).toEqual([name, 'text']);
    if (isError === true) expect([name, content[0].text]).toEqual([name, expect.stringContaining(`${name} failed: `)]);
    expect([name, content[0].text]).toEqual([name, expect.not.stringContaining('not valid')]);
  }
}, 400_000);
