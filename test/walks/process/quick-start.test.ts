// The quick start of README.md, on a fresh clone: its commands are read from the page and run as they stand there. SCALE=full
// installs the packages and builds the pages anew; otherwise the clone borrows those of this checkout. core-1.2, choices-1.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, living, processTreeOf, Program, run, temporaryFolder } from '../../support/process/program.ts';

const exec = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const isFull = process.env['SCALE'] === 'full';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clone: string;
let env: Record<string, string>;
let up: Program | undefined;

/** The block of the page that begins so, without the fences around it. */
async function blockOf(start: string): Promise<string> {
  const page = await readFile(path.join(clone, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/^(`{3,})sh\n([\s\S]*?)\n\1$/gm)].map(([, , text = '']) => text);
  const found = blocks.find((text) => text.startsWith(start));
  if (found === undefined) throw new Error(`README.md has no block that begins with ${start}`);
  return found;
}

/** Runs a command of the page in the clone, on the ports of this test. */
async function shell(command: string): Promise<string> {
  const text = command.replaceAll(':8000', `:${env['PORT']}`);
  const { code, out, err } = await run(['-c', text], { command: ['/bin/sh'], cwd: clone, env });
  expect([command, code, err]).toEqual([command, 0, expect.any(String)]);
  return out;
}

beforeAll(async () => {
  folder = await temporaryFolder('switchyard-clone-');
  clone = path.join(folder.path, 'clone');
  await exec('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  // Node and npm alone, so that no agent program of this machine is found.
  const bin = path.join(folder.path, 'bin');
  await mkdir(bin);
  for (const name of ['node', 'npm']) {
    const { stdout } = await exec('/bin/sh', ['-c', `command -v ${name}`]);
    await symlink(stdout.trim(), path.join(bin, name));
  }
  const ports = { PORT: String(await freePort()), MCP_PORT: String(await freePort()) };
  env = { PATH: `${bin}:/usr/bin:/bin`, CI: 'true', ...ports };
});
afterAll(async () => {
  await up?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

it('two commands start the service, and a first task changes the repository [choices-1.1]', async () => {
  const [install = '', start = ''] = (await blockOf('npm ci')).split('\n')[0]?.split(' && ') ?? [];
  expect([install, start]).toEqual(['npm ci', 'npm start']);
  if (isFull) await shell(`${install} --prefer-offline --no-audit --no-fund`);
  else {
    // Fails where package.json and package-lock.json disagree, as the installation would.
    await shell(`${install} --dry-run --offline --ignore-scripts --no-audit --no-fund`);
    await symlink(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
    await cp(path.join(root, 'dist/ui'), path.join(clone, 'dist/ui'), { recursive: true });
  }
  up = new Program({ command: ['npm'], args: ['start'], cwd: clone, env });
  await up.printed(/Ctrl-C stops/, 150_000);
  const url = `http://127.0.0.1:${env['PORT']}`;
  expect(up.out).toContain(url);

  const created = await shell(await blockOf("node bin/switchyard.js task create --codebase . --follow '```sh"));
  expect(created).toContain(`Hello from ${hostname()}`);
  const { tasks } = JSON.parse(await shell('node bin/switchyard.js task list --json'));
  expect(tasks).toMatchObject([{ status: 'completed' }]);
  const [, , apply = ''] = (await blockOf("node bin/switchyard.js task create --codebase . --follow 'Write")).split(
    '\n',
  );
  await shell(apply.replace('ID', tasks[0].task_id ?? tasks[0].id));
  expect(await readFile(path.join(clone, 'HELLO.md'), 'utf8')).toBe(`Hello from ${hostname()}\n`);

  const { task } = JSON.parse(await shell((await blockOf('curl ')).replace('curl ', 'curl --silent --fail ')));
  expect(task).toMatchObject({ title: 'hello', codebase_id: 'global' });
  const page = await fetch(`${url}/v1/monitor/`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('<html')]);
  expect((await stat(path.join(clone, 'dist/ui/build.json'))).isFile()).toBe(true);

  const tree = (await processTreeOf(up.pid)).map(({ pid }) => pid);
  up.interrupt();
  await up.ended;
  expect(await living(tree)).toEqual([]);
});
