// Builds the release into dist/: the compiled service, the client with its types, and the SQL and data files beside the
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
if ((await compiles('tsconfig.build.json')) && (await compiles('tsconfig.client.json'))) await copyData();
else process.exitCode = 1;

async function compiles(project: string): Promise<boolean> {
  const arguments_ = [compiler, '-p', path.join(root, project)];
  const [code]: unknown[] = await once(spawn(process.execPath, arguments_, { stdio: 'inherit' }), 'exit');
  return code === 0;
}

async function copyData(): Promise<void> {
  for await (const file of glob('**/*.{sql,json}', { cwd: source })) {
    const target = path.join(built, file);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(source, file), target);
  }
}
