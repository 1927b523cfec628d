// A gate is bounded and confined, whatever its command does. Harmless probes first: the sandbox holds.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConfinement } from '../../../src/worker/gates/find-confinement.ts';
import {
  runGateCommand,
  type GateCommand,
  type GateMachine,
  type GateRun,
} from '../../../src/worker/gates/run-gate.ts';
import { findProcesses } from '../../../src/worker/process/process-tree.ts';

const secret = 'planted-secret-word';
let top: string;
let machine: GateMachine;
let path: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-gate-')));
  path = join(top, 'tree');
  for (const folder of ['tree', 'run', 'home', 'own']) await mkdir(join(top, folder));
  for (const file of ['home/key', 'own/token', 'beside.txt']) await writeFile(join(top, file), secret);
  const env = { PATH: `relative/bin:${process.env['PATH'] ?? ''}`, HOME: join(top, 'home'), API_KEY: secret };
  const confinement = await findConfinement('auto', { env, offersPrograms: false });
  if (confinement === undefined) throw new Error('bubblewrap does not work here');
  machine = {
    confinement,
    folder: join(top, 'run'),
    contained: { tag: randomUUID(), kind: 'none' },
    env,
    hidden: [join(top, 'own')],
    killGraceMs: 200,
    memoryBytes: 512 * 1024 * 1024,
    signal: new AbortController().signal,
  };
});
afterAll(() => rm(top, { recursive: true, force: true, maxRetries: 3 }));

const unconfined = { kind: 'unconfined' } as const;

async function run(command: string, more: Partial<GateCommand> = {}, on: Partial<GateMachine> = {}): Promise<GateRun> {
  const plain = { path, gitFolders: [], timeoutMs: 60_000, network: false, preload: false };
  return runGateCommand({ ...machine, ...on }, { ...plain, command, ...more });
}

function living(): number[] {
  return findProcesses({ leader: undefined, tag: machine.contained.tag })?.members ?? [];
}

describe('a confined gate', () => {
  test('writes in its tree, and its temporary folder is gone afterwards', async () => {
    const { exitCode, output } = await run('echo made > made.txt; echo x > "$HOME/x"; echo "$CI $PWD"; pwd');
    expect([exitCode, output]).toEqual([0, `1 ${path}\n${path}\n`]);
    expect(await readFile(join(path, 'made.txt'), 'utf8')).toBe('made\n');
    expect((await run('test -e "$HOME/x"')).exitCode).toBe(1);
    expect(await readdir(join(top, 'run'))).toEqual([]);
  });

  test.each([
    ['beside it', (): string => `cat ${top}/beside.txt`],
    ['of the home', (): string => `cat ${top}/home/key`],
    ['of the worker', (): string => `cat ${top}/own/token`],
    ['of the environment', (): string => 'env; cat /proc/self/environ /proc/1/environ'],
  ])('reads no secret %s', async (_, command) => {
    expect((await run(command())).output).not.toContain(secret);
  });

  test('writes nowhere else [runs-10.3]', async () => {
    for (const command of ['touch /etc/planted', 'touch /usr/planted'])
      expect((await run(command)).exitCode).not.toBe(0);
    // What it writes there lies in its temporary folder.
    await run(`mkdir -p ${top}; echo x > ${top}/beside.txt`);
    expect(await readFile(join(top, 'beside.txt'), 'utf8')).toBe(secret);
  });

  test('finds no program by a relative path', async () => {
    await mkdir(join(path, 'relative/bin'), { recursive: true });
    await writeFile(join(path, 'relative/bin/planted-program'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
    expect((await run('planted-program')).exitCode).toBe(127);
  });

  test('reaches the network only where it may', async () => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const connect = `node -e "require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', () => process.exit(3))"`;
      expect(await run(connect)).toMatchObject({ exitCode: 3 });
      expect(await run(connect, { network: true })).toMatchObject({ exitCode: 0, output: 'hello\n' });
    } finally {
      server.close();
    }
  });

  test('ends by itself with a process that it left in the background [runs-10.3]', async () => {
    expect(await run('setsid sleep 1000 & (setsid sh -c "sleep 1000" &) ; echo done')).toMatchObject({
      exitCode: 0,
      output: 'done\n',
    });
    expect(living()).toEqual([]);
  });
});

describe.each([
  ['confined', {}],
  ['unconfined', { confinement: unconfined }],
])('a gate, %s,', (_, on) => {
  test('that hangs is ended at its limit [runs-10.3]', async () => {
    const hung = await run('trap "" TERM; echo waiting; sleep 1000 & sleep 1000; sleep 1000', { timeoutMs: 700 }, on);
    expect(hung).toMatchObject({ exitCode: null, timedOut: true });
    expect(hung.output).toBe('waiting\n\n[ended after 0.7 s, its time limit]\n');
    expect(living()).toEqual([]);
  });

  const printed = process.env['SCALE'] === 'full' ? 1_000_000_000 : 50_000_000;
  test(`that prints ${printed / 1e6} MB keeps its beginning and its end [runs-10.3]`, async () => {
    const { exitCode, output } = await run(
      `echo first; head -c ${printed} /dev/zero | tr "\\0" x; echo; echo last`,
      {},
      on,
    );
    expect(exitCode).toBe(0);
    expect(output.startsWith('first\nxxx')).toBe(true);
    expect(output.endsWith('\nlast\n')).toBe(true);
    expect(output.length).toBeLessThan(401_000);
    expect(output).toMatch(/characters left out/);
  });

  test('that reads its input gets the end of it', async () => {
    expect(await run('cat; read line; echo "read $?"; test -t 0 || echo no terminal', {}, on)).toMatchObject({
      exitCode: 0,
      output: 'read 1\nno terminal\n',
    });
  });

  test('that forks without end is ended with all its processes', async () => {
    const forks = 'i=0; while [ $i -lt 60 ]; do (setsid sleep 1000 &) ; i=$((i+1)); done; sleep 1000';
    expect(await run(forks, { timeoutMs: 2_000 }, on)).toMatchObject({ timedOut: true });
    expect(living()).toEqual([]);
  });

  test('that takes more memory than it may is ended, and says so [runs-10.3]', async () => {
    const hoard = 'node -e "const a = []; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)"';
    const run_ = await run(hoard, {}, { ...on, memoryBytes: 200 * 1024 * 1024 });
    expect(run_).toMatchObject({ exitCode: null, timedOut: false });
    expect(run_.output).toContain('more than 200 MB of memory');
    expect(living()).toEqual([]);
  });

  test('ends when its step is cancelled', async () => {
    const cancelled = new AbortController();
    const running = run('echo begun > begun.txt; sleep 1000', {}, { ...on, signal: cancelled.signal });
    cancelled.abort('cancelled');
    await expect(running).rejects.toBe('cancelled');
    expect(living()).toEqual([]);
  });
});

describe('how gates are confined', () => {
  test.each([
    ['auto', 'bwrap works', true, 'confined'],
    ['auto', 'nothing', true, 'unconfined'],
    ['auto', 'nothing', false, undefined],
    ['confined', 'nothing', true, undefined],
    ['unconfined', 'nothing', false, 'unconfined'],
    ['off', 'bwrap works', true, undefined],
  ] as const)('%s where %s, agent programs: %s → %s', async (mode, found, offersPrograms, expected) => {
    const env = { PATH: found === 'nothing' ? join(top, 'home') : process.env['PATH'] };
    expect((await findConfinement(mode, { env, offersPrograms }))?.kind).toBe(expected);
  });
});
