// The client as who installs the package has it: the example compiles against it, and runs.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openService } from '../support/service.ts';
import { temporaryFolder } from '../support/process/program.ts';
import { until } from '../support/until.ts';

const root = path.resolve(import.meta.dirname, '../..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

/** A folder with the package installed, its client built as `npm run build` builds it, and the example. */
async function installed(folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, 'switchyard');
  await mkdir(own, { recursive: true });
  await copyFile(path.join(root, 'package.json'), path.join(own, 'package.json'));
  const built = [compiler, '-p', path.join(root, 'tsconfig.client.json'), '--outDir', path.join(own, 'dist')];
  await promisify(execFile)(process.execPath, built);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser', '@types']) {
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(path.join(root, 'examples/typed-client.ts'), path.join(folder, 'typed-client.ts'));
  return path.join(folder, 'typed-client.ts');
}

it('examples/typed-client.ts compiles strictly against the package, and goes from a task to its result', async () => {
  await using service = await openService();
  await using folder = await temporaryFolder();
  const example = await installed(folder.path);
  const strict = ['--strict', '--noEmit', '--target', 'es2024', '--module', 'nodenext', '--types', 'node', example];
  await promisify(execFile)(process.execPath, [compiler, ...strict], { cwd: folder.path });

  const worker = await service.worker();
  const env = { ...process.env, SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('editor') };
  const child = spawn(process.execPath, [example, 'do this'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  using stop = new DisposableStack();
  stop.defer(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const ended = once(child, 'exit');
  const assignment = await until('its task', async () => (await worker.claim())[0]);
  expect(assignment.task.prompt).toBe('do this');
  await worker.release(assignment, { status: 'completed', result: 'all of it' });
  expect(await ended).toEqual([0, null]);
  expect(output).toContain('"status":"running"');
  expect(output).toMatch(/^completed: all of it$/m);
});
