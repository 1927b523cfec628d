// Attempts to escape, each a real tool that is signed, registered and run: all are contained, and the service is unharmed.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { attempts, type Planted } from './escape-attempts.ts';
import { install, openToolService, runTool } from '../../support/client/signed-tools.ts';

let service: TestService;
let planted: Planted;
let decoy: ChildProcess;
let folder: string;
const servers: Server[] = [];
let reached = 0;

async function listening(where: { port: number; host: string } | { path: string }): Promise<Server> {
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  server.listen(where);
  await once(server, 'listening');
  servers.push(server);
  return server;
}

beforeAll(async () => {
  service = await openToolService();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-escape-'));
  const word = randomBytes(6).toString('hex');
  const file = join(folder, 'canary');
  await writeFile(file, `canary ${word}`, { mode: 0o644 });
  decoy = spawn('sh', ['-c', 'exec sleep 3600', `decoy-${word}`], { argv0: `decoy-${word}`, stdio: 'ignore' });
  const first = await listening({ port: 0, host: '127.0.0.1' });
  const address = first.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await listening({ port, host: '::1' });
  const socket = join(folder, 'socket');
  await listening({ path: socket });
  const abstractName = `switchyard-${word}`;
  await listening({ path: `\0${abstractName}` });
  const secret = `secret-${word}`;
  process.env['SWITCHYARD_TEST_SECRET'] = secret;
  await install(service, { tool_id: 'theirs', content: `#!/bin/sh\n# ${secret}\nsleep 1\n`, as: 'other' });
  planted = {
    file,
    socket,
    abstractName,
    decoy: decoy.pid ?? 0,
    decoyCanary: `decoy-${word}`,
    port,
    servicePort: Number(new URL(service.url).port),
    secret,
    dataDir: service.config.dataDir,
  };
});

afterAll(async () => {
  delete process.env['SWITCHYARD_TEST_SECRET'];
  decoy.kill('SIGKILL');
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
  await service[Symbol.asyncDispose]();
});

/** Processes of the host whose command line has this word. */
async function processesWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(word));
}

it('the planted files can be reached from here: without the sandbox the attempts would find them', async () => {
  expect(await readFile(planted.file, 'utf8')).toContain('canary');
  for (const where of [
    { port: planted.port, host: '127.0.0.1' },
    { port: planted.port, host: '::1' },
    { path: planted.socket },
    { path: `\0${planted.abstractName}` },
  ]) {
    const socket = connect(where);
    await once(socket, 'connect');
    socket.destroy();
  }
  await until('all have been reached', () => Promise.resolve(reached === 4 || undefined));
  reached = 0;
});

describe('a tool that', () => {
  it.each(attempts.map((attempt, i) => ({ ...attempt, i })))(
    '$name is contained',
    async ({ i, source, fields = {}, policy = 'default', held, killedBy, ...limits }) => {
      const tool_id = `escape-${i}-${planted.decoyCanary}`;
      await install(service, { tool_id, content: source(planted), fields });
      const reply = await runTool(service, tool_id, { policy, arguments: limits.arguments ?? {} });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      const { stdout, stderr, exit_code, killed_by } = reply.body;
      expect(stdout).not.toContain('ESCAPED');
      expect(stdout).not.toContain(planted.secret);
      expect({ killed_by, exit_code, stderr: killedBy === undefined ? stderr : '' }).toEqual({
        killed_by: killedBy ?? null,
        exit_code: killedBy === undefined ? 0 : null,
        stderr: '',
      });
      expect(
        stdout.split('\n').filter((line: string) => line.startsWith('held ')).length,
        stdout,
      ).toBeGreaterThanOrEqual(held);
      expect(stdout.length + stderr.length).toBeLessThanOrEqual(2 * 1024 * 1024);
      // Nothing of it is left, and what stood outside still stands.
      expect(await processesWith(`outliving-${planted.decoyCanary}`)).toEqual([]);
      expect(await processesWith(tool_id)).toEqual([]);
      expect(decoy.exitCode ?? decoy.signalCode).toBeNull();
      expect(reached).toBe(0);
    },
  );

  it('has been contained has not harmed the service', async () => {
    expect((await service.call('GET', '/health', { token: null })).body.status).toBe('ok');
    expect(await readFile(planted.file, 'utf8')).toContain('canary');
    expect(await readdir(folder)).toEqual(['canary', 'socket']);
    const task = await service.task({ title: 'still at work' });
    expect(task.status).toBe('pending');
  });
});
