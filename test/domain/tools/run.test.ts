// Tool runs: input and output, the limits of each policy, repeated verification, audit.
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BubblewrapSandbox } from '../../../src/adapters/sandbox/sandbox.ts';
import { limitsFor } from '../../../src/domain/model/tool-limits.ts';
import type { OutgoingTunnels } from '../../../src/domain/ports/sandbox.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { install, openToolService, runTool, sha256 } from '../../support/client/signed-tools.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-tools-'));
  // As an operator would set it up: the tool's own user must be able to reach it.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'open'));
  await mkdir(join(folder, 'open', 'private'), { mode: 0o700 });
  await writeFile(join(folder, 'open', 'private', 'data'), 'private');
  await mkdir(join(folder, 'closed'));
  await writeFile(join(folder, 'open', 'data'), 'open data');
  await writeFile(join(folder, 'closed', 'data'), 'closed data');
  await symlink(join(folder, 'closed'), join(folder, 'open', 'link'));
  service = await openToolService({ tools: { allowedPaths: [join(folder, 'open')], runsAtOnce: 2 } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const shell = (body: string): string => `#!/bin/sh\n${body}\n`;

describe('a run', () => {
  it('passes the arguments as JSON and returns the tool’s output and exit [choices-3.103, choices-3.107, core-1.5.6, core-5.10.5]', async () => {
    await install(service, { tool_id: 'echo', content: shell('cat; echo warned >&2; exit 3') });
    const reply = await runTool(service, 'echo', { arguments: { b: 'ü', a: [1, { c: null }] } });
    expect(reply).toMatchObject({
      status: 200,
      body: { exit_code: 3, stdout: '{"b":"ü","a":[1,{"c":null}]}', stderr: 'warned\n', killed_by: null },
    });
    expect(reply.body.usage).toEqual({
      wall_ms: expect.any(Number),
      cpu_ms: expect.any(Number),
      max_memory_bytes: expect.any(Number),
    });
  });

  it('can open its own output by name, as shell scripts do', async () => {
    const content = shell('cat > /dev/stdout; echo one > /dev/stderr; echo two > /dev/fd/2; echo three >> /dev/stdout');
    await install(service, { tool_id: 'by-name', content });
    expect((await runTool(service, 'by-name', { arguments: { a: 1 } })).body).toMatchObject({
      exit_code: 0,
      stdout: '{"a":1}three\n',
      stderr: 'one\ntwo\n',
    });
  });

  it('uses the highest version that is not revoked, or the named one [choices-3.110]', async () => {
    for (const version of ['1.0.0', '1.2.0', '1.10.0'])
      await install(service, { tool_id: 'versions', version, content: shell(`echo ${version}`) });
    expect((await runTool(service, 'versions')).body.stdout).toBe('1.10.0\n');
    expect((await runTool(service, 'versions', { version: '1.2.0' })).body.stdout).toBe('1.2.0\n');
    await service.call('DELETE', '/v1/tools/manifests/versions?version=1.10.0');
    expect((await runTool(service, 'versions')).body.stdout).toBe('1.2.0\n');
    expect((await runTool(service, 'versions', { version: '9.0.0' })).status).toBe(404);
  });

  it('is refused without a manifest, and without content [core-5.10]', async () => {
    expect(await runTool(service, 'nobodys')).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    await install(service, { tool_id: 'empty', content: shell('echo old') });
    await service.db.query(`delete from tool_contents where sha256_hash = $1`, [sha256(shell('echo old'))]);
    expect(await runTool(service, 'empty')).toMatchObject({ status: 409, body: { code: 'tool_content_missing' } });
  });

  it('is refused when the stored content, the manifest or the trusted keys are not what they were [core-5.10.2, core-5.10.3]', async () => {
    const content = shell('echo signed');
    await install(service, { tool_id: 'tampered', content });
    const put = (bytes: string): Promise<unknown> =>
      service.db.query(`update tool_contents set content = $1 where sha256_hash = $2`, [
        Buffer.from(bytes),
        sha256(content),
      ]);
    await put(shell('echo swapped'));
    expect(await runTool(service, 'tampered')).toMatchObject({ status: 403, body: { code: 'hash_mismatch' } });
    await put(content);
    expect((await runTool(service, 'tampered')).body.stdout).toBe('signed\n');
    await service.db.query(`update tool_manifests set network_allowed = true where tool_id = 'tampered'`);
    expect(await runTool(service, 'tampered')).toMatchObject({ status: 403, body: { code: 'signature_invalid' } });
    await service.db.query(`update tool_manifests set network_allowed = null where tool_id = 'tampered'`);
    await using untrusting = await openToolService({ db: service.db, tools: { trustedKeys: [] } });
    expect(await runTool(untrusting, 'tampered')).toMatchObject({ status: 403, body: { code: 'signature_invalid' } });
    await install(service, { tool_id: 'large', content, fields: { max_memory_mb: 512 } });
    await using strict = await openToolService({ db: service.db, tools: { maxMemoryMb: 256 } });
    expect(await runTool(strict, 'large')).toMatchObject({ status: 403, body: { code: 'limits_unacceptable' } });
  });

  it('executes the verified bytes, however often the stored ones are replaced meanwhile', async () => {
    const content = shell('echo signed');
    await install(service, { tool_id: 'swapped', content });
    const done = new AbortController();
    const swapping = (async () => {
      for (let i = 0; !done.signal.aborted; i++) {
        const bytes = Buffer.from(i % 2 === 0 ? shell('echo swapped') : content);
        await service.db.query(`update tool_contents set content = $1 where sha256_hash = $2`, [
          bytes,
          sha256(content),
        ]);
      }
    })();
    const seen = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const { status, body } = await runTool(service, 'swapped');
      seen.add(status === 200 ? body.stdout : body.code);
    }
    done.abort();
    await swapping;
    expect([...seen].filter((each) => each !== 'signed\n' && each !== 'hash_mismatch')).toEqual([]);
    expect(seen.has('signed\n')).toBe(true);
  });

  it('ends when its caller leaves, and releases its slot', async () => {
    await install(service, { tool_id: 'patient', content: shell('sleep 25') });
    const gone = new AbortController();
    const running = service.call('POST', '/v1/tools/patient/run', {
      as: 'editor',
      body: { arguments: {} },
      signal: gone.signal,
    });
    const left = running.then(
      () => 'answered',
      () => 'left',
    );
    await until('it runs', async () => ((await executions('patient')).length > 0 ? true : undefined));
    gone.abort();
    expect(await left).toBe('left');
    const ended = await until('its end is recorded', async () =>
      (await executions('patient')).find(({ action }) => action.endsWith('ended')),
    );
    expect(ended.metadata).toMatchObject({ killed_by: 'cancelled', exit_code: null });
  });

  it('has a bounded number of slots, of which one tenant never has all', async () => {
    const gate = join(folder, 'open', 'gate');
    const content = shell(`while [ ! -e ${gate} ]; do sleep 0.05; done; echo done`);
    const fields = { allowed_resources: [join(folder, 'open')] };
    await install(service, { tool_id: 'slow', content, fields });
    await install(service, { tool_id: 'slow', content: shell('echo theirs'), as: 'other' });
    const first = runTool(service, 'slow');
    await until('it runs', async () => ((await executions('slow')).length > 0 ? true : undefined));
    const second = await runTool(service, 'slow');
    expect(second).toMatchObject({ status: 503, body: { code: 'tools_busy' } });
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await runTool(service, 'slow', {}, 'other')).body.stdout).toBe('theirs\n');
    await writeFile(gate, '');
    expect((await first).body.stdout).toBe('done\n');
    expect((await runTool(service, 'slow')).status).toBe(200);
  });

  interface Execution {
    readonly action: string;
    readonly outcome: string;
    readonly resource: string;
    readonly metadata: Record<string, unknown>;
  }

  async function executions(toolId: string): Promise<Execution[]> {
    const { body } = await service.call('GET', '/v1/audit/events?limit=200', { as: 'admin' });
    return body.events.filter(
      ({ action, resource }: Execution) =>
        action.startsWith('tools.execution') && resource.startsWith(`tool:${toolId}@`),
    );
  }

  it('is in the audit, allowed or denied, with the hash and never with an argument [core-6.4.2]', async () => {
    const content = shell('cat');
    await install(service, { tool_id: 'audited', content });
    await runTool(service, 'audited', { arguments: { password: 'hunter2-in-arguments' }, policy: 'Restricted' });
    const [ended, begun] = await executions('audited');
    expect(begun).toMatchObject({
      action: 'tools.execution_begun',
      outcome: 'success',
      resource: 'tool:audited@1.0.0',
    });
    expect(begun?.metadata).toMatchObject({ sha256_hash: sha256(content), signed_by: 'tests', policy: 'restricted' });
    expect(ended).toMatchObject({ action: 'tools.execution_ended', outcome: 'success', metadata: { exit_code: 0 } });
    await service.call('DELETE', '/v1/tools/manifests/audited');
    await runTool(service, 'audited');
    const [refused] = await executions('audited');
    expect(refused).toMatchObject({
      action: 'tools.execution_refused',
      outcome: 'denied',
      metadata: { code: 'tool_revoked' },
    });
    const { body } = await service.call('GET', '/v1/audit/events?limit=200', { as: 'admin' });
    const calls = body.events.map(({ action, outcome }: Execution) => `${action} ${outcome}`);
    expect(calls).toEqual(
      expect.arrayContaining([
        'tools.register success',
        'tools.revoke success',
        'tools.run success',
        'tools.run denied',
      ]),
    );
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });
});

