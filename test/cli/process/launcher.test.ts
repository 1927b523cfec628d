// `bin/switchyard.js`: whatever Node runs it, the program runs under the Node that npm installed.
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../support/database/database.ts';
import { databaseEnvironment } from '../../support/database/database-url.ts';
import { processTreeOf, living, Program, run, temporaryFolder, type Ended } from '../../support/process/program.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const launcher = path.join(root, 'bin', 'switchyard.js');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A Node that says it is an old one, until it has started another. */
let old: readonly [string, ...string[]];

beforeAll(async () => {
  folder = await temporaryFolder('switchyard launcher ');
  const pretend = path.join(folder.path, 'pretend.cjs');
  const lines = `Object.defineProperty(process.versions, 'node', { value: '20.9.0' });`;
  await writeFile(pretend, lines);
  old = [process.execPath, '--require', pretend];
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

async function launch(args: readonly string[], from = launcher): Promise<Ended> {
  return run(args, { cwd: folder.path, command: [...old, from] });
}

describe('the launcher', () => {
  it('under an old Node passes arguments, output and exit code', async () => {
    expect(await launch(['--version'])).toMatchObject({ code: 0, out: '1.2.0\n' });
    expect(await launch(['task', 'list'])).toMatchObject({ code: 4 });
    expect(await launch(['task', 'list', '--nope'])).toMatchObject({ code: 2 });
  });

  it('under a new Node runs the program itself', async () => {
    const { code, out } = await run(['--version'], { cwd: folder.path, command: [process.execPath, launcher] });
    expect({ code, out }).toEqual({ code: 0, out: '1.2.0\n' });
  });

  it('passes a signal on, and ends when the program has stopped', async () => {
    await using db = await cloneDatabase();
    const env = databaseEnvironment(db);
    await using program = new Program({
      args: ['serve', '--port', '0'],
      cwd: folder.path,
      env,
      command: [...old, launcher],
    });
    await program.printed(/is running/);
    const tree = (await processTreeOf(program.pid)).map(({ pid }) => pid);
    expect(tree.length).toBeGreaterThan(1);
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await living(tree)).toEqual([]);
  });

  it('takes the Ctrl-C that reaches it and its program at once for one', async () => {
    await using program = new Program({
      args: ['serve', '--port', '0', '--data-dir', path.join(folder.path, 'data')],
      cwd: folder.path,
      command: [...old, launcher],
    });
    await program.printed(/is running/);
    const tree = (await processTreeOf(program.pid)).map(({ pid }) => pid);
    program.interrupt();
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await living(tree)).toEqual([]);
  });

  it('says what to do where there is no Node to run it, and where there is no program', async () => {
    const alone = path.join(folder.path, 'alone');
    await mkdir(path.join(alone, 'src'), { recursive: true });
    await cp(path.join(root, 'bin'), path.join(alone, 'bin'), { recursive: true });
    await writeFile(path.join(alone, 'package.json'), '{"type":"module"}');
    const empty = await launch(['--version'], path.join(alone, 'bin', 'switchyard.js'));
    expect(empty).toMatchObject({ code: 1 });
    expect(empty.err).toContain('Run `npm ci && npm run build` there.');
    await writeFile(path.join(alone, 'src', 'cli.ts'), '');
    const missing = await launch(['--version'], path.join(alone, 'bin', 'switchyard.js'));
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toMatch(/^error: Node 24 is needed; this is 20\.9\.0, and npm has installed none/);
  });

  it('runs what was built where it is installed below node_modules', async () => {
    const installed = path.join(folder.path, 'node_modules', 'switchyard');
    await mkdir(path.join(installed, 'dist'), { recursive: true });
    await cp(path.join(root, 'bin'), path.join(installed, 'bin'), { recursive: true });
    await writeFile(path.join(installed, 'package.json'), '{"type":"module"}');
    await mkdir(path.join(installed, 'src'));
    await writeFile(path.join(installed, 'src', 'cli.ts'), 'throw new Error("Node reads no TypeScript here")');
    await writeFile(path.join(installed, 'dist', 'cli.js'), 'process.stdout.write("built\\n");');
    await symlink(path.join(root, 'node_modules'), path.join(installed, 'node_modules'));
    expect(await launch([], path.join(installed, 'bin', 'switchyard.js'))).toMatchObject({ code: 0, out: 'built\n' });
  });
});
