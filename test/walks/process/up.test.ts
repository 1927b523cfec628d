// `npm start`, as somebody has it on the first day and on the second. core-1.2, choices-1.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  freePort,
  living,
  processTreeOf,
  Program,
  run,
  temporaryFolder,
  type Ended,
} from '../../support/process/program.ts';
import { script } from '../../support/worker/local-worker.ts';
import { fileAfter, makeRepository } from '../support/repository.ts';
import { installedCommand } from '../support/service-process.ts';
import { localWalk } from '../support/walk.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let ports: readonly string[];
let up: Program;

/** Starts it, by somebody who stands in the first repository. */
async function start(): Promise<void> {
  const args = ['up', '--port', ports[0] ?? '', '--mcp-port', ports[1] ?? ''];
  up = new Program({ command: installedCommand, args, cwd: home });
  await up.printed(/Ctrl-C stops/);
}

/** Ctrl-C. */
async function interrupt(): Promise<void> {
  const tree = (await processTreeOf(up.pid)).map(({ pid }) => pid);
  up.interrupt();
  expect(await up.ended).toMatchObject({ code: 0, signal: null });
  expect(await living(tree)).toEqual([]);
}

const cli = (...args: string[]): Promise<Ended> => run(args, { command: installedCommand, cwd: home });

/** A task for a folder, followed to its end. @returns what the file made.txt is in a clone that its diff was applied to */
async function madeIn(repository: string, text: string): Promise<string | undefined> {
  const prompt = script(`echo ${text} > made.txt`, `echo wrote ${text}`);
  await using following = new Program({
    command: installedCommand,
    args: ['task', 'create', '--codebase', repository, '--follow', prompt],
    cwd: home,
  });
  const [, id = ''] = await following.printed(/^task (\S+)$/m);
  const deadline = AbortSignal.timeout(60_000);
  const over = await Promise.race([
    following.ended,
    new Promise<undefined>((resolve) => deadline.addEventListener('abort', () => resolve(undefined))),
  ]);
  if (over === undefined) {
    following.interrupt();
    throw new Error(`the task does not end: ${(await cli('task', 'show', id)).out}\n${up.err.slice(-3000)}`);
  }
  expect([over.code, over.out]).toEqual([0, `wrote ${text}\n`]);
  return await fileAfter(repository, (await cli('task', 'show', id, '--diff')).out, 'made.txt');
}

beforeAll(async () => {
  folder = await temporaryFolder('switchyard walks up ');
  home = await makeRepository(path.join(folder.path, 'home'), { 'kept.txt': 'kept\n' });
  ports = [String(await freePort()), String(await freePort())];
  await start();
});
afterAll(async () => {
  await up[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('up, local', () => {
  localWalk(['token-generated'], 'the token that it prints, once, is the admin’s', async () => {
    const [, token = ''] = /^ {2}token +(\S+)/m.exec(up.out) ?? [];
    expect(`${up.out}${up.err}`.split(token)).toHaveLength(2);
    const me = await fetch(`http://127.0.0.1:${ports[0]}/v1/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([me.status, await me.json()]).toEqual([200, expect.objectContaining({ roles: ['admin'] })]);
  });

  localWalk(['local-first-task'], 'a task for the folder and one for another that was added complete', async () => {
    expect(await madeIn(home, 'first')).toBe('first\n');
    const added = await makeRepository(path.join(folder.path, 'added'), { 'kept.txt': 'kept\n' });
    expect((await cli('codebase', 'add', added)).code).toBe(0);
    expect(await madeIn(added, 'first')).toBe('first\n');
  });

  localWalk(['local-again'], 'after Ctrl-C and another start tasks for both folders complete again', async () => {
    await interrupt();
    await start();
    expect(await madeIn(home, 'again')).toBe('again\n');
    expect(await madeIn(path.join(folder.path, 'added'), 'again')).toBe('again\n');
    const { out } = await cli('codebase', 'list', '--json');
    expect(JSON.parse(out).codebases.filter(({ name }: { name: string }) => name === 'added')).toHaveLength(1);
  });

  localWalk(
    ['local-again'],
    'a folder that was added and never used has its first task after a start too',
    async () => {
      const unused = await makeRepository(path.join(folder.path, 'unused'), { 'kept.txt': 'kept\n' });
      expect((await cli('codebase', 'add', unused)).code).toBe(0);
      await interrupt();
      await start();
      expect(await madeIn(unused, 'late')).toBe('late\n');
      expect((await cli('audit', 'verify')).code).toBe(0);
      await interrupt();
      expect((await cli('audit', 'verify')).code).toBe(0);
    },
  );
});