describe('policies', () => {
  const facts = shell('ulimit -d; ulimit -t; env | grep -c PROXY; cat "$DATA" 2>/dev/null || echo no data');
  const fields = (): Record<string, unknown> => ({
    max_memory_mb: 512,
    max_cpu_seconds: 20,
    network_allowed: true,
    allowed_resources: ['api.example.com', join(folder, 'open', 'data')],
  });

  it.each([
    ['Default', ['262144', '11', '4', 'open data'], 'core-5.10.6'],
    ['Restricted', ['65536', '3', '0', 'no data'], 'core-5.10.7'],
    ['Custom', ['524288', '21', '4', 'open data'], 'core-5.10.8'],
  ])('%s: memory, time, network and files [core-5.10.6, core-5.10.7, core-5.10.8, core-8.7]', async (policy, lines) => {
    const content = facts.replace('"$DATA"', join(folder, 'open', 'data'));
    await install(service, { tool_id: 'facts', content, fields: fields() });
    const reply = await runTool(service, 'facts', { policy });
    expect(reply).toMatchObject({ status: 200, body: { killed_by: null } });
    expect(reply.body.stdout.trim().split('\n')).toEqual(lines);
  });

  it('never give more than the manifest: no network, less memory, less time [core-8.7]', async () => {
    const small = { max_memory_mb: 32, max_cpu_seconds: 1, allowed_resources: ['api.example.com'] };
    await install(service, { tool_id: 'small', content: facts, fields: small });
    for (const policy of ['default', 'custom', 'restricted']) {
      const reply = await runTool(service, 'small', { policy });
      expect(reply).toMatchObject({ status: 200, body: { killed_by: null } });
      expect(reply.body.stdout.trim().split('\n')).toEqual(['32768', '2', '0', 'no data']);
    }
    expect((await runTool(service, 'small', { policy: 'unlimited' })).status).toBe(400);
  });

  it('open no path that a symbolic link leads out to', async () => {
    const path = join(folder, 'open', 'link', 'data');
    await install(service, { tool_id: 'linked', content: shell(`cat ${path}`), fields: { allowed_resources: [path] } });
    expect(await runTool(service, 'linked')).toMatchObject({ status: 403, body: { code: 'resource_not_allowed' } });
    const folderOnly = { allowed_resources: [join(folder, 'open')] };
    await install(service, {
      tool_id: 'through',
      content: shell(`cat ${path}; echo x > ${join(folder, 'open', 'new')}`),
      fields: folderOnly,
    });
    const { body } = await runTool(service, 'through');
    expect(body).toMatchObject({ stdout: '', exit_code: 2 });
    const shut = join(folder, 'open', 'private', 'data');
    await install(service, { tool_id: 'shut', content: shell(`cat ${shut}`), fields: { allowed_resources: [shut] } });
    expect((await runTool(service, 'shut')).body).toMatchObject(
      process.getuid?.() === 0 ? { code: 'resource_unreadable' } : { stdout: 'private' },
    );
    expect(await readFile(join(folder, 'closed', 'data'), 'utf8')).toBe('closed data');
  });
});

