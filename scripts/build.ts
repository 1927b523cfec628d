// Builds the release into dist/: the pages, the compiled service, the client with its types, and the SQL and data files beside the
// modules that read them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, glob, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'src');
const built = path.join(root, 'dist');

await rm(built, { recursive: true, force: true });
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
// The pages first: the folder that they leave is one that the compiler does not touch.
if (
  (await runs(path.join(root, 'scripts', 'ui.ts'))) &&
  (await runs(compiler, '-p', path.join(root, 'tsconfig.build.json'))) &&
  (await runs(compiler, '-p', path.join(root, 'tsconfig.client.json')))
)
  await copyData();
else process.exitCode = 1;

async function runs(...command: readonly string[]): Promise<boolean> {
  const [code]: unknown[] = await once(spawn(process.execPath, [...command], { stdio: 'inherit' }), 'exit');
  return code === 0;
}

async function copyData(): Promise<void> {
  for await (const file of glob('**/*.{sql,json}', { cwd: source })) {
    const target = path.join(built, file);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(source, file), target);
  }
}
