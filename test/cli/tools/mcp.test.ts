// `switchyard mcp`: the configuration of clients, and the bridge that the official clients start as a local program.
import path from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openService, type TestService } from '../../support/service.ts';
import { command } from '../../support/process/cli-io.ts';
import { Program, temporaryFolder } from '../../support/process/program.ts';

let service: TestService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  service = await openService();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const entry = path.resolve(import.meta.dirname, '../../../src/cli.ts');

describe('mcp config', () => {
  const env = { SWITCHYARD_URL: 'https://work.example.org', SWITCHYARD_TOKEN: 'a-secret-word' };

  it('prints the configuration of each client, and no token', async () => {
    const { code, out } = await command(['mcp', 'config', '--json'], { env, cwd: folder.path });
    expect([code, out.includes('a-secret-word')]).toEqual([0, false]);
    const { url, clients } = JSON.parse(out);
    expect(url).toBe('https://work.example.org/mcp');
    for (const { name, text } of clients) {
      expect([name, text]).toEqual([name, expect.stringContaining('https://work.example.org')]);
      // One is TOML; YAML reads the JSON of the others.
      if (name !== 'codex') expect(typeof parse(text)).toBe('object');
    }
  });

  it('prints one by its name, and names those there are', async () => {
    const one = await command(['mcp', 'config', 'vscode'], { env, cwd: folder.path });
    expect([one.code, one.out]).toEqual([0, expect.stringContaining('${input:switchyard-token}')]);
    const none = await command(['mcp', 'config', 'emacs'], { env, cwd: folder.path });
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('claude-code')]);
  });
});

describe('mcp stdio', () => {
  const start = (token: string): { command: string; args: string[]; env: Record<string, string>; cwd: string } => ({
    command: process.execPath,
    args: [entry, 'mcp', 'stdio', '--url', service.url],
    env: { SWITCHYARD_TOKEN: token, PATH: process.env['PATH'] ?? '' },
    cwd: folder.path,
  });
  const identity = { name: 'a-test', version: '1.0.0' };

  it('lets a client of SDK 1 list and call the tools', async () => {
    const client = new Client1(identity);
    await client.connect(new Stdio1(start(service.token('editor'))));
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    const made = await client.callTool({ name: 'create_task', arguments: { title: 'bridged', codebase_id: 'global' } });
    expect(made.structuredContent).toMatchObject({ title: 'bridged' });
    await expect(client.callTool({ name: 'fly' })).rejects.toThrow(/no tool "fly"/);
    await client.close();
  });

  it.each(['legacy', 'auto'] as const)('lets a client of SDK 2 call a tool, negotiating %s', async (mode) => {
    const client = new Client2(identity, { versionNegotiation: { mode } });
    await client.connect(new Stdio2(start(service.token('editor'))));
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    const listed = await client.callTool({ name: 'list_codebases', arguments: {} });
    expect(listed.structuredContent).toHaveProperty('codebases');
    await client.close();
  });

  it('reports a refusal and a broken line in the protocol’s words, and ends with its input', async () => {
    const { args, env, cwd } = start('no-such-token');
    await using program = new Program({ args: args.slice(1), env, cwd, input: 'open' });
    program.write('{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n');
    await program.printed(/"id":7,"error":\{"code":-32603,"message":"A valid bearer token/);
    program.write('not json\n');
    await program.printed(/"id":null,"error":\{"code":-32700/);
    program.endInput();
    expect((await program.ended).code).toBe(0);
  });
});