describe('outgoing connections', () => {
  it('reach the hosts of the manifest, over plain http and over a tunnel, and no others', async () => {
    await using peer = await listeningPeer();
    const requested: string[] = [];
    await using opened = new AsyncDisposableStack();
    const tunnels: OutgoingTunnels = {
      async open(host, port) {
        requested.push(`${host}:${port}`);
        const socket = opened.adopt(connect(peer.port, '127.0.0.1'), (each) => void each.destroy());
        await once(socket, 'connect');
        return socket;
      },
    };
    const sandbox = new BubblewrapSandbox({
      bwrap: undefined,
      allowedPaths: [],
      hidden: [],
      runsAtOnce: 1,
      tunnels,
      elapsedMs: () => performance.now(),
      log: () => undefined,
    });
    using place = await sandbox.acquireSlot('default');
    const source = `#!/usr/bin/python3
import urllib.request, http.client, os
def get(url):
    try: return urllib.request.urlopen(url, timeout=20).read().decode()
    except Exception as why: return str(why)
print(get('http://good.example/a?b=1'))
print(get('http://bad.example/'))
print(get('http://good.example:81/'))
print(get('http://deep.wild.example/x'))
c = http.client.HTTPConnection('127.0.0.1', 3128)
c.set_tunnel('good.example', 443)
c.request('GET', '/tunnelled')
print(c.getresponse().read().decode())
`;
    const manifest = {
      toolId: 'x',
      version: '1.0.0',
      sha256Hash: '',
      signature: '',
      networkAllowed: true,
      allowedResources: ['good.example', '*.wild.example:80'],
    };
    const result = await place.run({
      toolId: 'x',
      version: '1.0.0',
      content: Buffer.from(source),
      input: '{}',
      limits: limitsFor(manifest, 'default'),
      signal: new AbortController().signal,
    });
    expect(result.stderr).toBe('');
    expect(result.stdout.trim().split('\n')).toEqual([
      'GET /a?b=1 good.example',
      'HTTP Error 403: Forbidden',
      'HTTP Error 403: Forbidden',
      'GET /x deep.wild.example',
      'GET /tunnelled good.example',
    ]);
    expect(requested).toEqual(['good.example:80', 'deep.wild.example:80', 'good.example:443']);
  });
});

async function listeningPeer(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((request, response) => {
    response.end(`${request.method} ${request.url} ${request.headers.host?.replace(/:\d+$/, '')}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('without a sandbox', () => {
  it('no tool runs: 503, and /health is degraded when keys are trusted', async () => {
    await install(service, { tool_id: 'bare', content: shell(`echo ran > ${join(folder, 'ran')}`) });
    for (const bwrap of ['/nowhere/bwrap', '/bin/true', '/bin/false']) {
      await using without = await openToolService({ db: service.db, tools: { bwrap } });
      const reply = await runTool(without, 'bare');
      expect(reply).toMatchObject({ status: 503, body: { code: 'sandbox_unavailable' } });
      expect(reply.headers.get('retry-after')).not.toBeNull();
      expect((await without.call('GET', '/health', { token: null })).body.status).toBe('degraded');
      expect((await without.call('GET', '/health?ready', { token: null })).status).toBe(200);
    }
    await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('or with one that confines nothing, no tool runs either', async () => {
    const pretender = join(folder, 'pretender');
    // Starts its command without any confinement.
    await writeFile(
      pretender,
      `#!/bin/sh\necho '{"child-pid": '$$'}' >&5; cat <&6 >/dev/null; cat <&7 >/dev/null; cat <&8 >/dev/null; cat <&4 >/dev/null
while [ "$1" != -- ]; do shift; done; shift; shift; exec /bin/sh "$@"\n`,
      { mode: 0o755 },
    );
    await install(service, { tool_id: 'pretended', content: shell('echo x') });
    await using without = await openToolService({ db: service.db, tools: { bwrap: pretender } });
    const reply = await runTool(without, 'pretended');
    expect(reply).toMatchObject({ status: 503, body: { code: 'sandbox_unavailable' } });
    expect(reply.body.detail).toContain('it shares our user namespace');
  });
});
